#include "dataset/jsonl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/rng.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

/// "1, 3, 17, …": enough to find the fault, never a screenful.
template <class Range, class Line>
std::string first_lines(const Range& range, Line line) {
  std::string list;
  std::size_t named = 0;
  for (const auto& item : range) {
    if (named == 5) return list + ", …";
    list += fmt::format("{}{}", named++ ? ", " : "", line(item));
  }
  return list;
}

}  // namespace

Result<JsonlPrompts> JsonlPrompts::open(const std::string& path, std::optional<std::uint32_t> context_limit) {
  auto content = read_file(path);
  if (!content) return std::move(content.error());
  return parse(path, *content, context_limit);
}

Result<JsonlPrompts> JsonlPrompts::parse(std::string name, std::string_view content,
                                         std::optional<std::uint32_t> context_limit) {
  JsonlRows file = parse_jsonl(content);
  JsonlPrompts prompts;
  prompts.name_ = std::move(name);
  prompts.bad_ = std::move(file.bad);
  if (context_limit) {
    prompts.context_limit_ = *context_limit;
    prompts.dropped_ = fit_context(file.rows, *context_limit).dropped;
  }
  prompts.hash_ = hash_bytes("jsonl 1");
  for (JsonlRow& row : file.rows) {
    if (std::binary_search(prompts.dropped_.begin(), prompts.dropped_.end(), row.line)) continue;
    Prompt prompt{std::move(row.text), std::move(row.messages_json), 0, row.output_tokens.value_or(0), 0, {}, {}};
    prompt.hash = hash_bytes(prompt.messages_json.empty() ? prompt.text : prompt.messages_json);
    prompts.hash_ = hash_bytes(fmt::format("{:016x} {}\n", prompt.hash, prompt.max_tokens), prompts.hash_);
    prompts.prompts_.push_back(std::move(prompt));
  }
  if (!prompts.prompts_.empty()) return prompts;

  std::string reason = say(Msg::jsonl_no_line);
  if (!prompts.bad_.empty()) reason = say(Msg::jsonl_line, prompts.bad_[0].line, prompts.bad_[0].reason);
  if (!prompts.dropped_.empty()) reason = say(Msg::jsonl_all_too_long, prompts.context_limit_);
  return Error{ErrorCode::invalid_argument, say(Msg::jsonl_unusable, prompts.name_, reason)};
}

Prompt JsonlPrompts::make(std::uint64_t index) const { return prompts_[index % prompts_.size()]; }

text::Phrase JsonlPrompts::describe() const { return text::phrase(Msg::jsonl_prompts, prompts_.size(), name_); }

std::vector<Warning> JsonlPrompts::warnings() const {
  std::vector<Warning> found;
  if (!bad_.empty()) {
    const auto lines = first_lines(bad_, [](const BadLine& bad) { return bad.line; });
    found.push_back(make_warning("jsonl_lines_unusable", Msg::jsonl_lines_unusable, name_, bad_.size(), lines,
                                 bad_[0].line, bad_[0].reason));
  }
  if (!dropped_.empty()) {
    const auto lines = first_lines(dropped_, [](std::uint64_t line) { return line; });
    found.push_back(
        make_warning("jsonl_lines_too_long", Msg::jsonl_lines_too_long, name_, dropped_.size(), lines, context_limit_));
  }
  return found;
}

}  // namespace scoville::dataset
