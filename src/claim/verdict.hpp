#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claim/claim.hpp"

namespace scoville::claim {

enum class Verdict {
  unsupported,        ///< nobody answers for it
  untestable,         ///< metric, subject, comparator or workload is not defined
  not_comparable,     ///< the two are known to differ in what must be equal
  refuted_as_stated,  ///< and like for like is known to turn it round
  untestable_now,     ///< hardware or stack cannot be had
  supported_as_stated,
  direction_supported_size_refuted,
  direction_supported_size_open,
  size_refuted_direction_open,
  refuted,
  inconclusive,
  supported_with_conditions,
};
std::string_view name_of(Verdict verdict);

/// Why there is no better one. The names are codes in the JSON.
enum class Reason {
  none,
  no_source,
  not_defined,
  known_mismatch,
  gate_refused,
  reversed_when_matched,
  not_obtainable,
  not_measured,     ///< it could be tested; nobody but its own party has
  not_resolved,     ///< the results cannot tell
  reported_only,    ///< results without an interval
  best_cell,        ///< "up to": holds in this cell, and says nothing of others
  contradicted,     ///< parties to the claim report the opposite of each other, and nobody else has measured
  holds_in_part,    ///< in some cells, and not in others
  conditions_ours,  ///< the claim left open what our test had to settle
};
std::string_view name_of(Reason reason);

/// One result against the size that is claimed.
struct Cell {
  Measured measured;
  Verdict verdict = Verdict::inconclusive;
};

/// With [lo, hi] the interval of the ratio R, m its margin and c the claimed ratio:
/// lo ≥ c(1−m) supported as stated · lo > 1+m: size refuted where hi < c(1−m), else open · equivalent or slower:
/// refuted · hi < c(1−m): size refuted, direction open · else inconclusive.
///
/// A claim of a bare value has R = measured / stated, and no direction: hi < 1−m refutes it. A claim of a direction
/// alone (no `claimed`) is supported where lo > 1+m. A result without an interval is taken at its point.
Verdict judge(const Measured& measured, std::optional<double> claimed, bool is_absolute);

struct Ruling {
  Verdict verdict = Verdict::inconclusive;
  Reason reason = Reason::none;
  std::vector<std::string> fields;  ///< what it hangs on: undefined, mismatched or refused keys
  std::vector<Cell> cells;
};

/// All of it: the claim as stated, then what results say. Results by the claim's own party count only beside those of
/// another: a claim does not become true by being said twice. Nor does it by being denied: two parties to it that
/// report the opposite for what may be one cell settle nothing.
Ruling rule(const Claim& claim, const std::vector<Measured>& measured);

}  // namespace scoville::claim
