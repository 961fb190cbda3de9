#include "dataset/jsonl.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "base/file.hpp"
#include "base/rng.hpp"
#include "dataset/rows_report.hpp"
#include "dataset/transcript.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

/// A row as it is sent. An Error where this API cannot take it.
Result<Prompt> prompt_of(JsonlRow row, const JsonlOptions& options) {
  Prompt prompt;
  prompt.max_tokens = options.output_tokens.value_or(row.output_tokens.value_or(0));
  if (options.api == Api::completions && !row.messages_json.empty()) {
    Result<std::string> text = plain_text_of(row.messages_json);
    if (!text) return text.error();
    prompt.text = std::move(*text);
  } else {
    prompt.text = std::move(row.text);
    prompt.messages_json = std::move(row.messages_json);
  }
  prompt.hash = hash_bytes(prompt.messages_json.empty() ? prompt.text : prompt.messages_json);
  return prompt;
}

}  // namespace

Result<JsonlPrompts> JsonlPrompts::open(const std::string& path, std::optional<std::uint32_t> context_limit) {
  auto content = read_file(path);
  if (!content) return std::move(content.error());
  return parse(path, *content, context_limit);
}

Result<JsonlPrompts> JsonlPrompts::parse(std::string name, std::string_view content,
                                         std::optional<std::uint32_t> context_limit) {
  JsonlOptions options;
  options.context_limit = context_limit;
  return create(std::move(name), parse_jsonl(content), options);
}

Result<JsonlPrompts> JsonlPrompts::create(std::string name, JsonlRows rows, const JsonlOptions& options) {
  JsonlPrompts prompts;
  prompts.name_ = std::move(name);
  prompts.bad_ = std::move(rows.bad);
  if (options.output_tokens) {
    for (JsonlRow& row : rows.rows) row.output_tokens = options.output_tokens;
  }
  if (options.context_limit) {
    prompts.context_limit_ = *options.context_limit;
    prompts.dropped_ = fit_context(rows.rows, *options.context_limit).dropped;
  }
  const std::unordered_set<std::uint64_t> dropped(prompts.dropped_.begin(), prompts.dropped_.end());
  prompts.hash_ = hash_bytes("jsonl 1");
  for (JsonlRow& row : rows.rows) {
    if (dropped.contains(row.line)) continue;
    const std::uint64_t line = row.line;
    Result<Prompt> prompt = prompt_of(std::move(row), options);
    if (!prompt) {
      prompts.bad_.push_back({line, std::nullopt, std::move(prompt.error().message)});
      continue;
    }
    prompts.hash_ = hash_bytes(fmt::format("{:016x} {}\n", prompt->hash, prompt->max_tokens), prompts.hash_);
    prompts.prompts_.push_back(std::move(*prompt));
  }
  if (!prompts.prompts_.empty()) return prompts;
  if (prompts.dropped_.empty()) return unusable(prompts.name_, prompts.bad_);
  return Error{ErrorCode::invalid_argument,
               say(Msg::jsonl_unusable, prompts.name_, say(Msg::jsonl_all_too_long, prompts.context_limit_))};
}

Prompt JsonlPrompts::make(std::uint64_t index) const { return prompts_[index % prompts_.size()]; }

text::Phrase JsonlPrompts::describe() const { return text::phrase(Msg::jsonl_prompts, prompts_.size(), name_); }

std::vector<Warning> JsonlPrompts::warnings() const {
  std::vector<Warning> found;
  if (auto left_out = left_out_warning(name_, bad_, prompts_.size())) found.push_back(std::move(*left_out));
  if (auto too_long = too_long_warning(name_, dropped_, context_limit_)) found.push_back(std::move(*too_long));
  return found;
}

}  // namespace scoville::dataset
