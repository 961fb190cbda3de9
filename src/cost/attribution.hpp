#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "cost/perf.hpp"

namespace scoville::cost {

/// How one bill is divided between input and output tokens. The same bill gives very different figures by method, so no
/// figure is shown without its method.
enum class Method {
  blended,           ///< M1: the bill ÷ all tokens
  full,              ///< M2: input and output carry all of it each; the two are never added
  accelerator_time,  ///< M3: by the accelerator-seconds that each takes
  price_weighted,    ///< M4: in the proportions of a price list
};
inline constexpr std::array<std::string_view, 4> kMethodNames{"blended", "full", "accelerator_time", "price_weighted"};

/// Million tokens of a year. `in` holds the cached ones.
struct Volumes {
  double out = 0, in = 0, cached = 0;
};

/// Money per million tokens, by what one counts.
struct PriceList {
  double in = 0, out = 0;
  std::optional<double> cached;  ///< of an input token that a cache knew; empty: as any other
};

/// Accelerator-seconds per token.
struct TimePerToken {
  double in = 0, out = 0;
};

/// α·in + β·out = 1 of each mix: the one solution of two, least squares of more. Empty for fewer, for mixes in one
/// proportion, and where one of the two would be negative: they were not measured at one point of work.
std::optional<TimePerToken> solve_mixes(std::span<const Mix> mixes);

/// The share of accelerator-seconds that input takes; empty where nothing says it.
std::optional<double> input_time_share(const Perf& perf, double in_per_s, double out_per_s);

/// Money per Mtok. Empty: the method cannot say it of this kind of token.
struct UnitCosts {
  std::optional<double> blended, in, cached, out;
};

struct AttributionInputs {
  std::optional<double> input_time_share;
  std::optional<PriceList> prices;
};

/// Empty where the method lacks what it needs.
std::optional<UnitCosts> unit_costs(Method method, double money, const Volumes& volumes, const AttributionInputs& by);

}  // namespace scoville::cost
