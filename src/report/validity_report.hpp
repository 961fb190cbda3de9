#pragma once

#include <string>

#include "analyse/analysis.hpp"
#include "base/json.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {

/// The key `validity` of a run: docs/formats/run.md.
json::object validity_json(const analyse::Validity& validity);

/// "Steady: TTFT +0.4 %, …", or why that cannot be told, with a line feed. Empty for a run that drifts: the warning
/// `drifting` says so.
std::string validity_line(const analyse::Analysis& analysis);

/// What drifts, for that warning: "TTFT rises by 12 % (p = 0.0003)".
text::Phrase drift_words(const analyse::Analysis& analysis);

/// "With 99 % confidence: TTFT P95 ≤ 71.2 ms, P99 not estimable (662 requests needed); …", with a line feed; empty
/// where nothing was measured.
std::string certified_line(const analyse::Analysis& analysis);

/// What ten calls of one application come to; empty without limits.
std::string fan_out_line(const analyse::Analysis& analysis);

}  // namespace scoville::report
