#include "stats/fan_out.hpp"

#include <cmath>

namespace scoville::stats {
namespace {

bool is_answerable(double share, std::uint64_t calls) { return calls > 0 && share >= 0 && share <= 1; }

}  // namespace

std::optional<double> share_each_call_needs(double whole, std::uint64_t calls) {
  if (!is_answerable(whole, calls)) return std::nullopt;
  return std::pow(whole, 1 / static_cast<double>(calls));
}

std::optional<double> share_that_meets_a_tail(double each, std::uint64_t calls) {
  if (!is_answerable(each, calls)) return std::nullopt;
  return 1 - std::pow(each, static_cast<double>(calls));
}

}  // namespace scoville::stats
