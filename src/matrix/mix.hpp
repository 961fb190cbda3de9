#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace scoville::matrix {

/// What one candidate gets, or costs, under each workload alone.
struct MixArm {
  std::string name;
  std::vector<double> values;  ///< one a workload: a score, or money per million tokens
};

/// Where one workload has such a share of the whole, this arm is the better one.
struct MixSegment {
  double from = 0, to = 1;
  std::size_t arm = 0;

  friend bool operator==(const MixSegment&, const MixSegment&) = default;
};

/// At which mix the decision flips: the share of workload `of` goes from 0 to 1, the other workloads keep the
/// proportions that `shares` gives them (alike where they have none), and each arm's value is the mean weighted so.
/// Costs per million tokens want shares of tokens. The segments cover [0, 1] in order; neighbours have different arms,
/// and of two that are level over a whole segment the first stands. At least one arm; two workloads or more.
std::vector<MixSegment> mix_flip(std::span<const MixArm> arms, std::span<const double> shares, std::size_t of,
                                 bool is_lower_better);

}  // namespace scoville::matrix
