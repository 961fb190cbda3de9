#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scoville::numerics {

/// One sequence's logits, position after position.
struct LogitRows {
  std::span<const double> values;  ///< positions × vocabulary
  std::size_t vocabulary = 0;
  std::size_t positions() const { return vocabulary ? values.size() / vocabulary : 0; }
};

/// How far apart the answers of two models are. Means go over all positions added.
struct LogitAgreement {
  std::size_t positions = 0;
  double top1 = 0;                 ///< share of positions with the same most likely token
  double top5 = 0;                 ///< mean share of the reference's five most likely tokens that are among the other's
  double mean_kl = 0, p99_kl = 0;  ///< KL(reference ‖ test) in nats, from log-softmax; p99 by nearest rank
  /// Of the tokens that followed, by each model's own probabilities; empty where no token followed.
  std::optional<double> perplexity_reference, perplexity_test;
  std::optional<double> perplexity_change() const;  ///< test ÷ reference − 1
};

/// Takes sequences one by one, as they do not fit into memory together.
class LogitComparison {
 public:
  /// `tokens`: the sequence's own; position i predicts tokens[i + 1]. Precondition: rows of one shape.
  void add(const LogitRows& reference, const LogitRows& test, std::span<const std::int64_t> tokens);
  /// Empty before the first position.
  std::optional<LogitAgreement> result() const;

 private:
  void add_position(std::span<const double> reference, std::span<const double> test, std::optional<std::int64_t> next);

  std::vector<double> kl_;
  double same_top1_ = 0, same_top5_ = 0, reference_nll_ = 0, test_nll_ = 0;
  std::size_t predicted_ = 0;
};

/// How many tokens from the first are the same.
std::size_t match_length(std::span<const std::int64_t> reference, std::span<const std::int64_t> test);

}  // namespace scoville::numerics
