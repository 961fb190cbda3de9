#include "trace/read.hpp"

#include <fmt/format.h>

#include "text/catalogue/trace.hpp"
#include "trace/ascend_csv.hpp"
#include "trace/collector.hpp"
#include "trace/event_stream.hpp"

namespace scoville::trace {
namespace {

constexpr std::size_t kHead = 4096;

/// The first bytes of the (unpacked) file.
Result<std::string> head_of(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) return source.error();
  std::string head(kHead, '\0');
  std::size_t had = 0;
  while (had < kHead) {
    Result<std::size_t> got = (*source)->read(head.data() + had, kHead - had);
    if (!got) return got.error();
    if (*got == 0) break;
    had += *got;
  }
  head.resize(had);
  return head;
}

std::string_view first_line(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  return head.substr(0, head.find('\n'));
}

}  // namespace

Result<OperatorTable> read_operators(const std::string& path, const Rules& rules) {
  Result<std::string> head = head_of(path);
  if (!head) return head.error();
  if (head->empty()) {
    return Error{ErrorCode::invalid_argument, fmt::format("{}: {}", path, text::say(text::TraceMsg::trace_empty))};
  }
  if (EventStream::looks_like_one(*head)) return read_trace(path, rules);
  if (is_ascend_head(first_line(*head))) return read_ascend_csv(path, rules);
  if (head->find('\0') != std::string::npos) {
    return Error{ErrorCode::invalid_argument, fmt::format("{}: {}", path, text::say(text::TraceMsg::trace_binary))};
  }
  return read_engine_log(path);
}

}  // namespace scoville::trace
