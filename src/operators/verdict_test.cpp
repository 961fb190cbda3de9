#include "operators/verdict.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::operators;

namespace {

const std::vector<std::string> kWarns{"will fall back to run on the CPU"};

Operator silu() {
  Operator op;
  op.name = "aten::silu";
  return op;
}

json::object row() {
  return json::parse(R"({"outcome": "ran", "reason": null, "message": "", "device_of_result": "npu:0", "rel_l2": 1e-7,
    "mismatched": 0, "nan": 0, "fallback": {"evidence": [], "bytes": 0}, "warnings": []})")
      .as_object();
}

CaseResult judged(json::object given, const Operator& op = silu(), const std::string& dtype = "fp32",
                  const std::string& shape = "contiguous", const std::string& direction = "forward") {
  return judge(op, {0, dtype, shape, direction}, given, "npu", kWarns);
}

CaseResult refused(const std::string& dtype, const std::string& shape, const std::string& direction) {
  json::object given = row();
  given["outcome"] = "refused";
  given["reason"] = "unsupported";
  return judged(given, silu(), dtype, shape, direction);
}

CaseResult good(const std::string& dtype, const std::string& shape, const std::string& direction) {
  return judged(row(), silu(), dtype, shape, direction);
}

}  // namespace

TEST_CASE("supported: all ran on the device with the right numbers") {
  const Finding finding = find(silu(), {good("fp32", "contiguous", "forward"), good("bf16", "odd", "backward")});
  CHECK(finding.verdict == Verdict::supported);
  CHECK(finding.shortfalls.empty());
}

TEST_CASE("a dtype that only passes without elements is refused throughout") {
  const Finding finding = find(silu(), {good("fp32", "contiguous", "forward"), good("fp32", "empty", "forward"),
                                        refused("fp16", "contiguous", "forward"), good("fp16", "empty", "forward")});
  CHECK(finding.verdict == Verdict::partial);
  CHECK(finding.shortfalls == std::set{Shortfall::dtypes});
  CHECK(missing_in(finding.cases).dtypes == std::vector<std::string>{"fp16"});
}

TEST_CASE("a direction, a shape class, and a pattern that is neither") {
  CHECK(find(silu(), {good("fp32", "odd", "forward"), refused("fp32", "odd", "backward")}).shortfalls ==
        std::set{Shortfall::directions});
  CHECK(find(silu(), {good("fp32", "odd", "forward"), refused("fp32", "transposed", "forward")}).shortfalls ==
        std::set{Shortfall::shapes});
  CHECK(find(silu(), {good("fp32", "odd", "forward"), refused("fp32", "transposed", "forward"),
                      refused("bf16", "odd", "forward"), good("bf16", "transposed", "forward")})
            .shortfalls == std::set{Shortfall::combinations});
}

TEST_CASE("unsupported where all is refused, empty calls aside; absent where the framework lacks it") {
  CHECK(find(silu(), {refused("fp32", "odd", "forward"), good("fp32", "empty", "forward")}).verdict ==
        Verdict::unsupported);
  json::object given = row();
  given["outcome"] = "absent";
  CHECK(find(silu(), {judged(given)}).verdict == Verdict::absent);
}

TEST_CASE(
    "numbers are held against the dtype's tolerance: 1e-5 for fp32, 1e-2 for bf16, ten times where loose, none where "
    "exact") {
  json::object given = row();
  given["rel_l2"] = 2.9e-3;  // a bf16 GEMM (device-probes.md, section 4)
  CHECK(judged(given).is_wrong);
  CHECK_FALSE(judged(given, silu(), "bf16").is_wrong);
  given["rel_l2"] = 2e-5;
  CHECK(judged(given).is_wrong);
  given["rel_l2"] = 5e-6;
  CHECK_FALSE(judged(given).is_wrong);
  given["rel_l2"] = 5e-5;
  Operator op = silu();
  op.tolerance = Tolerance::loose;
  CHECK_FALSE(judged(given, op).is_wrong);
  op.tolerance = Tolerance::exact;
  given["rel_l2"] = 1e-9;
  CHECK(judged(given, op).is_wrong);
  CHECK(looks_like("fp32", 2.9e-3) == "bf16");
  CHECK(looks_like("fp32", 2.9e-4) == "tf32 or fp16");
  CHECK(looks_like("fp32", 0.1).empty());
}

TEST_CASE("whole numbers that differ, elements that are not finite, another shape: wrong") {
  for (const char* key : {"mismatched", "nan"}) {
    json::object given = row();
    given[key] = 1;
    CHECK(find(silu(), {judged(given)}).shortfalls == std::set{Shortfall::numerics});
  }
  json::object given = row();
  given["shape_differs"] = true;
  CHECK(judged(given).is_wrong);
}

TEST_CASE("without a reference numbers are not judged") {
  json::object given = row();
  given["rel_l2"] = nullptr;
  given["no_reference"] = "the CPU refuses";
  CHECK(judged(given).is_good());
}

TEST_CASE("a result on another device is told; cuda and cuda:0 are one") {
  json::object given = row();
  given["device_of_result"] = "cpu";
  CHECK(find(silu(), {judged(given)}).shortfalls == std::set{Shortfall::wrong_device});
  CHECK_FALSE(judged(row()).is_elsewhere);
}

TEST_CASE("_to_cpu within an operator is a fallback; a few bytes that it has to bring over are none") {
  json::object given = row();
  given["fallback"] = json::parse(
      R"({"evidence": [{"call": "aten::_to_cpu", "inside": "aten::silu", "bytes": 8, "calls": 1}], "bytes": 8})");
  CHECK(judged(given).by_trace);
  given["fallback"] = json::parse(
      R"({"evidence": [{"call": "aten::_local_scalar_dense", "inside": "aten::nonzero", "bytes": 8, "calls": 1}], "bytes": 8})");
  CHECK(judged(given).by_trace);
  Operator op = silu();
  op.host_bytes = 64;
  CHECK_FALSE(judged(given, op).by_trace);
  given["fallback"].as_object()["bytes"] = 65;
  CHECK(judged(given, op).by_trace);
  op.host_bytes.reset();
  CHECK_FALSE(judged(given, op).by_trace);
}

TEST_CASE("a warning that says so is a sign of its own") {
  json::object given = row();
  given["warnings"] = {
      "The operator 'aten::silu' is not currently supported on the X backend and will fall back to run on the CPU."};
  CHECK(judged(given).by_warning);
  CHECK(find(silu(), {judged(given)}).shortfalls == std::set{Shortfall::fallback});
  given["warnings"] = {"something else"};
  CHECK(judged(given).is_good());
}

TEST_CASE("one crash or hang among good cases is the verdict; memory only where nothing ran") {
  const Case what{1, "bf16", "odd", "forward"};
  const CaseResult fine = good("fp32", "odd", "forward");
  CHECK(find(silu(), {fine, without_row(what, {probe::Reason::crash, "Aborted"})}).verdict == Verdict::crash);
  CHECK(find(silu(), {fine, without_row(what, {probe::Reason::timeout, ""})}).verdict == Verdict::timeout);
  CHECK(find(silu(), {fine, without_row(what, {probe::Reason::oom, ""})}).verdict == Verdict::partial);
  CHECK(find(silu(), {without_row(what, {probe::Reason::oom, ""})}).verdict == Verdict::oom);
  CHECK(find(silu(), {without_row(what, {probe::Reason::failed, "?"})}).verdict == Verdict::skipped);
  CHECK(find(silu(), {}).verdict == Verdict::skipped);
}
