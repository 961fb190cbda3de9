#pragma once

#include <cstdint>

namespace scoville::stats {

/// The tail functions that the other files stand on. Only distributions.cpp includes Boost.Math, which is slow to
/// compile and throws where it is not told otherwise.
///
/// Preconditions, held by the callers: p in [0, 1], confidence in (0, 1), at least one degree of freedom.

/// P(X <= k) for X ~ Bin(n, p), through the incomplete beta function: as fast for ten million trials as for ten.
double binomial_at_most(std::uint64_t k, std::uint64_t n, double p);

/// P(X > k), not by subtraction from 1, so that a small tail keeps its digits.
double binomial_more_than(std::uint64_t k, std::uint64_t n, double p);

/// x with I_x(a, b) = q, for a, b > 0 and q in [0, 1].
double beta_quantile(double a, double b, double q);

/// t with P(|T| <= t) = confidence.
double student_t_two_sided(double confidence, double degrees_of_freedom);

/// δ >= 0 with P(|T| > t) = power for a noncentral T of noncentrality δ, where t is the two-sided limit at alpha.
/// alpha < power, both in (0, 1).
double student_t_shift(double degrees_of_freedom, double alpha, double power);

/// z with P(|Z| <= z) = confidence for a standard normal Z.
double normal_two_sided(double confidence);

/// P(|Z| >= |z|) for a standard normal Z.
double normal_two_sided_p(double z);

}  // namespace scoville::stats
