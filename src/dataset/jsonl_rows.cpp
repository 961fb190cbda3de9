#include "dataset/jsonl_rows.hpp"

#include <simdjson.h>

#include "dataset/csv.hpp"
#include "dataset/json_lines.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
using text::Msg;
using text::say;
namespace dom = simdjson::dom;

Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

/// Reads lines; the lazy parser is reused.
class LineReader {
 public:
  explicit LineReader(RowNeeds needs) : needs_(needs) {}

  Result<JsonlRow> read(const JsonLine& line) {
    if (line.value.is_array() && needs_ == RowNeeds::prompt) return bare_messages(line);
    const auto object = object_of(line.value);
    if (!object) return object.error();
    JsonlRow row;
    row.line = line.number;
    if (Status lengths = read_lengths(*object, row); !lengths) return std::move(lengths.error());
    if (needs_ == RowNeeds::lengths) {
      if (!row.prompt_tokens || !row.output_tokens) return refuse(say(Msg::jsonl_no_lengths));
      return row;
    }
    if (dom::element content; has(*object, "content", content)) return with_content(line, content, std::move(row));
    return read_prompt(line, *object, std::move(row));
  }

 private:
  static bool has(const dom::object& object, std::string_view key, dom::element& value) {
    return object[key].get(value) == SUCCESS && !value.is_null();
  }

  Status read_lengths(const dom::object& object, JsonlRow& row) {
    auto prompt = tokens_at(object, "prompt_tokens");
    if (!prompt) return std::move(prompt.error());
    auto output = tokens_at(object, "output_tokens");
    if (output && !*output) output = tokens_at(object, "max_tokens");
    if (!output) return std::move(output.error());
    row.prompt_tokens = *prompt;
    row.output_tokens = *output;
    return Done{};
  }

  Result<JsonlRow> read_prompt(const JsonLine& line, const dom::object& object, JsonlRow row) {
    for (const std::string_view key : {"prompt", "text"}) {
      dom::element value;
      if (!has(object, key, value)) continue;
      std::string_view prompt;
      if (value.get(prompt) != SUCCESS) return refuse(say(Msg::jsonl_not_a_text, key));
      if (prompt.empty()) return refuse(say(Msg::jsonl_empty, key));
      row.text = prompt;
      if (Status images = read_images(object, row); !images) return std::move(images.error());
      return row;
    }
    dom::element messages;
    if (!has(object, "messages", messages)) return refuse(say(Msg::jsonl_no_prompt));
    if (Status fault = check_messages(messages); !fault) return std::move(fault.error());
    return raw_member(line, "messages", row.messages_json) ? Result<JsonlRow>(std::move(row))
                                                           : refuse(say(Msg::jsonl_not_a_list));
  }

  static Status read_images(const dom::object& object, JsonlRow& row) {
    dom::element value;
    if (!has(object, "image_files", value)) return Done{};
    dom::array list;
    if (value.get(list) != SUCCESS) return refuse(say(Msg::jsonl_bad_images));
    for (const dom::element each : list) {
      std::string_view path;
      if (each.get(path) != SUCCESS || path.empty()) return refuse(say(Msg::jsonl_bad_images));
      row.image_files.emplace_back(path);
    }
    return Done{};
  }

  static Status check_messages(const dom::element& messages) {
    dom::array list;
    if (messages.get(list) != SUCCESS) return refuse(say(Msg::jsonl_not_a_list));
    if (list.size() == 0) return refuse(say(Msg::jsonl_empty, "messages"));
    for (const dom::element message : list) {
      if (!message.is_object()) return refuse(say(Msg::jsonl_not_a_list));
    }
    return Done{};
  }

  Result<JsonlRow> with_content(const JsonLine& line, const dom::element& content, JsonlRow row) {
    dom::array parts;
    std::string raw;
    if (content.get(parts) != SUCCESS || parts.size() == 0 || !raw_member(line, "content", raw)) {
      return refuse(say(Msg::jsonl_bad_content));
    }
    row.messages_json = R"([{"role":"user","content":)" + raw + "}]";
    return row;
  }

  Result<JsonlRow> bare_messages(const JsonLine& line) {
    JsonlRow row;
    row.line = line.number;
    if (Status fault = check_messages(line.value); !fault) return std::move(fault.error());
    row.messages_json = trimmed(line.characters);
    return row;
  }

  /// The DOM keeps values, not characters: a second, lazy look finds the characters of a list. The line is known to be
  /// good.
  bool raw_member(const JsonLine& line, std::string_view key, std::string& out) {
    simdjson::ondemand::document document;
    simdjson::ondemand::array list;
    std::string_view raw;
    if (raw_parser_.iterate(line.characters).get(document) != SUCCESS || document[key].get(list) != SUCCESS ||
        list.raw_json().get(raw) != SUCCESS) {
      return false;
    }
    out = raw;
    return true;
  }

  RowNeeds needs_;
  simdjson::ondemand::parser raw_parser_;
};

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text)) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + length > text.size() || !simdjson::validate_utf8(text.substr(at, length))) return at;
    at += length;
  }
  return text.size();
}

JsonlRows parse_jsonl(std::string_view content, RowNeeds needs) {
  JsonlRows found;
  LineReader reader(needs);
  for_each_json_line(content, found.bad, [&](const JsonLine& line) -> Status {
    Result<JsonlRow> row = reader.read(line);
    if (!row) return std::move(row.error());
    found.rows.push_back(std::move(*row));
    return Done{};
  });
  return found;
}

ContextFit fit_context(std::span<const JsonlRow> rows, std::uint32_t limit) {
  ContextFit result;
  for (const JsonlRow& row : rows) {
    if (!row.prompt_tokens) continue;
    const std::uint64_t total = std::uint64_t{*row.prompt_tokens} + row.output_tokens.value_or(0);
    (total <= limit ? result.fit : result.dropped).push_back(row.line);
  }
  return result;
}

}  // namespace scoville::dataset
