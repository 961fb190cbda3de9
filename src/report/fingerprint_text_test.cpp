#include "report/fingerprint_text.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"

namespace scoville::report {
namespace {

event::Fingerprint made(const char* driver) {
  event::Fingerprint print;
  print.add("driver.huawei", driver, "npu-smi info");
  print.add("device.huawei.count", 2, "npu-smi info");
  print.add("os.kernel", "5.10.0", "/proc/sys/kernel/osrelease");
  print.add("topology.huawei", "\tNPU0\tNPU1\nNPU0\tX\tHCCS\x07", "npu-smi info -t topo");
  print.miss("tool.cnmon", event::FieldStatus::error, "cnmon: timed out after 1 s");
  print.miss("runtime.cuda", event::FieldStatus::absent, "/usr/local/cuda/version.json");
  return print;
}

}  // namespace

TEST_CASE("golden: a fingerprint on a terminal, in both languages, with what changed since a base") {
  const event::Fingerprint base = made("25.2.0"), print = made("25.5.0");
  for (const auto& [language, name] :
       {std::pair{text::Language::english, "env.en.txt"}, std::pair{text::Language::chinese, "env.zh.txt"}}) {
    const Speaking speaking(language);
    const std::string told = fingerprint_text(print, &base, "before.json");
    CHECK(told.find('\x07') == std::string::npos);  // nothing that a tool prints reaches the terminal as a command
    check_golden(name, told);
  }
}

TEST_CASE("the JSON holds the fields and the checklist, in English whatever is spoken") {
  const event::Fingerprint base = made("25.2.0"), print = made("25.5.0");
  const Speaking speaking(text::Language::chinese);
  const json::object told = fingerprint_json(print, &base);
  CHECK(compact(told.at("checklist").as_array().at(0)) ==
        R"({"row":"driver","state":"changed","changed":["driver.huawei"]})");
  CHECK(compact(told.at("checklist").as_array().at(3)) == R"({"row":"engine","state":"unknown","changed":[]})");
  CHECK(event::Fingerprint::from_json(told).ok());
}

}  // namespace scoville::report
