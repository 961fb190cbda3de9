#include "report/fit.hpp"

#include <doctest/doctest.h>

#include "fit/made_shape.hpp"

using namespace scoville;
using namespace scoville::report;

namespace {

FitView view_of(std::initializer_list<const char*> devices, const std::string& engine = "") {
  FitView view{"models/llama", fit::llama_8b(), {}};
  view.shape.name = "Llama-3.1-8B";
  fit::Ask ask;
  ask.context = 8192;
  ask.concurrency = 16;
  ask.engine = engine;
  for (const char* each : devices)
    view.answers.push_back(fit::work_out(view.shape, *fit::built_in_devices().find(each), ask));
  return view;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("devices side by side: figures, what is not known and why, who says so") {
  const std::string table = fit_table(view_of({"h100-sxm", "kunlun-p800"}));
  CAPTURE(table);
  CHECK(has(table, "h100-sxm"));
  CHECK(has(table, "8.03 B weights"));
  CHECK(has(table, "131 kB"));   // 131072 B
  CHECK(has(table, "53.9 GB"));  // room
  CHECK(has(table, "9.61 ms"));  // (15009849344 + 16·131072·8192) / 3.35e12
  CHECK(has(table, "kunlun-p800: nobody with a source says how much memory it has"));
  CHECK(has(table, "h100-sxm: memory, bandwidth, peak from https://github.com/stas00/ml-engineering"));
  CHECK_FALSE(has(table, "general knowledge"));  // says its power alone: not used here
  CHECK(has(table, "Model-based"));
}

TEST_CASE("an engine's row comes with the statements behind it") {
  const std::string table = fit_table(view_of({"h100-sxm"}, "vllm"));
  CHECK(has(table, "vllm loads it"));
  CHECK(has(table, "https://"));
  CHECK_FALSE(has(fit_table(view_of({"h100-sxm"})), "loads it"));
}

TEST_CASE("JSON: what is not known is null, each figure of a device has its source") {
  const json::object object = fit_json(view_of({"h100-sxm", "kunlun-p800"}, "vllm"));
  CHECK(object.at("schema") == "scoville.fit/1");
  CHECK(object.at("is_measured") == false);
  CHECK(object.at("model").at("weights_from") == "shape");
  const json::value& known = object.at("answers").at(0);
  CHECK(known.at("fits") == "yes");
  CHECK(known.at("largest_concurrency").to_number<double>() == 50);
  CHECK(known.at("tpot").at("bound") == "memory");
  CHECK(known.at("tpot").at("floor_ms").to_number<double>() == doctest::Approx(9.6089).epsilon(1e-4));
  CHECK(known.at("device").at("memory_bytes").at("confidence") == "medium");
  CHECK(known.at("device").at("operations_per_s").at("fp4") == "none");
  CHECK(known.at("engine").at("loads") == "yes");
  const json::value& unknown = object.at("answers").at(1);
  CHECK(unknown.at("fits") == "unknown");
  CHECK(unknown.at("tpot").at("floor_ms").is_null());
  CHECK(unknown.at("tpot").at("twice_compute_ms").is_null());
  CHECK(unknown.at("device").at("memory_bytes").is_null());
  CHECK(unknown.at("lacks").as_array().size() >= 3);
}

TEST_CASE("the catalogue: a line a device, every source in JSON") {
  const std::string table = devices_table(fit::built_in_devices());
  for (const fit::Device& each : fit::built_in_devices().all()) CHECK(has(table, each.id.c_str()));
  const json::object object = devices_json(fit::built_in_devices());
  CHECK(object.at("devices").as_array().size() == fit::built_in_devices().all().size());
}

TEST_CASE("bytes for people") {
  CHECK(bytes_text(80e9) == "80 GB");
  CHECK(bytes_text(131072) == "131 kB");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(-2e9) == "-2 GB");
  CHECK(bytes_text(std::nullopt) == "unknown");
  CHECK(bandwidth_text(3.35e12) == "3.35 TB/s");
}
