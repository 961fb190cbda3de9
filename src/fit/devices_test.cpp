#include "fit/devices.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"

using namespace scoville;
using namespace scoville::fit;

namespace {

constexpr const char* kSmall = R"(
sources:
  sheet: {address: "https://maker.example/sheet", date: 2026-01, confidence: high}
devices:
- id: x1
  vendor: maker
  name: Maker X1
  prints: ["MAKER X1 64G"]
  one_is: die
  designed_for: [inference]
  status: sampled
  source: sheet
  memory_gb: 64
  bandwidth_tb_s: {value: 1.5, confidence: low}
  bf16: 300
  fp8: none
  int8: unknown
  power_w: {value: 400, source: "a forum", date: 2025-05}
- id: x2
  vendor: maker
  memory_gb: 64
  bandwidth_tb_s: {value: 2, source: sheet}
)";

Catalogue small() {
  Result<Catalogue> read = parse_devices(kSmall, "small.yaml");
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return *read;
}

}  // namespace

TEST_CASE("figures come in base units, with the entry's source or their own") {
  const Catalogue catalogue = small();
  const Device& x1 = *catalogue.find("x1");
  CHECK(x1.memory->value == 64e9);
  CHECK(x1.memory->source == "https://maker.example/sheet");
  CHECK(x1.memory->confidence == Confidence::high);
  CHECK(x1.bandwidth->value == 1.5e12);
  CHECK(x1.bandwidth->confidence == Confidence::low);
  CHECK(x1.peak(Precision::bf16).value->value == 300e12);
  CHECK(x1.power->source == "a forum");
  CHECK(x1.power->date == "2025-05");
  CHECK(x1.one_is == OneIs::die);
  CHECK(x1.status == Availability::sampled);
  CHECK(x1.is_for_inference);
  CHECK_FALSE(x1.is_for_training);
}

TEST_CASE("what has no source, or reads unknown, is unknown; none is known to be absent") {
  const Catalogue catalogue = small();
  CHECK_FALSE(catalogue.find("x2")->memory);  // 64, but nobody says so
  CHECK(catalogue.find("x2")->bandwidth->value == 2e12);
  const Device& x1 = *catalogue.find("x1");
  CHECK(x1.peak(Precision::fp8).is_absent);
  CHECK_FALSE(x1.peak(Precision::int8).value);
  CHECK_FALSE(x1.peak(Precision::int8).is_absent);
  CHECK_FALSE(x1.peak(Precision::fp4).value);
}

TEST_CASE("a wrong file is refused with line and field") {
  const auto message = [](const std::string& yaml) {
    const Result<Catalogue> read = parse_devices(yaml, "mine.yaml");
    return read ? std::string() : read.error().message;
  };
  CHECK(message("devices: [{id: a, vendor: b, colour: red}]").find("colour") != std::string::npos);
  CHECK(message("devices: [{id: a, vendor: b, memory_gb: -3}]").find("memory_gb") != std::string::npos);
  CHECK(message("devices: [{id: a, vendor: b, one_is: box}]").find("one_is") != std::string::npos);
  CHECK(message("devices: [{id: a, vendor: b, designed_for: [games]}]").find("inference or training") !=
        std::string::npos);
  CHECK(message("devices: [{vendor: b}]").find("id") != std::string::npos);
}

TEST_CASE("the built-in catalogue: no figure without a source, every id once, each finds itself") {
  const Catalogue& all = built_in_devices();
  CHECK(all.all().size() >= 48);
  for (const Device& each : all.all()) {
    CAPTURE(each.id);
    CHECK(all.find(each.id) == &each);
    CHECK(all.find(each.name) == &each);
    for (const std::string& print : each.prints) CHECK(all.find(print) == &each);
    for (const std::optional<Value>* value : {&each.memory, &each.bandwidth, &each.power, &each.link, &each.cache}) {
      if (*value) CHECK_FALSE((*value)->source.empty());
    }
    for (const Peak& peak : each.peaks) CHECK_FALSE((peak.value && peak.is_absent));
    CHECK((each.is_for_inference || each.is_for_training));
    if (each.memory) CHECK((each.memory->value >= 8e9 && each.memory->value < 1e12));
    if (each.bandwidth) CHECK((each.bandwidth->value > 1e11 && each.bandwidth->value < 3e13));
  }
}

TEST_CASE("what the tools print finds the device") {
  const auto id = [](const char* name) {
    const Device* found = built_in_devices().find(name);
    return found ? found->id : std::string();
  };
  CHECK(id("NVIDIA H200") == "h200-sxm");
  CHECK(id("NVIDIA H100 80GB HBM3") == "h100-sxm");
  CHECK(id("nvidia a100-sxm4-80gb") == "a100-sxm-80");
  CHECK(id("Tesla T4") == "t4");
  CHECK(id("910B2") == "ascend-910b2");
  CHECK(id("H100_SXM") == "h100-sxm");
  CHECK(id("cpu").empty());
  CHECK(id("").empty());
}

TEST_CASE("nearest names of an unknown device") {
  const std::vector<std::string> near = built_in_devices().near("h100");
  REQUIRE_FALSE(near.empty());
  CHECK(near.front().starts_with("h100"));
  CHECK(near.size() <= 5);
  CHECK(built_in_devices().near("cpu").empty());
  CHECK(built_in_devices().near("a complete stranger").empty());
}

TEST_CASE("data sheets that were read: H100, and 910B without a suffix") {
  const Device& h100 = *built_in_devices().find("h100-sxm");
  CHECK(h100.memory->value == 80e9);
  CHECK(h100.bandwidth->value == 3.35e12);
  CHECK(h100.peak(Precision::bf16).value->value == 989e12);
  CHECK(h100.peak(Precision::fp4).is_absent);
  const Device& r300 = *built_in_devices().find("kunlun-r300");
  CHECK_FALSE(r300.bandwidth);
}

TEST_CASE("a file of one's own goes over the built-in catalogue") {
  environment::MadeFolder folder;
  folder.file("mine.yaml",
              "devices:\n- {id: h100-sxm, vendor: nvidia, source: mine, memory_gb: 79}\n- {id: box, vendor: me}\n");
  const Result<Catalogue> read = devices_with(folder / "mine.yaml");
  REQUIRE(read.ok());
  CHECK(read->find("h100-sxm")->memory->value == 79e9);
  CHECK_FALSE(read->find("h100-sxm")->bandwidth);  // the entry is replaced as a whole
  CHECK(read->find("box"));
  CHECK(read->find("h200-sxm"));
  CHECK_FALSE(devices_with(folder / "none.yaml").ok());
}
