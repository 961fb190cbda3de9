#include "numerics/logits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"

namespace scoville::numerics {
namespace {

constexpr std::size_t kTop = 5;

std::vector<double> log_softmax(std::span<const double> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const double each : row) sum += std::exp(each - largest);
  const double log_sum = largest + std::log(sum);
  std::vector<double> out(row.begin(), row.end());
  for (double& each : out) each -= log_sum;
  return out;
}

/// Most likely first; of equals the smaller id.
std::vector<std::size_t> most_likely(std::span<const double> row) {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto kept = static_cast<std::ptrdiff_t>(std::min(kTop, row.size()));
  std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                    [&](std::size_t a, std::size_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
  order.resize(static_cast<std::size_t>(kept));
  return order;
}

double divergence(std::span<const double> log_p, std::span<const double> log_q) {
  double kl = 0;
  for (std::size_t i = 0; i < log_p.size(); ++i) kl += std::exp(log_p[i]) * (log_p[i] - log_q[i]);
  return std::max(0.0, kl);
}

bool is_finite(std::span<const double> row) {
  return std::all_of(row.begin(), row.end(), [](double each) { return std::isfinite(each); });
}

}  // namespace

std::optional<double> LogitAgreement::perplexity_change() const {
  if (!perplexity_reference || !perplexity_test) return std::nullopt;
  return *perplexity_test / *perplexity_reference - 1;
}

void LogitComparison::add(const LogitRows& reference, const LogitRows& test, std::span<const std::int64_t> tokens) {
  SCOVILLE_CHECK(reference.vocabulary == test.vocabulary && reference.values.size() == test.values.size(),
                 "logits of one shape");
  const std::size_t width = reference.vocabulary;
  for (std::size_t i = 0; i < reference.positions(); ++i) {
    std::optional<std::int64_t> next;
    if (i + 1 < tokens.size()) next = tokens[i + 1];
    add_position(reference.values.subspan(i * width, width), test.values.subspan(i * width, width), next);
  }
}

void LogitComparison::add_position(std::span<const double> reference, std::span<const double> test,
                                   std::optional<std::int64_t> next) {
  if (!is_finite(reference) || !is_finite(test)) {  // agrees with nothing
    kl_.push_back(HUGE_VAL);
    return;
  }
  const std::vector<std::size_t> ours = most_likely(reference), theirs = most_likely(test);
  same_top1_ += ours.front() == theirs.front();
  std::size_t common = 0;
  for (const std::size_t each : ours) common += std::find(theirs.begin(), theirs.end(), each) != theirs.end();
  same_top5_ += static_cast<double>(common) / static_cast<double>(ours.size());
  const std::vector<double> log_p = log_softmax(reference), log_q = log_softmax(test);
  kl_.push_back(divergence(log_p, log_q));
  if (!next || *next < 0 || static_cast<std::size_t>(*next) >= log_p.size()) return;
  ++predicted_;
  reference_nll_ -= log_p[static_cast<std::size_t>(*next)];
  test_nll_ -= log_q[static_cast<std::size_t>(*next)];
}

std::optional<LogitAgreement> LogitComparison::result() const {
  if (kl_.empty()) return std::nullopt;
  LogitAgreement out;
  const auto n = static_cast<double>(kl_.size());
  out.positions = kl_.size();
  out.top1 = same_top1_ / n;
  out.top5 = same_top5_ / n;
  out.mean_kl = std::accumulate(kl_.begin(), kl_.end(), 0.0) / n;
  std::vector<double> sorted = kl_;
  std::sort(sorted.begin(), sorted.end());
  out.p99_kl = sorted[static_cast<std::size_t>(std::ceil(0.99 * n)) - 1];
  if (predicted_ > 0) {
    out.perplexity_reference = std::exp(reference_nll_ / static_cast<double>(predicted_));
    out.perplexity_test = std::exp(test_nll_ / static_cast<double>(predicted_));
  }
  return out;
}

std::size_t match_length(std::span<const std::int64_t> reference, std::span<const std::int64_t> test) {
  const std::size_t most = std::min(reference.size(), test.size());
  std::size_t length = 0;
  while (length < most && reference[length] == test[length]) ++length;
  return length;
}

}  // namespace scoville::numerics
