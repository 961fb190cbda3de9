#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// For tests: a tokenizer whose rule is known, so that the right answer can be worked out by hand.
class FakeTokenizer : public TokenCounter {
 public:
  using Cost = std::function<std::int64_t(std::string_view word)>;

  /// `fixed`: template and BOS. `cost`: tokens of one word, the first one too; by default one.
  explicit FakeTokenizer(std::int64_t fixed, Cost cost = {}) : fixed_(fixed), cost_(std::move(cost)) {}

  Result<std::int64_t> count(const std::string& prompt) override {
    ++calls;
    std::int64_t tokens = fixed_;
    std::string_view rest = prompt;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      tokens += cost_ ? cost_(word) : 1;
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    if (tokens > context) return Error{ErrorCode::unsupported, "too long"};
    return tokens;
  }
  std::string name() const override { return "fake"; }
  bool is_whole_request() const override { return sees_template; }
  int max_probes() const override { return probes; }

  int calls = 0;
  int probes = 40;
  bool sees_template = true;
  std::int64_t context = 1'000'000;

 private:
  std::int64_t fixed_;
  Cost cost_;
};

}  // namespace scoville::dataset
