#include "model/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"

namespace scoville::torch_probe::model {
namespace {

/// Set apart from other uses of the same seed.
constexpr std::uint64_t kStream = 0x73616d706c65;

}  // namespace

void Sampler::collect(std::span<const float> logits, std::span<const std::int64_t> forbidden) {
  candidates_.clear();
  const auto add = [&](std::int64_t id) {
    const float logit = logits[static_cast<std::size_t>(id)];
    if (std::find(forbidden.begin(), forbidden.end(), id) != forbidden.end() || !std::isfinite(logit)) return;
    candidates_.push_back({id, logit});
  };
  if (allowed_.empty()) {
    for (std::size_t id = 0; id < logits.size(); ++id) add(static_cast<std::int64_t>(id));
  } else {
    for (const std::int64_t id : allowed_) add(id);
  }
}

std::int64_t Sampler::draw(std::uint64_t index) {
  // By weight, the lower id first among equals: the same order on every machine.
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  });
  const double highest = candidates_.front().weight;
  double total = 0;
  for (Candidate& each : candidates_) {
    each.weight = std::exp((each.weight - highest) / how_.temperature);
    total += each.weight;
  }
  double kept = 0;
  std::size_t count = 0;
  while (count < candidates_.size() && (count == 0 || kept < how_.top_p * total)) kept += candidates_[count++].weight;
  double left = Rng(how_.seed, kStream, index).uniform() * kept;
  for (std::size_t i = 0; i < count; ++i) {
    left -= candidates_[i].weight;
    if (left < 0) return candidates_[i].id;
  }
  return candidates_[count - 1].id;
}

std::int64_t Sampler::choose(std::span<const float> logits, std::span<const std::int64_t> forbidden,
                             std::uint64_t index) {
  collect(logits, forbidden);
  if (candidates_.empty()) return allowed_.empty() ? 0 : allowed_.front();  // nothing but NaN: a broken device
  if (how_.temperature > 0) return draw(index);
  const auto likeliest = std::max_element(candidates_.begin(), candidates_.end(),
                                          [](const Candidate& a, const Candidate& b) { return a.weight < b.weight; });
  return likeliest->id;
}

}  // namespace scoville::torch_probe::model
