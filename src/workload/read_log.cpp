#include "workload/read_log.hpp"

#include "text/catalogue.hpp"
#include "workload/access_log.hpp"
#include "workload/log_lines.hpp"
#include "workload/openai_log.hpp"
#include "workload/requests_file.hpp"

namespace scoville::workload {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kLinesToLookAt = 20;

std::optional<LogFormat> format_of(std::string_view line) {
  if (is_access_line(line)) return LogFormat::access;
  const auto object = parse_object(line);
  if (!object) return std::nullopt;
  const json::value* const format = object->if_contains("format");
  const bool is_ours = format && format->is_string() && format->as_string() == json::string_view(kRequestsFormat);
  return is_ours ? LogFormat::requests : LogFormat::openai;
}

}  // namespace

std::optional<LogFormat> detect_format(std::string_view content) {
  std::optional<LogFormat> found;
  std::size_t seen = 0;
  std::vector<dataset::BadLine> bad;
  while (!found && !content.empty() && seen < kLinesToLookAt) {
    const std::size_t end = std::min(content.find('\n'), content.size() - 1) + 1;
    for_each_line(content.substr(0, end), bad, [&](std::uint64_t, std::string_view line) { found = format_of(line); });
    content.remove_prefix(end);
    ++seen;
  }
  return found;
}

Result<LogRows> read_log(const std::string& name, std::string_view content, const SaltedHash& hash,
                         const ReadOptions& options) {
  const auto format = options.format ? options.format : detect_format(content);
  if (!format) return Error{ErrorCode::invalid_argument, say(Msg::learn_unknown_format, name)};
  if (*format == LogFormat::requests) return read_requests_file(content);
  if (*format == LogFormat::access) return read_access_log(content);
  return read_openai_log(content, hash, options.session_field);
}

}  // namespace scoville::workload
