#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace scoville::probe {

/// One length: its time when it was new, and when it was not. Seconds or nanoseconds, as long as all are the same.
struct LengthTimes {
  std::size_t length = 0;
  double first = 0;              ///< the first time that this length was seen
  double second = 0, third = 0;  ///< seen before; two, because their difference tells how far times scatter
};

/// What a new length costs (docs/formats/shapes.md).
enum class ShapeVerdict {
  free_of_charge,  ///< new lengths take as long as known ones
  bucketed,        ///< some pay, and each pays for the lengths around it
  recompiles,      ///< nearly every new length pays
  cannot_tell,
};
std::string_view name_of(ShapeVerdict verdict);

/// Why it cannot be told.
enum class ShapeDoubt { none, too_few_lengths, too_noisy, irregular };
std::string_view name_of(ShapeDoubt doubt);

/// Lengths between `from` and `to` that one of them, `payer`, paid for; empty: somebody before the first of them.
struct Bucket {
  std::size_t from = 0, to = 0;
  std::optional<std::size_t> payer;
};

struct ShapeFinding {
  ShapeVerdict verdict = ShapeVerdict::cannot_tell;
  ShapeDoubt doubt = ShapeDoubt::none;
  std::vector<double> ratios;       ///< first ÷ known, in the order of the lengths given
  std::vector<bool> pays;           ///< ratio above the limit, in the same order
  double limit = 0;                 ///< a length pays above this ratio: 1.5, or what scatter cannot explain
  double median_ratio = 0;          ///< of all
  double scatter = 0;               ///< of a time, relative: from known lengths against themselves
  std::optional<double> surcharge;  ///< median of first − known over those that pay
  std::vector<Bucket> buckets;      ///< ascending; empty unless bucketed
};

/// `times` in the order in which the lengths were first seen: it tells who paid for whom. Pure.
ShapeFinding judge_shapes(const std::vector<LengthTimes>& times);

/// From the rows of `dynamic_shapes`, in the order of their first pass. Without a third pass the steady time of the
/// second stands for it. A length that lacks one of its times has 0 there.
std::vector<LengthTimes> read_length_times(const std::vector<json::object>& rows);

/// Lengths to ask for: pairs of neighbours spread evenly on a logarithmic scale over [least, most], all different, in
/// random order. A neighbour shares its partner's bucket wherever buckets are a few tokens wide: it does not pay then,
/// and pays where every length is compiled. Fewer where the range does not hold so many.
std::vector<std::size_t> unseen_lengths(std::size_t count, std::size_t least, std::size_t most, std::uint64_t seed);

}  // namespace scoville::probe
