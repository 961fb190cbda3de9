#include "report/calibration_table.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {
using namespace std::chrono_literals;
using analyse::CalibrationPoint;
using analyse::Transport;

CalibrationPoint point(unsigned threads, Transport transport, double rate, Nanos p99) {
  CalibrationPoint made;
  made.setting = {threads, transport};
  made.asked_per_s = made.achieved_per_s = rate;
  made.streams = 10;
  made.n = 2000;
  made.p50 = 2us;
  made.p99 = p99;
  made.largest = 99us;
  made.icl_error_sd_ns = 1234;
  made.read_lag_p99 = 15us;
  return made;
}

analyse::Calibration made_calibration() {
  analyse::Calibration made;
  made.machine = "Some CPU; 2 processors; kernel 6.1.0; method 1";
  made.made = std::chrono::seconds(1735786800);  // 2025-01-02 03:00:00 UTC
  made.points = {point(1, Transport::tcp, 1000, 12us), point(1, Transport::tcp, 10000, 4us),
                 point(1, Transport::tcp, 50000, 90us), point(2, Transport::tls, 1000, 20us)};
  for (const std::size_t bad : {2u, 3u}) {
    made.points[bad].verdict = analyse::Verdict::bottleneck;
    made.points[bad].reasons = {"loop_busy"};
  }
  return made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: a calibration in English") {
  const Speaking speaking(text::Language::english);
  check_golden("calibration.en.txt", calibration_table(made_calibration()));
}
TEST_CASE("golden: a calibration in Chinese") {
  const Speaking speaking(text::Language::chinese);
  check_golden("calibration.zh.txt", calibration_table(made_calibration()));
}

TEST_CASE("a calibration says up to which rate it is good, with the worst error below it") {
  const Speaking speaking(text::Language::english);
  const std::string table = calibration_table(made_calibration());
  CHECK(has(table, "plain TCP, 1 thread up to 10,000 events/s (error up to 12.0 µs at P99)"));
  CHECK(has(table, "TLS, 2 threads not at all"));
  CHECK(has(table, "made 2025-01-02 03:00 UTC"));
}

TEST_CASE("a report quotes the bound at its own rate, or says why it has none") {
  const Speaking speaking(text::Language::english);
  analyse::ErrorBound bound;
  CHECK(describe(bound) == "error bound: not calibrated: run `scoville calibrate`");
  bound.events_per_s = 123456.4;
  bound.reason = analyse::NoBound::beyond_rate;
  CHECK(describe(bound) == "error bound: 123,456 events/s are beyond the calibrated rate");
  bound.reason = analyse::NoBound::none;
  bound.ttft = 14us;
  CHECK(describe(bound) == "error bound at 123,456 events/s: TTFT 14.0 µs, TPOT –, ICL –, E2E –");
}

TEST_CASE("thousands are grouped") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999.4) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
}

}  // namespace scoville::report
