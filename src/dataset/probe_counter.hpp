#pragma once

#include <functional>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// Counts by real requests: one generation of a single token, whose usage.prompt_tokens is the answer. Right for every
/// server that reports usage, and slow, so few are spent; vocabulary().first(128) keeps them short, too. The request
/// itself belongs to the caller.
class ProbeCounter : public TokenCounter {
 public:
  using Generate = std::function<Result<std::int64_t>(const std::string& prompt)>;

  explicit ProbeCounter(Generate generate) : generate_(std::move(generate)) {}

  Result<std::int64_t> count(const std::string& prompt) override { return generate_(prompt); }
  std::string name() const override { return "usage.prompt_tokens"; }
  int max_probes() const override { return 12; }

 private:
  Generate generate_;
};

}  // namespace scoville::dataset
