#include "report/canary.hpp"
#include "report/cells.hpp"

namespace scoville::report {
namespace {

using decide::Canary;
using decide::CanaryTest;

json::object limit_json(const decide::LatencyLimit& limit) {
  return {{"latency", name_of(limit.latency)}, {"limit_ns", limit.limit.count()}};
}

json::object share_json(const stats::Share& share, double high) {
  return {{"events", share.events}, {"events_at_most", high}, {"requests", share.trials}};
}

json::value look_json(const std::optional<decide::CanaryLook>& look) {
  if (!look) return nullptr;
  return json::object{{"number", look->number},
                      {"base", share_json(look->base, look->base_high)},
                      {"candidate", share_json(look->candidate, look->candidate_high)},
                      {"noninferior_p", number_or_null(look->noninferior_p)},
                      {"worse_p", number_or_null(look->worse_p)}};
}

json::object test_json(const CanaryTest& test) {
  const bool is_known = test.state != decide::TestState::unknown;
  json::object out{{"name", test.name},
                   {"limit", nullptr},
                   {"state", name_of(test.state)},
                   {"expected", test.expected},
                   {"margin", test.margin},
                   {"planned_requests", test.planned},
                   {"base", nullptr},
                   {"candidate", nullptr},
                   {"look", look_json(test.look)},
                   {"log_likelihood_ratio", number_or_null(test.log_likelihood_ratio)}};
  if (test.limit) out["limit"] = limit_json(*test.limit);
  if (is_known) out["base"] = share_json(test.base, test.base_high);
  if (is_known) out["candidate"] = share_json(test.candidate, test.candidate_high);
  return out;
}

json::object breach_json(const decide::Breach& breach) {
  return {{"limit", limit_json(breach.limit)},
          {"from", utc(breach.from)},
          {"until", utc(breach.until)},
          {"shared", breach.is_shared}};
}

}  // namespace

json::object canary_json(const CanaryView& view) {
  const Canary& canary = view.canary;
  json::array tests, breaches;
  for (const CanaryTest& each : canary.tests) tests.push_back(test_json(each));
  for (const decide::Breach& each : canary.breaches) breaches.push_back(breach_json(each));
  return {{"schema", "scoville.canary/1"},
          {"base", view.base},
          {"candidate", view.candidate},
          {"engine", view.engine},
          {"verdict", name_of(canary.verdict)},
          {"reason", name_of(canary.reason)},
          {"next_step", number_or_null(canary.next_step)},
          {"more_requests", canary.more_requests ? json::value(*canary.more_requests) : json::value(nullptr)},
          {"test", name_of(canary.plan.test)},
          {"looks", canary.plan.looks},
          {"looks_made", canary.looks_made},
          {"planned_requests", planned_requests(canary.plan)},
          {"alpha", canary.plan.alpha},
          {"power", canary.plan.power},
          {"step", canary.plan.step},
          {"requests", canary.requests},
          {"seen_ns", canary.seen.count()},
          {"tests", std::move(tests)},
          {"breaches", std::move(breaches)}};
}

}  // namespace scoville::report
