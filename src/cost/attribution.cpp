#include "cost/attribution.hpp"

#include <cmath>

namespace scoville::cost {
namespace {

std::optional<double> per(double money, double mtok) {
  if (mtok <= 0) return std::nullopt;
  return money / mtok;
}

UnitCosts by_time(double money, const Volumes& volumes, double input_share) {
  return {per(money, volumes.in + volumes.out), per(money * input_share, volumes.in), std::nullopt,
          per(money * (1 - input_share), volumes.out)};
}

/// A cached token without a price of its own costs what any other input does.
UnitCosts by_prices(double money, const Volumes& volumes, const PriceList& prices) {
  const double kappa = prices.in / prices.out, kappa_cached = prices.cached.value_or(prices.in) / prices.out;
  const double equivalent = volumes.out + kappa * (volumes.in - volumes.cached) + kappa_cached * volumes.cached;
  UnitCosts out;
  out.blended = per(money, volumes.in + volumes.out);
  out.out = per(money, equivalent);
  if (!out.out) return out;
  out.in = kappa * *out.out;
  if (volumes.cached > 0) out.cached = kappa_cached * *out.out;
  return out;
}

}  // namespace

std::optional<TimePerToken> solve_mixes(std::span<const Mix> mixes) {
  if (mixes.size() < 2) return std::nullopt;
  double ii = 0, io = 0, oo = 0, i = 0, o = 0;  // the normal equations; of two mixes they have the exact solution
  for (const Mix& each : mixes) {
    ii += each.in_per_s * each.in_per_s;
    io += each.in_per_s * each.out_per_s;
    oo += each.out_per_s * each.out_per_s;
    i += each.in_per_s;
    o += each.out_per_s;
  }
  const double determinant = ii * oo - io * io;
  if (!(determinant > 1e-9 * ii * oo)) return std::nullopt;
  const TimePerToken out{(i * oo - o * io) / determinant, (o * ii - i * io) / determinant};
  if (out.in < 0 || out.out < 0) return std::nullopt;
  return out;
}

std::optional<double> input_time_share(const Perf& perf, double in_per_s, double out_per_s) {
  if (perf.prefill_share) return perf.prefill_share;
  std::optional<TimePerToken> times = solve_mixes(perf.mixes);
  if (!times && perf.phase_rates) times = TimePerToken{1 / perf.phase_rates->in_per_s, 1 / perf.phase_rates->out_per_s};
  if (!times) return std::nullopt;
  const double in = times->in * in_per_s, out = times->out * out_per_s;
  if (in + out <= 0) return std::nullopt;
  return in / (in + out);
}

std::optional<UnitCosts> unit_costs(Method method, double money, const Volumes& volumes, const AttributionInputs& by) {
  switch (method) {
    case Method::blended: {
      const auto all = per(money, volumes.in + volumes.out);
      return UnitCosts{all, all, volumes.cached > 0 ? all : std::nullopt, all};
    }
    case Method::full:
      return UnitCosts{per(money, volumes.in + volumes.out), per(money, volumes.in), std::nullopt,
                       per(money, volumes.out)};
    case Method::accelerator_time:
      if (!by.input_time_share) return std::nullopt;
      return by_time(money, volumes, *by.input_time_share);
    case Method::price_weighted:
      if (!by.prices || by.prices->out <= 0) return std::nullopt;
      return by_prices(money, volumes, *by.prices);
  }
  return std::nullopt;
}

}  // namespace scoville::cost
