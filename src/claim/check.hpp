#pragma once

#include <string>
#include <vector>

#include "claim/checklist.hpp"
#include "claim/claim.hpp"
#include "claim/evidence.hpp"
#include "claim/tests_for.hpp"
#include "claim/verdict.hpp"
#include "claim/watch.hpp"
#include "text/catalogue.hpp"

namespace scoville::claim {

/// All that can be said of a claim.
struct Check {
  Claim claim;
  Ruling ruling;
  Evidence evidence;
  std::vector<PointState> checklist;
  std::vector<Mismatch> mismatches;
  text::Phrase narrow;  ///< the narrowest sentence that the evidence supports
  std::vector<TestCommand> to_test;
  std::vector<Watch> watch;
};

/// The claim as its file has it, its own results among it, against further results. `file` names it in commands.
Check check(const Claim& claim, const std::vector<Measured>& measured = {}, const std::string& file = "");

/// What a decision may make of a verdict.
enum class Standing {
  stands,  ///< supported, as stated or under conditions, or in its direction
  fails,   ///< unsupported, not comparable, refuted
  open,    ///< cannot be told
};
Standing standing(Verdict verdict);

}  // namespace scoville::claim
