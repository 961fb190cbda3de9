#include "claim/tests_for.hpp"

#include <doctest/doctest.h>

namespace scoville::claim {
namespace {

std::string line(const std::vector<TestCommand>& list, text::ClaimMsg purpose) {
  for (const TestCommand& each : list) {
    if (each.purpose == purpose) return each.line;
  }
  return "";
}

Claim complete() {
  Claim out;
  out.ratio = Ratio{2, 2};
  for (const auto& [key, words] : {std::pair("subject.device", "New Chip"),
                                   {"comparator.device", "Old"},
                                   {"metric.name", "throughput"},
                                   {"workload.model", "org/Model-8B"},
                                   {"workload.isl", "32768"},
                                   {"workload.osl", "1024"},
                                   {"workload.load", "rate:20"},
                                   {"workload.slo", "ttft:p99:5s"},
                                   {"workload.interactivity", "50"}})
    out.said[key] = {words, words};
  return out;
}

}  // namespace

TEST_CASE("commands are filled with what the claim says") {
  const auto list = tests_for(complete(), "claims/x.yaml");
  const std::string duel = line(list, text::ClaimMsg::test_duel);
  CHECK(duel.find("scoville duel '<COMPARATOR_URL>' '<SUBJECT_URL>' --model org/Model-8B --random-input-len 32768 "
                  "--random-output-len 1024 --ignore-eos --request-rate 20") == 0);
  CHECK(duel.find("--primary output_tokens_per_s") != std::string::npos);
  CHECK(line(list, text::ClaimMsg::test_saturate).ends_with("--slo ttft:p99:5s"));
  CHECK(line(list, text::ClaimMsg::test_sweep).ends_with("--at-user-rate 50"));
  CHECK(line(list, text::ClaimMsg::test_fit).find("--device 'New Chip'") != std::string::npos);
  CHECK(line(list, text::ClaimMsg::test_check) ==
        "scoville claim check claims/x.yaml --result '<COMPARATOR_SET>' --result '<SUBJECT_SET>'");
}

TEST_CASE("where the claim is silent, or its sides differ, there is a place to fill in") {
  Claim claim = complete();
  claim.said["workload.load"] = {"one stream", "a shared service"};
  claim.said["workload.isl"] = {"1k to 8k", "1k to 8k"};
  claim.said.erase(claim.said.find("workload.model"));
  const std::string duel = line(tests_for(claim, ""), text::ClaimMsg::test_duel);
  CHECK(duel.find("--model '<MODEL>' --random-input-len '<INPUT_TOKENS>'") != std::string::npos);
  CHECK(duel.find("--max-concurrency '<CONCURRENCY>'") != std::string::npos);
}

TEST_CASE("a batch is a concurrency; a bare value is measured by itself; a price is worked out") {
  Claim claim = complete();
  claim.said["workload.load"] = {"batch:1", "batch:1"};
  CHECK(line(tests_for(claim, ""), text::ClaimMsg::test_duel).find("--max-concurrency 1 ") != std::string::npos);
  claim.said.erase(claim.said.find("comparator.device"));
  claim.ratio.reset();
  claim.value = 1800;
  CHECK(line(tests_for(claim, ""), text::ClaimMsg::test_duel).empty());
  CHECK(line(tests_for(claim, ""), text::ClaimMsg::test_value).find("scoville bench --base-url '<SUBJECT_URL>'") == 0);
  claim.said["metric.name"] = {"price_performance", "price_performance"};
  CHECK(line(tests_for(claim, ""), text::ClaimMsg::test_cost) == "scoville cost '<COST.yaml>'");
}

TEST_CASE("words that a shell would read are quoted") {
  Claim claim = complete();
  claim.said["workload.model"] = {"it's $(here)", "it's $(here)"};
  CHECK(line(tests_for(claim, ""), text::ClaimMsg::test_duel).find("--model 'it'\\''s $(here)'") != std::string::npos);
}

TEST_CASE("which figure of a comparison speaks for the claim") {
  Claim claim = complete();
  CHECK(measured_as(claim) == "output_tokens_per_s");
  for (const auto& [name, figure] :
       {std::pair("ttft", "ttft"), {"output_speed_per_user", "tpot"}, {"latency", "e2e"}}) {
    claim.said["metric.name"] = {name, name};
    CHECK(measured_as(claim) == figure);
  }
  for (const char* name : {"perf_per_watt", "price_performance", "roi"}) {
    claim.said["metric.name"] = {name, name};
    CHECK_FALSE(measured_as(claim).has_value());
  }
}

}  // namespace scoville::claim
