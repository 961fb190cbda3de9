#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dataset/jsonl_rows.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/warning.hpp"

namespace scoville::dataset {

/// The rows of an OpenAI batch file, one request each, with the body that the row gives:
/// {"custom_id": "…", "method": "POST", "url": "/v1/chat/completions", "body": {…}}.
///
/// A job has one url: rows with another one are left out and named, as are rows whose custom_id came before.
class BatchPrompts final : public PromptSource {
 public:
  static Result<BatchPrompts> parse(std::string name, std::string_view content);

  Prompt make(std::uint64_t index) const override;
  text::Phrase describe() const override;
  std::uint64_t dataset_hash() const override { return hash_; }
  std::optional<std::uint64_t> size() const override { return rows_.size(); }
  /// Its users wrote them: what is alike in them is part of the load.
  bool shares_prefixes() const override { return true; }

  /// In an order drawn by `seed`.
  void shuffle(std::uint64_t seed);
  const std::string& url() const { return url_; }
  /// That the first row asks for; empty: none.
  const std::string& model() const { return model_; }
  /// That row `index` asks for; empty: none.
  const std::string& model_of(std::uint64_t index) const { return rows_[index % rows_.size()].model; }
  const std::string& custom_id(std::uint64_t index) const { return rows_[index % rows_.size()].custom_id; }
  /// What was left out.
  std::vector<Warning> warnings() const;
  const std::vector<BadLine>& bad_lines() const { return bad_; }

 private:
  struct Row {
    std::string custom_id, body, model;
    std::uint32_t max_tokens = 0;
  };

  BatchPrompts() = default;

  std::string name_, url_, model_;
  std::vector<Row> rows_;
  std::vector<BadLine> bad_;
  std::uint64_t hash_ = 0;
};

}  // namespace scoville::dataset
