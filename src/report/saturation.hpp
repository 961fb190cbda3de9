#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "decide/saturation.hpp"

namespace scoville::report {

/// What a step was measured by, beside its judgement.
struct SaturationRun {
  std::string id;          ///< of the stored run
  std::string instrument;  ///< verdict on the client: analyse::name_of
  std::string steady;      ///< verdict of the run's validity: analyse::name_of
};

/// All that `saturate` has to say.
struct SaturationView {
  decide::SaturationRule rule;
  bool is_constant = false;  ///< arrivals; else Poisson. Nothing where the load is a number of users
  std::string url, model, set;
  std::size_t devices = 0;  ///< 0: nobody said
  decide::Saturation result;
  std::vector<SaturationRun> runs;  ///< one a step
};

/// docs/formats/saturate.md.
json::object saturation_json(const SaturationView& view);
/// The same read back: of a finding that was stored.
Result<SaturationView> saturation_from(const json::value& value);

/// For a terminal: every step, the limits at the accepted load, and what may be said in one sentence.
std::string saturation_table(const SaturationView& view);

/// "80/s", "16 users".
std::string load_text(const decide::SaturationRule& rule, double load);
/// "holds", "does not hold: the queue grows", "not seen to fail" of a short step.
std::string verdict_text(const decide::SaturationStep& step);
std::string purpose_text(decide::Purpose purpose);

}  // namespace scoville::report
