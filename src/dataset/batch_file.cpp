#include "dataset/batch_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kUrls{"/v1/chat/completions", "/v1/completions", "/v1/embeddings",
                                                "/v1/responses"};

std::string_view first_line(std::string_view content) {
  for (;;) {
    const std::string_view line = content.substr(0, content.find('\n'));
    if (line.find_first_not_of(" \t\r\xEF\xBB\xBF") != std::string_view::npos || line.size() == content.size())
      return line;
    content.remove_prefix(line.size() + 1);
  }
}

/// The three members that a row must have; null where it has not.
struct RowParts {
  const json::string* custom_id = nullptr;
  const json::string* url = nullptr;
  const json::object* body = nullptr;
  bool is_whole() const { return custom_id && url && body; }
};

RowParts parts_of(const json::value& value) {
  RowParts parts;
  const json::object* const row = value.if_object();
  if (!row) return parts;
  if (const json::value* const id = row->if_contains("custom_id")) parts.custom_id = id->if_string();
  if (const json::value* const url = row->if_contains("url")) parts.url = url->if_string();
  if (const json::value* const body = row->if_contains("body")) parts.body = body->if_object();
  return parts;
}

std::uint32_t limit_of(const json::object& body) {
  for (const char* name : {"max_completion_tokens", "max_tokens", "max_output_tokens"}) {
    const json::value* const value = body.if_contains(name);
    json::error_code fault;
    if (!value || value->is_null()) continue;
    const auto limit = value->to_number<std::uint32_t>(fault);
    if (!fault) return limit;
  }
  return 0;
}

}  // namespace

bool looks_like_batch(std::string_view content) {
  json::error_code fault;
  std::string_view line = first_line(content);
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  const json::value value = json::parse(line, fault);
  return !fault && parts_of(value).is_whole();
}

Result<BatchPrompts> BatchPrompts::parse(std::string name, std::string_view content) {
  BatchPrompts out;
  out.name_ = std::move(name);
  out.hash_ = hash_bytes("batch 1");
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  std::unordered_map<std::string, std::uint64_t> lines;  // by custom_id
  for (std::uint64_t number = 1; !content.empty(); ++number) {
    const std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto refuse = [&](std::string reason) { out.bad_.push_back({number, std::nullopt, std::move(reason)}); };
    if (const auto offset = first_invalid_utf8(line)) {
      out.bad_.push_back({number, *offset, say(Msg::jsonl_not_utf8, *offset)});
      continue;
    }
    json::error_code fault;
    const json::value value = json::parse(line, fault);
    if (fault) {
      refuse(say(Msg::jsonl_not_json, fault.message()));
      continue;
    }
    const RowParts parts = parts_of(value);
    if (!parts.is_whole()) {
      refuse(say(Msg::batch_line_not_object));
      continue;
    }
    const std::string url(*parts.url), id(*parts.custom_id);
    if (out.url_.empty()) {
      if (std::find(kUrls.begin(), kUrls.end(), url) == kUrls.end())
        return Error{ErrorCode::invalid_argument, say(Msg::batch_unknown_url, out.name_, number, url)};
      out.url_ = url;
      if (const json::value* const model = parts.body->if_contains("model"); model && model->is_string())
        out.model_ = std::string(model->as_string());
    }
    if (url != out.url_) {
      refuse(say(Msg::batch_other_url, url, out.url_));
      continue;
    }
    if (const auto [place, is_new] = lines.emplace(id, number); !is_new) {
      refuse(say(Msg::batch_duplicate_id, id, place->second));
      continue;
    }
    out.rows_.push_back({id, json::serialize(*parts.body), limit_of(*parts.body)});
    out.hash_ = hash_bytes(out.rows_.back().body, out.hash_);
  }
  if (!out.rows_.empty()) return out;
  const std::string reason =
      out.bad_.empty() ? say(Msg::jsonl_no_line) : say(Msg::jsonl_line, out.bad_[0].line, out.bad_[0].reason);
  return Error{ErrorCode::invalid_argument, say(Msg::batch_unusable, out.name_, reason)};
}

Prompt BatchPrompts::make(std::uint64_t index) const {
  const Row& row = rows_[index % rows_.size()];
  Prompt prompt;
  prompt.body_json = row.body;
  prompt.max_tokens = row.max_tokens;
  prompt.hash = hash_bytes(row.body);
  return prompt;
}

text::Phrase BatchPrompts::describe() const { return text::phrase(Msg::batch_prompts, rows_.size(), name_); }

std::vector<Warning> BatchPrompts::warnings() const {
  if (bad_.empty()) return {};
  std::string lines;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, bad_.size()); ++i)
    lines += fmt::format("{}{}", i ? ", " : "", bad_[i].line);
  if (bad_.size() > 5) lines += ", …";
  return {make_warning("batch_lines_unusable", Msg::batch_lines_unusable, name_, bad_.size(), lines, bad_[0].line,
                       bad_[0].reason)};
}

}  // namespace scoville::dataset
