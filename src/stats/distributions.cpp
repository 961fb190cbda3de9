#include "stats/distributions.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace scoville::stats {
namespace {

namespace bm = boost::math;
namespace policy = boost::math::policies;
// Out-of-range answers come back as NaN or infinity instead of an exception; the callers' preconditions rule them out.
using Quiet =
    policy::policy<policy::domain_error<policy::ignore_error>, policy::pole_error<policy::ignore_error>,
                   policy::overflow_error<policy::ignore_error>, policy::evaluation_error<policy::ignore_error>>;

}  // namespace

double binomial_at_most(std::uint64_t k, std::uint64_t n, double p) {
  return k >= n ? 1.0 : bm::ibetac(static_cast<double>(k) + 1, static_cast<double>(n - k), p, Quiet());
}

double binomial_more_than(std::uint64_t k, std::uint64_t n, double p) {
  return k >= n ? 0.0 : bm::ibeta(static_cast<double>(k) + 1, static_cast<double>(n - k), p, Quiet());
}

double beta_quantile(double a, double b, double q) { return bm::ibeta_inv(a, b, q, Quiet()); }

double student_t_two_sided(double confidence, double degrees_of_freedom) {
  return bm::quantile(bm::students_t_distribution<double, Quiet>(degrees_of_freedom), 0.5 + confidence / 2);
}

double student_t_shift(double degrees_of_freedom, double alpha, double power) {
  const double limit = student_t_two_sided(1 - alpha, degrees_of_freedom);
  const auto power_at = [&](double shift) {
    const bm::non_central_t_distribution<double, Quiet> t(degrees_of_freedom, shift);
    return bm::cdf(bm::complement(t, limit)) + bm::cdf(t, -limit);
  };
  double low = 0, high = 1;
  while (power_at(high) < power && high < 1e4) high *= 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (power_at(middle) < power ? low : high) = middle;
  }
  return high;
}

double normal_two_sided(double confidence) { return std::numbers::sqrt2 * boost::math::erf_inv(confidence, Quiet()); }

double normal_two_sided_p(double z) { return std::erfc(std::fabs(z) / std::numbers::sqrt2); }

}  // namespace scoville::stats
