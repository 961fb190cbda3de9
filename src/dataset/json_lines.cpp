#include "dataset/json_lines.hpp"

#include <algorithm>
#include <cmath>

#include "dataset/length_distribution.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
using text::Msg;
using text::say;
namespace dom = simdjson::dom;

constexpr double kMostMillis = 9e12;  // 285 years: what Nanos can hold

Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

bool has(const dom::object& object, std::string_view key, dom::element& value) {
  return object[key].get(value) == SUCCESS && !value.is_null();
}

}  // namespace

std::string_view without_mark(std::string_view content) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
  return content;
}

void for_each_json_line(std::string_view content, std::vector<BadLine>& bad,
                        const std::function<Status(const JsonLine&)>& take) {
  content = without_mark(content);
  dom::parser parser;
  for (std::uint64_t number = 1; !content.empty(); ++number) {
    const std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (const auto offset = first_invalid_utf8(line)) {
      bad.push_back({number, *offset, say(Msg::jsonl_not_utf8, *offset)});
      continue;
    }
    const simdjson::padded_string characters(line);
    dom::element value;
    Status taken = Done{};
    if (const auto fault = parser.parse(characters).get(value); fault != SUCCESS) {
      taken = refuse(say(Msg::jsonl_not_json, simdjson::error_message(fault)));
    } else {
      taken = take({number, value, characters});
    }
    if (!taken) bad.push_back({number, std::nullopt, std::move(taken.error().message)});
  }
}

Result<dom::object> object_of(const dom::element& value) {
  dom::object object;
  if (value.get(object) != SUCCESS) return refuse(say(Msg::jsonl_not_an_object));
  return object;
}

Result<std::optional<std::uint32_t>> tokens_at(const dom::object& object, std::string_view key) {
  dom::element value;
  if (!has(object, key, value)) return std::optional<std::uint32_t>();
  std::uint64_t tokens = 0;
  if (value.get(tokens) != SUCCESS || tokens > LengthDistribution::kLongest) {
    return refuse(say(Msg::jsonl_not_a_count, key));
  }
  return std::optional<std::uint32_t>(static_cast<std::uint32_t>(tokens));
}

Result<std::uint32_t> needed_tokens(const dom::object& object, std::string_view key) {
  const auto tokens = tokens_at(object, key);
  if (!tokens || !*tokens) return refuse(say(Msg::rows_no_tokens, key));
  return **tokens;
}

Result<std::optional<Nanos>> millis_at(const dom::object& object, std::string_view key) {
  dom::element value;
  if (!has(object, key, value)) return std::optional<Nanos>();
  double millis = 0;
  if (value.get(millis) != SUCCESS || !(millis >= 0) || millis > kMostMillis) {
    return refuse(say(Msg::rows_no_time, key));
  }
  return std::optional<Nanos>(Nanos(std::llround(millis * 1e6)));
}

Result<std::vector<std::uint64_t>> numbers_at(const dom::object& object, std::string_view key) {
  std::vector<std::uint64_t> numbers;
  dom::element value;
  if (!has(object, key, value)) return numbers;
  dom::array list;
  if (value.get(list) != SUCCESS) return refuse(say(Msg::rows_bad_blocks, key));
  for (const dom::element each : list) {
    std::uint64_t number = 0;
    std::int64_t negative = 0;
    if (each.get(number) != SUCCESS) {
      if (each.get(negative) != SUCCESS) return refuse(say(Msg::rows_bad_blocks, key));
      number = static_cast<std::uint64_t>(negative);
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace scoville::dataset
