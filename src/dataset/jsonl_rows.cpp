#include "dataset/jsonl_rows.hpp"

#include <simdjson.h>

#include <algorithm>

#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
using text::Msg;
using text::say;
namespace dom = simdjson::dom;

/// Null counts as left out. An Error names the member that is there and is of no use.
Result<std::optional<std::uint32_t>> tokens_at(const dom::object& object, std::string_view key) {
  dom::element value;
  if (object[key].get(value) != SUCCESS || value.is_null()) return std::optional<std::uint32_t>();
  std::uint64_t tokens = 0;
  if (value.get(tokens) != SUCCESS || tokens > UINT32_MAX) {
    return Error{ErrorCode::invalid_argument, say(Msg::jsonl_not_a_count, key)};
  }
  return std::optional<std::uint32_t>(static_cast<std::uint32_t>(tokens));
}

/// Reads lines with one pair of reused parsers. The line has been found to be UTF-8.
class LineReader {
 public:
  explicit LineReader(RowNeeds needs) : needs_(needs) {}

  Result<JsonlRow> read(std::string_view line) {
    padded_ = simdjson::padded_string(line);
    dom::element element;
    if (const auto error = parser_.parse(padded_).get(element); error != SUCCESS) {
      return refuse(say(Msg::jsonl_not_json, simdjson::error_message(error)));
    }
    dom::object object;
    if (element.get(object) != SUCCESS) return refuse(say(Msg::jsonl_not_an_object));
    JsonlRow row;
    if (Status lengths = read_lengths(object, row); !lengths) return std::move(lengths.error());
    if (needs_ == RowNeeds::lengths) {
      if (!row.prompt_tokens || !row.output_tokens) return refuse(say(Msg::jsonl_no_lengths));
      return row;
    }
    return read_prompt(object, std::move(row));
  }

 private:
  static Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

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

  Result<JsonlRow> read_prompt(const dom::object& object, JsonlRow row) {
    for (const std::string_view key : {"prompt", "text"}) {
      dom::element value;
      if (object[key].get(value) != SUCCESS || value.is_null()) continue;
      std::string_view prompt;
      if (value.get(prompt) != SUCCESS) return refuse(say(Msg::jsonl_not_a_text, key));
      if (prompt.empty()) return refuse(say(Msg::jsonl_empty, key));
      row.text = prompt;
      return row;
    }
    dom::element messages;
    if (object["messages"].get(messages) != SUCCESS || messages.is_null()) return refuse(say(Msg::jsonl_no_prompt));
    dom::array list;
    if (messages.get(list) != SUCCESS) return refuse(say(Msg::jsonl_not_a_list));
    if (list.size() == 0) return refuse(say(Msg::jsonl_empty, "messages"));
    for (const dom::element message : list) {
      if (!message.is_object()) return refuse(say(Msg::jsonl_not_a_list));
    }
    return with_raw_messages(std::move(row));
  }

  /// The DOM keeps values, not characters: a second, lazy look finds the characters. The line is known to be good.
  Result<JsonlRow> with_raw_messages(JsonlRow row) {
    simdjson::ondemand::document document;
    simdjson::ondemand::array list;
    std::string_view raw;
    if (raw_parser_.iterate(padded_).get(document) != SUCCESS || document["messages"].get(list) != SUCCESS ||
        list.raw_json().get(raw) != SUCCESS) {
      return refuse(say(Msg::jsonl_not_a_list));
    }
    row.messages_json = raw;
    return row;
  }

  RowNeeds needs_;
  dom::parser parser_;
  simdjson::ondemand::parser raw_parser_;
  simdjson::padded_string padded_;
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
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
  JsonlRows found;
  LineReader reader(needs);
  for (std::uint64_t number = 1; !content.empty(); ++number) {
    std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (const auto offset = first_invalid_utf8(line)) {
      found.bad.push_back({number, *offset, say(Msg::jsonl_not_utf8, *offset)});
      continue;
    }
    auto row = reader.read(line);
    if (row) {
      row->line = number;
      found.rows.push_back(std::move(*row));
    } else {
      found.bad.push_back({number, std::nullopt, std::move(row.error().message)});
    }
  }
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
