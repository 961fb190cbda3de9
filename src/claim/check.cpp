#include "claim/check.hpp"

#include "base/check.hpp"
#include "claim/sentence.hpp"

namespace scoville::claim {

Check check(const Claim& claim, const std::vector<Measured>& measured, const std::string& file) {
  std::vector<Measured> all = claim.results;
  all.insert(all.end(), measured.begin(), measured.end());
  Check out;
  out.claim = claim;
  out.ruling = rule(claim, all);
  out.evidence = evidence_for(claim, all);
  out.checklist = checklist(claim);
  out.mismatches = mismatches(claim);
  out.narrow = narrow_sentence(claim, out.ruling);
  out.to_test = tests_for(claim, file);
  out.watch = watch_list(claim, all);
  return out;
}

Standing standing(Verdict verdict) {
  switch (verdict) {
    case Verdict::supported_as_stated:
    case Verdict::supported_with_conditions:
    case Verdict::direction_supported_size_refuted:
      return Standing::stands;
    case Verdict::unsupported:
    case Verdict::not_comparable:
    case Verdict::refuted_as_stated:
    case Verdict::refuted:
      return Standing::fails;
    case Verdict::untestable:
    case Verdict::untestable_now:
    case Verdict::direction_supported_size_open:
    case Verdict::size_refuted_direction_open:
    case Verdict::inconclusive:
      return Standing::open;
  }
  SCOVILLE_CHECK(false, "every verdict has a standing");
}

}  // namespace scoville::claim
