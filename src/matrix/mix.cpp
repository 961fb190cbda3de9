#include "matrix/mix.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace scoville::matrix {
namespace {

/// A value that is linear in the share: at 0 the other workloads alone, at 1 this one alone.
struct Line {
  double at_none, at_all;
  double at(double share) const { return at_none + (at_all - at_none) * share; }
};

Line line_of(const MixArm& arm, std::span<const double> shares, std::size_t of, double sign) {
  double rest = 0, sum = 0, plain = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i == of) continue;
    sum += shares[i];
    rest += shares[i] * arm.values[i];
    plain += arm.values[i] / static_cast<double>(shares.size() - 1);
  }
  return {sign * (sum > 0 ? rest / sum : plain), sign * arm.values[of]};
}

std::size_t best_at(const std::vector<Line>& lines, double share) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].at(share) > lines[best].at(share) + 1e-12 * std::abs(lines[best].at(share))) best = i;
  }
  return best;
}

}  // namespace

std::vector<MixSegment> mix_flip(std::span<const MixArm> arms, std::span<const double> shares, std::size_t of,
                                 bool is_lower_better) {
  SCOVILLE_CHECK(!arms.empty() && shares.size() > 1 && of < shares.size(), "an arm, and two workloads");
  std::vector<Line> lines;
  for (const MixArm& each : arms) lines.push_back(line_of(each, shares, of, is_lower_better ? -1 : 1));
  std::vector<double> cuts{0, 1};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const double gap = lines[i].at_none - lines[j].at_none, end = lines[i].at_all - lines[j].at_all;
      const double cut = gap / (gap - end);
      if (std::isfinite(cut) && cut > 0 && cut < 1) cuts.push_back(cut);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<MixSegment> out;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i + 1] - cuts[i] < 1e-12) continue;
    const std::size_t best = best_at(lines, (cuts[i] + cuts[i + 1]) / 2);
    if (!out.empty() && out.back().arm == best)
      out.back().to = cuts[i + 1];
    else
      out.push_back({out.empty() ? 0 : cuts[i], cuts[i + 1], best});
  }
  return out;
}

}  // namespace scoville::matrix
