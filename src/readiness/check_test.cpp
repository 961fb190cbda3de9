#include "readiness/check.hpp"

#include <doctest/doctest.h>

using namespace scoville::readiness;

namespace {

std::vector<Check> all(Verdict verdict) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < kItems; ++i) checks.push_back({static_cast<Item>(i), verdict, "seen", ""});
  return checks;
}

}  // namespace

TEST_CASE("all yes is ready, with no layer missing") {
  const Finding finding = judge(all(Verdict::yes));
  CHECK(finding.is_ready == Verdict::yes);
  CHECK_FALSE(finding.first_missing.has_value());
  CHECK(finding.layers_missing.low == 0);
  CHECK(finding.layers_missing.high == 0);
}

TEST_CASE("the first required check that is no is the reason, whatever is unknown before it") {
  auto checks = all(Verdict::yes);
  checks[1].verdict = Verdict::unknown;
  checks[4].verdict = Verdict::no;
  const Finding finding = judge(checks);
  CHECK(finding.is_ready == Verdict::no);
  CHECK(finding.first_missing == Item::add);
}

TEST_CASE("a required check that nobody looked at leaves it open") {
  auto checks = all(Verdict::yes);
  checks.erase(checks.begin() + 2);
  const Finding finding = judge(checks);
  CHECK(finding.is_ready == Verdict::unknown);
  CHECK(finding.first_missing == Item::allocate);
  CHECK(finding.checks.size() == kItems);
}

TEST_CASE("a layer that is missing does not close the gate; unknown ones widen the count") {
  auto checks = all(Verdict::yes);
  checks[8].verdict = Verdict::no;        // transformers
  checks[11].verdict = Verdict::unknown;  // telemetry
  const Finding finding = judge(checks);
  CHECK(finding.is_ready == Verdict::yes);
  CHECK(finding.layers_missing.low == 1);
  CHECK(finding.layers_missing.high == 2);
}

TEST_CASE("what was asked for by name is required too") {
  auto checks = all(Verdict::yes);
  checks[9].verdict = Verdict::no;  // engine
  CHECK(judge(checks).is_ready == Verdict::yes);
  const Finding finding = judge(checks, {Item::engine});
  CHECK(finding.is_ready == Verdict::no);
  CHECK(finding.first_missing == Item::engine);
}

TEST_CASE("names go both ways") {
  for (std::size_t i = 0; i < kItems; ++i) CHECK(item_named(name_of(static_cast<Item>(i))) == static_cast<Item>(i));
  CHECK_FALSE(item_named("flux_capacitor").has_value());
}
