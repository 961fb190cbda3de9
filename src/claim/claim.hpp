#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "claim/measured.hpp"
#include "config/node.hpp"

namespace scoville::claim {

/// What one field of a claim says: of both systems, or of each.
///
///     weights: fp8
///     weights: {subject: fp4, comparator: fp8}
struct Said {
  std::string subject, comparator;  ///< "": not said

  bool is_said() const { return !subject.empty() && !comparator.empty(); }
  bool is_partly() const { return !subject.empty() || !comparator.empty(); }
  /// Both are said, and they are not the same but for case.
  bool differs() const;
  /// "fp8"; "fp4 / fp8"; "fp4 / ?"; "" where nothing is said.
  std::string shown() const;
};

/// What it means that the two systems differ in a field.
enum class FieldClass {
  must_equal,  ///< no comparison: the workload, the kind of figure
  precision,   ///< no comparison, unless both passed the same accuracy check
  stack,       ///< then the claim speaks of stacks, never of chips
  one_sided,   ///< said of one system, or of the claim as a whole
};
std::string_view name_of(FieldClass field_class);

/// What may stand in a field.
enum class FieldForm { words, number, whole, flag, date, kind, direction };

/// A field of the file, declared once: the reader, the checklist, the mismatches and the template go by this table.
struct Field {
  std::string_view key;  ///< "workload.isl"
  FieldClass field_class = FieldClass::one_sided;
  FieldForm form = FieldForm::words;
};
/// All, in the order of the file.
std::span<const Field> fields();

/// How big the claim says the difference is; both ends the same for a plain number, "30-40 %" is 1.3 to 1.4.
struct Ratio {
  double low = 1, high = 1;
};

/// A statement "X beats Y", and what was said with it (docs/formats/claim.md).
///
/// Numbers that a verdict is made from have members of their own; all else is kept by key, as it was written.
struct Claim {
  std::string id, text, date, url;
  std::string party;                   ///< who says so; "": nobody who can be asked
  std::optional<Role> role;            ///< of the party
  std::optional<Ratio> ratio;          ///< subject / comparator, above 1: better, whatever the unit
  bool is_up_to = false;               ///< "up to": the best cell that was found
  std::optional<double> value;         ///< the subject's own figure, in metric.unit
  bool is_lower_better = false;        ///< of the value
  std::optional<bool> is_available;    ///< can be bought or rented
  std::optional<bool> has_rival;       ///< the same of the comparator
  std::vector<std::string> headlines;  ///< comparators that headlines named, and the source did not
  std::map<std::string, Said, std::less<>> said;
  std::vector<Measured> results;  ///< that the file itself reports

  /// What stands in a field; nothing said where the file has none.
  const Said& at(std::string_view key) const;
  bool says(std::string_view key) const { return at(key).is_said(); }
  /// A figure of one system, with no other beside it: nothing is compared.
  bool is_absolute() const;
  std::string subject() const { return at("subject.device").subject; }
  /// Device, else stack; "" where neither is said.
  std::string comparator() const;
};

/// Reads a claim from the map that holds it. Faults are noted in the node and told by its finish(): an evaluation plan
/// embeds claims.
Claim read_claim(const config::Node& node);

/// The whole file: the claim at the top, or under the key `claim`.
Result<Claim> read_claim_file(const std::string& path);

}  // namespace scoville::claim
