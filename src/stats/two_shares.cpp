#include "stats/two_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/distributions.hpp"

namespace scoville::stats {
namespace {

double normal_at_most(double z) {
  const double tails = normal_two_sided_p(z);
  return z < 0 ? tails / 2 : 1 - tails / 2;
}

/// z with P(Z > z) = alpha, for alpha below one half.
double upper_normal(double alpha) { return normal_two_sided(1 - 2 * alpha); }

/// The candidate's rate that is likeliest where it is `delta` above the base's: the root of a cubic, in closed form
/// (Farrington and Manning 1990, appendix; theta = base trials / candidate trials).
double likeliest_candidate(const Share& base, const Share& candidate, double delta) {
  const double theta = base.trials / candidate.trials, p = candidate.rate(), q = base.rate();
  const double a = 1 + theta, b = -(1 + theta + p + theta * q + delta * (theta + 2));
  const double c = delta * delta + delta * (2 * p + theta + 1) + p + theta * q, d = -p * delta * (1 + delta);
  const double v = std::pow(b / (3 * a), 3) - b * c / (6 * a * a) + d / (2 * a);
  const double u = std::copysign(std::sqrt(std::max(0.0, std::pow(b / (3 * a), 2) - c / (3 * a))), v);
  if (u == 0) return std::clamp(-b / (3 * a), delta, 1.0);
  const double w = (std::numbers::pi + std::acos(std::clamp(v / (u * u * u), -1.0, 1.0))) / 3;
  return std::clamp(2 * u * std::cos(w) - b / (3 * a), std::max(delta, 0.0), 1.0);
}

/// How far the observed difference lies above `delta`, in its own deviations; 0 where nothing can vary.
double score(const Share& base, const Share& candidate, double delta) {
  const double p = likeliest_candidate(base, candidate, delta), q = std::clamp(p - delta, 0.0, 1.0);
  const double variance = p * (1 - p) / candidate.trials + q * (1 - q) / base.trials;
  const double distance = candidate.rate() - base.rate() - delta;
  if (variance <= 0) return distance == 0 ? 0 : std::copysign(40, distance);
  return distance / std::sqrt(variance);
}

bool is_answerable(const Share& share) {
  return share.trials > 0 && share.events >= 0 && share.events <= share.trials && std::isfinite(share.trials);
}

}  // namespace

std::optional<double> noninferior_p(const Share& base, const Share& candidate, double margin) {
  if (!is_answerable(base) || !is_answerable(candidate) || !(margin >= 0 && margin < 1)) return std::nullopt;
  return normal_at_most(score(base, candidate, margin));
}

std::optional<double> worse_p(const Share& base, const Share& candidate) {
  if (!is_answerable(base) || !is_answerable(candidate)) return std::nullopt;
  return normal_at_most(-score(base, candidate, 0));
}

std::optional<std::uint64_t> requests_per_arm(double base, double candidate, double alpha, double power) {
  if (!(base > 0 && base < candidate && candidate < 1)) return std::nullopt;
  if (!(alpha > 0 && alpha < 0.5 && power > 0.5 && power < 1)) return std::nullopt;
  const double middle = (base + candidate) / 2;
  const double unmoved = upper_normal(alpha) * std::sqrt(2 * middle * (1 - middle));
  const double moved = upper_normal(1 - power) * std::sqrt(base * (1 - base) + candidate * (1 - candidate));
  return static_cast<std::uint64_t>(std::ceil(std::pow((unmoved + moved) / (candidate - base), 2)));
}

}  // namespace scoville::stats
