#pragma once

#include <optional>

#include <array>
#include <string_view>

#include "analyse/latencies.hpp"
#include "plan/bench_plan.hpp"
#include "stats/goodput.hpp"
#include "stats/interval.hpp"

namespace scoville::analyse {

/// How the bounds of an attainment came about.
enum class AttainmentMethod {
  clopper_pearson,  ///< exact, for requests that do not follow each other
  batch_means,      ///< good and bad requests come in streaks: twenty batches in the order of issue
  none,             ///< streaks, and too few requests for batches: withheld
};
std::string_view name_of(AttainmentMethod method);

/// One application of so many calls, each under the limits; calls taken as independent (calls that queue behind each
/// other are worse).
struct FanOut {
  std::uint64_t calls = 0;
  double attainment = 0;           ///< share of applications in which all calls meet every limit
  std::optional<double> at_least;  ///< the same from the one-sided bound
  double each_needs = 0;           ///< of each call, for kFanOutTarget of the applications
};
inline constexpr double kFanOutTarget = 0.99;
inline constexpr std::array<std::uint64_t, 2> kFanOutCalls{10, 100};

/// Share of attempted requests that met every limit, with its interval, and good requests per second.
struct GoodputFigure {
  plan::Limits limits;
  stats::Goodput counts;
  AttainmentMethod method = AttainmentMethod::clopper_pearson;
  std::optional<double> effective_n;        ///< of good and not good in the order of issue; empty: all alike
  std::optional<stats::Interval> interval;  ///< 95 %
  std::optional<double> at_least;           ///< one-sided 95 % lower bound
  std::vector<FanOut> fan_out;              ///< one for each of kFanOutCalls
};

/// A request without TPOT because its answer had one token meets a TPOT limit: there was nothing to be slow. One whose
/// stream was collected on its way does not: its TPOT of 0 says nothing (latencies.hpp, is_streamed). `issuing` is how
/// long requests were issued for.
std::optional<GoodputFigure> goodput(const Records& records, const plan::Limits& limits, Nanos issuing);

}  // namespace scoville::analyse
