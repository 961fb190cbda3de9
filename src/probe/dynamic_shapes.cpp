#include "probe/dynamic_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/rng.hpp"

namespace scoville::probe {
namespace {

constexpr std::size_t kLeastLengths = 8;
constexpr double kLeastRatio = 1.5;  // below that a new length is no event
constexpr double kMostLimit = 3;     // above that scatter hides compilations
constexpr double kDeviations = 5;    // of log-normal scatter: one of 20 lengths by chance in some ten thousand runs
constexpr double kNearlyAll = 0.75;
constexpr std::ptrdiff_t kMostUnpaid = 2;  // the lengths that a warm-up and a tokenizer's check may have had

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double number_in(const json::object& row, std::string_view key) {
  const json::value* const value = row.if_contains(key);
  return value && value->is_number() ? std::max(0.0, value->to_number<double>()) : 0;
}

double known(const LengthTimes& times) { return std::sqrt(times.second * times.third); }

/// Relative scatter of one time. The logarithm of third ÷ second has √2 of it; the median distance from its middle is
/// 0.6745 of its deviation and does not mind a few pauses.
double scatter_of(const std::vector<LengthTimes>& times) {
  std::vector<double> logs, amounts;
  for (const LengthTimes& each : times) logs.push_back(std::log(each.third / each.second));
  const double center = median_of(logs);  // a whole pass may have been slower: that is no scatter
  for (const double each : logs) amounts.push_back(std::abs(each - center));
  return median_of(std::move(amounts)) / 0.6745 / std::sqrt(2.0);
}

/// Places of the lengths, shortest first.
std::vector<std::size_t> by_length(const std::vector<LengthTimes>& times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return times[i].length; });
  return order;
}

/// Cuts the lengths into runs of neighbours that one of them paid for: the one seen first. A place in `times` is the
/// moment at which a length was seen.
class Cutting {
 public:
  Cutting(const std::vector<LengthTimes>& times, const std::vector<bool>& pays)
      : times_(times), pays_(pays), order_(by_length(times)) {}

  std::vector<Bucket> run() {
    std::optional<std::size_t> before;  // the payer below
    std::size_t from = 0;               // the first place that no bucket has yet
    for (std::size_t payer = 0; payer < order_.size(); ++payer) {
      if (!pays_[order_[payer]]) continue;
      from = close(from, before, payer, payer);
      before = payer;
    }
    close(from, before, std::nullopt, order_.size());
    return std::move(buckets_);
  }

 private:
  double length(std::size_t place) const { return static_cast<double>(times_[order_[place]].length); }
  bool is_seen_after(std::size_t place, std::size_t payer) const { return order_[place] > order_[payer]; }

  /// Ends the bucket of `below` somewhere before place `end`, where `above` stands. Returns where that of `above`
  /// begins. Between the two, what both can have paid for goes to the nearer one; what neither can was paid for
  /// earlier.
  std::size_t close(std::size_t from, std::optional<std::size_t> below, std::optional<std::size_t> above,
                    std::size_t end) {
    std::size_t most = below ? *below + 1 : from, least = end;
    while (below && most < end && is_seen_after(most, *below)) ++most;
    while (above && least > from && (!below || least > *below + 1) && is_seen_after(least - 1, *above)) --least;
    std::size_t ends = most, begins = least;
    if (below && above && most >= least) {
      ends = least;
      while (ends < most && length(ends) * length(ends) < length(*below) * length(*above)) ++ends;
      begins = ends;
    }
    if (below) add(from, ends, below);
    if (begins > ends) add(ends, begins, std::nullopt);
    return begins;
  }
  void add(std::size_t from, std::size_t end, std::optional<std::size_t> payer) {
    const auto at = [&](std::size_t place) { return times_[order_[place]].length; };
    buckets_.push_back({at(from), at(end - 1), payer ? std::optional(at(*payer)) : std::nullopt});
  }

  const std::vector<LengthTimes>& times_;
  const std::vector<bool>& pays_;
  std::vector<std::size_t> order_;
  std::vector<Bucket> buckets_;
};

}  // namespace

std::string_view name_of(ShapeVerdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"free", "bucketed", "recompiles", "cannot_tell"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(ShapeDoubt doubt) {
  constexpr std::array<std::string_view, 4> kNames{"none", "too_few_lengths", "too_noisy", "irregular"};
  return kNames[static_cast<std::size_t>(doubt)];
}

ShapeFinding judge_shapes(const std::vector<LengthTimes>& times) {
  ShapeFinding finding;
  const auto doubt = [&](ShapeDoubt why) {
    finding.doubt = why;
    return finding;
  };
  const bool has_all =
      std::ranges::all_of(times, [](const LengthTimes& t) { return t.first > 0 && t.second > 0 && t.third > 0; });
  if (times.size() < kLeastLengths || !has_all) return doubt(ShapeDoubt::too_few_lengths);
  finding.scatter = scatter_of(times);
  // first ÷ known has the scatter of one time and of the mean of two: √1.5 of it.
  finding.limit = std::max(kLeastRatio, std::exp(kDeviations * std::sqrt(1.5) * finding.scatter));
  std::vector<double> surcharges;
  for (const LengthTimes& each : times) {
    finding.ratios.push_back(each.first / known(each));
    finding.pays.push_back(finding.ratios.back() > finding.limit);
    if (finding.pays.back()) surcharges.push_back(each.first - known(each));
  }
  finding.median_ratio = median_of(finding.ratios);
  if (!surcharges.empty()) finding.surcharge = median_of(surcharges);
  const auto share = static_cast<double>(surcharges.size()) / static_cast<double>(times.size());
  if (share >= kNearlyAll) {
    finding.verdict = ShapeVerdict::recompiles;
    return finding;
  }
  if (finding.limit > kMostLimit) return doubt(ShapeDoubt::too_noisy);
  if (surcharges.size() <= 1) {  // one alone may be a pause of the machine
    finding.verdict = ShapeVerdict::free_of_charge;
    return finding;
  }
  if (surcharges.size() == 2) return doubt(ShapeDoubt::irregular);  // two pauses look like two buckets
  finding.buckets = Cutting(times, finding.pays).run();
  const auto unpaid = std::ranges::count_if(finding.buckets, [](const Bucket& each) { return !each.payer; });
  if (unpaid > kMostUnpaid) return doubt(ShapeDoubt::irregular);
  finding.verdict = ShapeVerdict::bucketed;
  return finding;
}

std::vector<LengthTimes> read_length_times(const std::vector<json::object>& rows) {
  std::vector<LengthTimes> times;
  for (const json::object& row : rows) {
    const double pass = number_in(row, "pass"), first = number_in(row, "first_ns");
    const auto length = static_cast<std::size_t>(number_in(row, "length"));
    if (pass == 1) {
      times.push_back({length, first, 0, 0});
      continue;
    }
    const auto found = std::ranges::find(times, length, &LengthTimes::length);
    if (found == times.end()) continue;
    if (pass == 2) {
      found->second = first;
      found->third = number_in(row, "steady_ns");
    } else if (pass == 3) {
      found->third = first;
    }
  }
  return times;
}

std::vector<std::size_t> unseen_lengths(std::size_t count, std::size_t least, std::size_t most, std::uint64_t seed) {
  Rng rng(seed);
  std::set<std::size_t> chosen;
  const std::size_t pairs = (count + 1) / 2;
  const double span = std::log(static_cast<double>(most) / static_cast<double>(least));
  for (std::size_t i = 0; i < pairs; ++i) {
    const double at = (static_cast<double>(i) + 0.1 + 0.8 * rng.uniform()) / static_cast<double>(pairs);
    const auto length = static_cast<std::size_t>(static_cast<double>(least) * std::exp(span * at));
    for (const std::size_t each : {length, length + 1}) {
      if (each >= least && each <= most && chosen.size() < count) chosen.insert(each);
    }
  }
  for (std::size_t length = least; length <= most && chosen.size() < count; ++length) chosen.insert(length);
  std::vector<std::size_t> lengths(chosen.begin(), chosen.end());
  for (std::size_t i = lengths.size(); i > 1; --i) std::swap(lengths[i - 1], lengths[rng.below(i)]);
  return lengths;
}

}  // namespace scoville::probe
