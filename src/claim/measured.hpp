#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::claim {

/// Who speaks, or who measured.
enum class Role { vendor, partner, independent, us, community, anonymous };
std::string_view name_of(Role role);
/// In the order of the enumeration.
std::vector<std::string> role_names();

/// One result that bears on a claim: measured by us, or reported by somebody.
///
/// `ratio` is subject / comparator, above 1: the subject is better, whatever the unit. Of a claim without a comparator
/// it is measured / stated. A result without an interval is a report: it can show where a claim holds, never that it
/// holds.
struct Measured {
  double ratio = 1;
  std::optional<double> lo, hi;  ///< interval of the ratio; empty: nobody said how far it is to be trusted
  bool equivalent = false;       ///< within the margin, whichever is ahead
  bool slower = false;           ///< the subject is worse
  double margin = 0.02;          ///< a difference up to this is none
  std::string conditions;        ///< the cell that it holds in, in words

  Role by = Role::us;
  std::string party, method, source, date;  ///< method: where it is written how it was measured
  bool is_matched = false;                  ///< of what is claimed; what must be equal was equal, precision too
  bool is_verified = false;                 ///< the gate knew all it asks for
  std::vector<std::string> refused;         ///< fields for which the gate refused it: then it has no ratio
  std::optional<bool> aa_healthy;           ///< the harness finds no difference where there is none

  bool has_interval() const { return lo && hi; }
};

}  // namespace scoville::claim
