#include "stats/goodput.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scoville::stats {
namespace {

enum class Kept { yes, no, unknown };

Kept is_kept(std::optional<double> time, std::optional<double> limit) {
  if (!limit) return Kept::yes;
  if (!time || std::isnan(*time) || std::isnan(*limit)) return Kept::unknown;
  return *time <= *limit ? Kept::yes : Kept::no;
}

}  // namespace

bool is_good(const Attempt& attempt, const ServiceLimits& limits) {
  return attempt.ok && is_kept(attempt.ttft, limits.ttft) == Kept::yes &&
         is_kept(attempt.tpot, limits.tpot) == Kept::yes && is_kept(attempt.e2e, limits.e2e) == Kept::yes;
}

std::optional<Goodput> measure_goodput(std::span<const Attempt> attempts, const ServiceLimits& limits, double seconds) {
  if (attempts.empty() || !(seconds > 0) || !std::isfinite(seconds)) return std::nullopt;
  Goodput result;
  result.attempted = attempts.size();
  for (const Attempt& attempt : attempts) {
    const std::array kept{is_kept(attempt.ttft, limits.ttft), is_kept(attempt.tpot, limits.tpot),
                          is_kept(attempt.e2e, limits.e2e)};
    const auto any = [&](Kept answer) { return std::ranges::find(kept, answer) != kept.end(); };
    ++(!attempt.ok          ? result.failed
       : any(Kept::no)      ? result.missed
       : any(Kept::unknown) ? result.unmeasured
                            : result.good);
  }
  const auto good = static_cast<double>(result.good);
  result.attainment = good / static_cast<double>(result.attempted);
  result.goodput = good / seconds;
  result.throughput = static_cast<double>(result.attempted - result.failed) / seconds;
  return result;
}

}  // namespace scoville::stats
