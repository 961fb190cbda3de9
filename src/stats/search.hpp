#pragma once

#include <cstdint>

namespace scoville::stats {

/// The least k in [from, to) for which `holds`, or `to`. `holds` changes at most once, from false to true.
template <class Claim>
std::uint64_t first_where(std::uint64_t from, std::uint64_t to, Claim holds) {
  while (from < to) {
    const std::uint64_t middle = from + (to - from) / 2;
    if (holds(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}

}  // namespace scoville::stats
