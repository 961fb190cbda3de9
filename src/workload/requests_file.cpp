#include "workload/requests_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "workload/access_log.hpp"
#include "workload/log_lines.hpp"
#include "workload/prompt_reader.hpp"

namespace scoville::workload {
namespace {

using text::Msg;
using text::say;

json::array hex_list(const std::vector<std::uint64_t>& hashes) {
  json::array out;
  for (const std::uint64_t each : hashes) out.push_back(json::string(fmt::format("{:016x}", each)));
  return out;
}

template <class T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

/// Whole milliseconds would cut a TTFT: µs, written in ms.
json::value millis(const std::optional<Nanos>& span) {
  return span ? json::value(std::round(to_millis(*span) * 1e3) / 1e3) : json::value(nullptr);
}

/// Reads members with one note of the first that is not as it should be.
class Members {
 public:
  explicit Members(const json::object& object) : object_(object) {}

  /// Null and missing are the same.
  const json::value* find(std::string_view key) const {
    const json::value* const found = object_.if_contains(key);
    return found && !found->is_null() ? found : nullptr;
  }
  std::string text(std::string_view key) {
    const json::value* const found = find(key);
    if (!found) return "";
    if (!found->is_string()) return fail(key, "a text"), "";
    return std::string(found->as_string());
  }
  template <class T>
  std::optional<T> number(std::string_view key, T most) {
    const json::value* const found = find(key);
    if (!found) return std::nullopt;
    json::error_code fault;
    const double value = found->to_number<double>(fault);
    if (fault || !(value >= 0) || value > static_cast<double>(most)) return fail(key, "a number from 0"), std::nullopt;
    return static_cast<T>(value);
  }
  std::optional<std::uint32_t> count(std::string_view key) { return number<std::uint32_t>(key, UINT32_MAX); }
  std::optional<std::uint64_t> large(std::string_view key) { return number<std::uint64_t>(key, 1ull << 62); }
  std::optional<Nanos> span(std::string_view key, double unit_ns) {
    const auto value = number<double>(key, 9e18 / unit_ns);
    return value ? std::optional(Nanos(std::llround(*value * unit_ns))) : std::nullopt;
  }
  std::vector<std::uint64_t> hashes(std::string_view key) {
    std::vector<std::uint64_t> out;
    const json::value* const found = find(key);
    if (!found) return out;
    if (!found->is_array()) return fail(key, "a list of hashes"), out;
    for (const json::value& each : found->as_array()) {
      const auto value = hash_in(each);
      if (!value) return fail(key, "a list of hashes"), out;
      out.push_back(*value);
    }
    return out;
  }
  std::optional<std::uint64_t> hash(std::string_view key) {
    const json::value* const found = find(key);
    const auto value = found ? hash_in(*found) : std::nullopt;
    if (found && !value) fail(key, "a hash");
    return value;
  }
  std::vector<std::uint32_t> counts(std::string_view key) {
    std::vector<std::uint32_t> out;
    const json::value* const found = find(key);
    if (!found) return out;
    if (!found->is_array()) return fail(key, "a list of numbers"), out;
    for (const json::value& each : found->as_array()) {
      json::error_code fault;
      out.push_back(each.to_number<std::uint32_t>(fault));
      if (fault) return fail(key, "a list of numbers"), out;
    }
    return out;
  }

  void fail(std::string_view key, std::string_view expected) {
    if (fault_.empty()) fault_ = say(Msg::log_bad_field, key, expected);
  }
  const std::string& fault() const { return fault_; }

 private:
  static std::optional<std::uint64_t> hash_in(const json::value& from) {
    const std::string_view hex = from.is_string() ? std::string_view(from.as_string()) : std::string_view();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    if (hex.size() != 16 || error != std::errc() || end != hex.data() + 16) return std::nullopt;
    return value;
  }

  const json::object& object_;
  std::string fault_;
};

PromptShape read_shape(Members& from) {
  PromptShape shape;
  shape.roles = from.text("roles");
  shape.message_hashes = from.hashes("message_hashes");
  shape.message_chars = from.counts("message_chars");
  shape.prefix_hashes = from.hashes("prefix_hashes");
  shape.chars = from.large("prompt_chars").value_or(0);
  shape.other_parts = from.large("other_parts").value_or(0);
  const std::size_t messages = shape.message_hashes.size();
  if (shape.roles.size() != messages || shape.message_chars.size() != messages) {
    from.fail("message_hashes", "as many roles, hashes and lengths as messages");
  }
  return shape;
}

LoggedRequest read_row(Members& from) {
  LoggedRequest row;
  // A double holds seconds since 1970 to a quarter of a microsecond: what was written as whole ones is read as such.
  if (const auto at = from.span("at", 1e9)) row.at = std::chrono::round<std::chrono::microseconds>(*at);
  row.method = from.text("method");
  row.path = from.text("path");
  row.model = from.text("model");
  row.session = from.text("session");
  row.status = from.number<int>("status", 999);
  row.failure = from.text("failure");
  row.is_stream = from.find("stream") && from.find("stream")->is_bool() && from.find("stream")->as_bool();
  row.input_tokens = from.count("input_tokens");
  row.output_tokens = from.count("output_tokens");
  row.cached_tokens = from.count("cached_tokens");
  row.max_tokens = from.count("max_tokens");
  row.ttft = from.span("ttft_ms", 1e6);
  row.e2e = from.span("e2e_ms", 1e6);
  row.answer_chars = from.large("answer_chars");
  row.chunks = from.large("chunks");
  row.request_bytes = from.large("request_bytes");
  row.answer_bytes = from.large("answer_bytes");
  row.answer_hash = from.hash("answer_hash");
  if (from.find("message_hashes")) row.prompt = read_shape(from);
  return row;
}

}  // namespace

json::object to_json(const RecordingHead& head) {
  return {{"format", json::string(kRequestsFormat)},
          {"recording", head.recording},
          {"started", std::round(to_seconds(head.started) * 1e6) / 1e6},
          {"to", head.to},
          {"block_chars", kBlockChars},
          {"keeps_bodies", head.keeps_bodies},
          {"version", head.version}};
}

json::object to_json(const LoggedRequest& row) {
  json::object out{{"at", row.at ? json::value(std::round(to_seconds(*row.at) * 1e6) / 1e6) : json::value(nullptr)},
                   {"method", row.method},
                   {"path", row.path},
                   {"status", or_null(row.status)},
                   {"failure", text_or_null(row.failure)},
                   {"model", text_or_null(row.model)},
                   {"stream", row.is_stream},
                   {"input_tokens", or_null(row.input_tokens)},
                   {"output_tokens", or_null(row.output_tokens)},
                   {"cached_tokens", or_null(row.cached_tokens)},
                   {"max_tokens", or_null(row.max_tokens)},
                   {"ttft_ms", millis(row.ttft)},
                   {"e2e_ms", millis(row.e2e)},
                   {"chunks", or_null(row.chunks)},
                   {"answer_chars", or_null(row.answer_chars)},
                   {"request_bytes", or_null(row.request_bytes)},
                   {"answer_bytes", or_null(row.answer_bytes)},
                   {"session", text_or_null(row.session)}};
  if (row.answer_hash) out["answer_hash"] = json::string(fmt::format("{:016x}", *row.answer_hash));
  if (!row.prompt) return out;
  const PromptShape& shape = *row.prompt;
  out["prompt_chars"] = shape.chars;
  out["other_parts"] = shape.other_parts;
  out["roles"] = shape.roles;
  out["message_chars"] = json::value_from(shape.message_chars);
  out["message_hashes"] = hex_list(shape.message_hashes);
  out["prefix_hashes"] = hex_list(shape.prefix_hashes);
  return out;
}

LogRows read_requests_file(std::string_view content) {
  LogRows found;
  for_each_line(content, found.bad, [&](std::uint64_t number, std::string_view line) {
    const auto object = parse_object(line);
    if (!object) return found.bad.push_back({number, {}, say(Msg::log_not_json)});
    Members members(*object);
    if (members.find("format")) {
      const std::uint32_t block = members.count("block_chars").value_or(0);
      const bool is_ours = members.text("format") == kRequestsFormat;
      const bool differs = found.block_chars != 0 && block != found.block_chars;
      if (!is_ours || block == 0 || differs) {
        const std::string expected = fmt::format("{}", found.block_chars ? found.block_chars : kBlockChars);
        found.bad.push_back({number,
                             {},
                             say(Msg::log_bad_field, is_ours ? "block_chars" : "format",
                                 is_ours ? expected : std::string(kRequestsFormat))});
        return;
      }
      found.block_chars = block;
      return;
    }
    LoggedRequest row = read_row(members);
    row.line = number;
    if (!members.fault().empty()) return found.bad.push_back({number, {}, members.fault()});
    if (row.path.empty() || !row.at) {
      return found.bad.push_back(
          {number, {}, say(Msg::log_bad_field, row.at ? "path" : "at", row.at ? "a path" : "a time")});
    }
    if (!is_text_path(row.method, row.path)) {
      ++found.skipped;
      return;
    }
    found.rows.push_back(std::move(row));
  });
  return found;
}

}  // namespace scoville::workload
