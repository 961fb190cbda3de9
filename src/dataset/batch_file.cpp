#include "dataset/batch_file.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "dataset/rows_report.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr std::uint64_t kShuffleStream = 0x62617463'68;
constexpr std::array<std::string_view, 4> kUrls{"/v1/chat/completions", "/v1/completions", "/v1/embeddings",
                                                "/v1/responses"};

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

std::string model_in(const json::object& body) {
  const json::value* const model = body.if_contains("model");
  return model && model->is_string() ? std::string(model->as_string()) : std::string();
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
      out.model_ = model_in(*parts.body);
    }
    if (url != out.url_) {
      refuse(say(Msg::batch_other_url, url, out.url_));
      continue;
    }
    if (const auto [place, is_new] = lines.emplace(id, number); !is_new) {
      refuse(say(Msg::batch_duplicate_id, id, place->second));
      continue;
    }
    out.rows_.push_back({id, json::serialize(*parts.body), model_in(*parts.body), limit_of(*parts.body)});
    out.hash_ = hash_bytes(out.rows_.back().body, out.hash_);
  }
  if (!out.rows_.empty()) return out;
  return unusable(out.name_, out.bad_);
}

Prompt BatchPrompts::make(std::uint64_t index) const {
  const Row& row = rows_[index % rows_.size()];
  Prompt prompt;
  prompt.body_json = row.body;
  prompt.max_tokens = row.max_tokens;
  prompt.hash = hash_bytes(row.body);
  return prompt;
}

void BatchPrompts::shuffle(std::uint64_t seed) {
  Rng rng(seed, kShuffleStream);
  for (std::size_t i = rows_.size(); i > 1; --i) std::swap(rows_[i - 1], rows_[rng.below(i)]);
}

text::Phrase BatchPrompts::describe() const { return text::phrase(Msg::batch_prompts, rows_.size(), name_); }

std::vector<Warning> BatchPrompts::warnings() const {
  if (auto left_out = left_out_warning(name_, bad_, rows_.size())) return {std::move(*left_out)};
  return {};
}

}  // namespace scoville::dataset
