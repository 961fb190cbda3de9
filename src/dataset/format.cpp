#include "dataset/format.hpp"

#include <algorithm>
#include <array>

#include "dataset/csv.hpp"
#include "dataset/json_lines.hpp"
#include "dataset/workload_file.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
namespace dom = simdjson::dom;

struct Name {
  Format format;
  std::string_view name;
};
constexpr std::array kNames{
    Name{Format::batch, "batch"},       Name{Format::custom, "custom"},     Name{Format::openai, "openai"},
    Name{Format::sharegpt, "sharegpt"}, Name{Format::mooncake, "mooncake"}, Name{Format::azure, "azure"},
    Name{Format::burstgpt, "burstgpt"}, Name{Format::lengths, "lengths"},   Name{Format::workload, "workload"}};
constexpr std::array kOthers{Name{Format::mooncake, "timed_trace"}, Name{Format::mooncake, "mooncake_trace"},
                             Name{Format::azure, "azure_trace"},    Name{Format::custom, "single_turn"},
                             Name{Format::custom, "custom_image"},  Name{Format::custom, "custom_mm"}};

constexpr std::size_t kLookedAt = 20;                        // lines
constexpr std::size_t kLongestHead = 4096;                   // bytes of a table's head
constexpr std::size_t kLongestFront = std::size_t{1} << 20;  // bytes of those lines together

std::optional<Format> format_of(const dom::object& object) {
  const auto has = [&](std::string_view key) {
    dom::element value;
    return object[key].get(value) == SUCCESS;
  };
  std::string_view text;
  if (object["format"].get(text) == SUCCESS && text == kWorkloadFormat) return Format::workload;
  if (has("custom_id") && has("body")) return Format::batch;
  if (has("conversations") || has("conversation")) return Format::sharegpt;
  if (has("timestamp") && has("input_length")) return Format::mooncake;
  if (has("prompt") || has("text") || has("content")) return Format::custom;
  if (has("messages")) return Format::openai;
  if (has("prompt_tokens") && (has("output_tokens") || has("max_tokens"))) return Format::lengths;
  return std::nullopt;
}

std::optional<Format> format_of(const dom::element& value) {
  dom::object object;
  if (value.get(object) == SUCCESS) return format_of(object);
  dom::array list;
  if (value.get(list) != SUCCESS || list.size() == 0 || list.at(0).get(object) != SUCCESS) return std::nullopt;
  dom::element role;
  if (object["role"].get(role) == SUCCESS) return Format::openai;
  return format_of(object) == Format::sharegpt ? std::optional(Format::sharegpt) : std::nullopt;
}

std::optional<Format> format_of_table(std::string_view content) {
  const std::string_view head = content.substr(0, content.find('\n'));
  if (head.size() > kLongestHead) return std::nullopt;
  CsvReader reader(head);
  if (!reader.next()) return std::nullopt;
  const auto has = [&](std::string_view name) { return column(reader.fields(), name).has_value(); };
  if (has("TIMESTAMP") && has("ContextTokens") && has("GeneratedTokens")) return Format::azure;
  if (has("Timestamp") && has("Request tokens") && has("Response tokens")) return Format::burstgpt;
  return std::nullopt;
}

/// The first lines that are not empty; none of a file that is all one huge line.
std::string_view front_of(std::string_view content) {
  content = content.size() > kLongestFront ? content.substr(0, content.rfind('\n', kLongestFront) + 1) : content;
  std::size_t at = 0, lines = 0;
  while (at < content.size() && lines < kLookedAt) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    lines += !trimmed(content.substr(at, end - at)).empty();
    at = std::min(content.size(), end + 1);
  }
  return content.substr(0, at);
}

}  // namespace

std::string_view name_of(Format format) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const Name& each) { return each.format == format; })->name;
}

std::optional<Format> format_from(std::string_view name) {
  for (const Name& each : kNames) {
    if (each.name == name) return each.format;
  }
  for (const Name& each : kOthers) {
    if (each.name == name) return each.format;
  }
  return std::nullopt;
}

std::string format_names() {
  std::string names;
  for (const Name& each : kNames) (names += names.empty() ? "" : ", ") += each.name;
  return names;
}

std::optional<Format> detect_format(std::string_view content) {
  content = without_mark(content);
  if (const auto table = format_of_table(content)) return table;
  std::optional<Format> found;
  std::vector<BadLine> ignored;
  for_each_json_line(front_of(content), ignored, [&](const JsonLine& line) -> Status {
    if (!found) found = format_of(line.value);
    return Done{};
  });
  if (found) return found;
  // A JSON array over several lines or all in one, as ShareGPT is spread: its first rows stand in the front.
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  const bool is_array = first != std::string_view::npos && content[first] == '[';
  const std::string_view front = content.substr(0, std::min<std::size_t>(content.size(), 1 << 16));
  if (is_array && front.find("\"conversations\"") != std::string_view::npos) return Format::sharegpt;
  return std::nullopt;
}

}  // namespace scoville::dataset
