#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.hpp"
#include "config/quantity.hpp"
#include "matrix/estimate.hpp"
#include "text/catalogue.hpp"

namespace scoville::matrix {

/// Something without which a candidate is out, however well it scores: a property of the supply (delivery, second
/// source, warranty, licence), or of the system (an accuracy gate, a context that is long enough). The value is what
/// the user states, with source and date, or what a measurement found.
struct KnockOut {
  std::string id;
  text::Phrase requirement;
  bool is_required = true;  ///< false: shown, and not part of this decision
  // One of three forms.
  std::optional<config::Quantity> number;  ///< judged by `target`; a range by its ends
  Target target;
  std::optional<std::string> word;      ///< "granted"; judged by `accepted`
  std::vector<std::string> accepted;    ///< empty: not a matter of words
  Verdict verdict = Verdict::untested;  ///< of the two above, by judge(); or found elsewhere
  std::string source, date;             ///< of the value
};

/// Without a value: untested. A range that reaches over the limit: inconclusive.
Verdict judge(const KnockOut& knock_out);

/// Wordings by id: those of a scenario.
using Requirements = std::map<std::string, text::Phrase>;

/// The map `knock_outs:` (docs/formats/matrix.md), each judged. Those of supply and of `requirements` need no wording
/// of their own. Notes faults at `map`.
std::vector<KnockOut> read_knock_outs(const config::Node& map, const Requirements& requirements = {});

/// Criteria of supply that have a wording of ours.
std::vector<std::string> supply_criteria();

}  // namespace scoville::matrix
