#include <doctest/doctest.h>

#include "report/trace.hpp"
#include "text/catalogue.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using trace::OperatorRow;
using trace::OperatorTable;

OperatorTable example() {
  OperatorTable table;
  table.source = "step.json";
  table.backend = "cuda";
  table.events = 7;
  table.kernels = 3;
  table.span = Nanos(1000);
  table.busy = Nanos(700);
  table.kernel_time = Nanos(800);
  table.utilisation = 0.7;
  table.shares = trace::StepShares{0.4, 0.2, 0.1, 0.2, 0.1, 0.05};
  table.flags = {"truncated_trace", "nonstandard_json"};
  table.cut_at = 99;
  OperatorRow fast;
  fast.name = "aten::mm" + std::string(300, 'm');
  fast.verdict = trace::Verdict::supported;
  fast.device = "device";
  fast.calls = 2;
  fast.time = Nanos(600);
  fast.origins[0] = 3;
  fast.origins[2] = 1;
  OperatorRow slow;
  slow.name = "aten::isin";
  slow.verdict = trace::Verdict::fallback;
  slow.device = "host";
  slow.time = Nanos(200);
  slow.evidence = {{"to_cpu", {"copied to the host", "复制到主机"}}};
  table.rows = {slow, fast};
  trace::settle(table);
  return table;
}

TEST_CASE("rows stand by their share, with null where nothing is known") {
  const json::object out = trace_json(example());
  const json::array& rows = out.at("operators").as_array();
  CHECK(rows[0].at("share") == json::value(0.75));
  CHECK(rows[0].at("origins") == (json::object{{"vendor", 3}, {"triton", 1}}));
  CHECK(rows[1].at("operator") == "aten::isin");
  CHECK(rows[1].at("calls").is_null());
  CHECK(rows[1].at("evidence").at(0).at("text") == "copied to the host");
  CHECK(out.at("cut_at_byte") == 99);
  CHECK(out.at("log").is_null());
}

TEST_CASE("a terminal of 100 columns holds every line, in both languages") {
  OperatorTable table = example();
  table.log.emplace();
  table.log->offload = {{32, 41}};
  table.log->out_of_memory = {{std::nullopt, 1 << 30}};
  for (const text::Language language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    std::string all = trace_table(table);
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = all.find('\n', at);
      CHECK_MESSAGE(text::display_width(all.substr(at, end - at)) <= 100, all.substr(at, end - at));
      at = end + 1;
    }
  }
  text::set_language(text::Language::english);
  const std::string english = trace_table(table);
  CHECK(english.find("vendor 75 %") != std::string::npos);
  CHECK(english.find("before byte 99") != std::string::npos);
  CHECK(english.find("32 of 41 (78.0 %)") != std::string::npos);
  CHECK(english.find("aten::isin: copied to the host") != std::string::npos);
}

}  // namespace
}  // namespace scoville::report
