#include "telemetry/range_json.hpp"

#include <charconv>
#include <cmath>
#include <map>

#include "base/json.hpp"

namespace scoville::telemetry {
namespace {

Error fault(std::string_view what) {
  return {ErrorCode::invalid_argument, "expected " + std::string(what) + " (an answer of query_range)"};
}

const json::value* member(const json::value* value, std::string_view key) {
  const json::object* const object = value ? value->if_object() : nullptr;
  return object ? object->if_contains(key) : nullptr;
}

/// "1.5", "NaN", "+Inf": a number as the API writes it. Not finite: left out.
bool reads(const json::value& value, double& out) {
  const json::string* const text = value.if_string();
  if (!text) return false;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), out);
  return read.ec == std::errc() && read.ptr == text->data() + text->size() && std::isfinite(out);
}

bool reads_labels(const json::value* metric, Sample& out) {
  const json::object* const labels = metric ? metric->if_object() : nullptr;
  if (!labels) return false;
  for (const auto& [name, value] : *labels) {
    if (!value.is_string()) return false;
    const std::string text(value.as_string());
    if (name == "__name__")
      out.name = text;
    else
      out.labels.push_back({std::string(name), text});
  }
  return !out.name.empty();
}

Status take_series(const json::value& series, std::map<Nanos, std::vector<Sample>>& into) {
  Sample sample;
  if (!reads_labels(member(&series, "metric"), sample)) return fault("a metric with __name__ in each result");
  const json::value* const values = member(&series, "values");
  if (!values || !values->is_array()) return fault("values in each result");
  for (const json::value& each : values->as_array()) {
    const json::array* const pair = each.if_array();
    json::error_code failed;
    const double at = pair && pair->size() == 2 ? (*pair)[0].to_number<double>(failed) : 0;
    if (!pair || pair->size() != 2 || failed || !(std::abs(at) < 1e10)) return fault("values as [time, \"number\"]");
    if (!reads((*pair)[1], sample.value)) continue;
    into[Nanos(std::llround(at * 1000) * 1'000'000)].push_back(sample);
  }
  return Done{};
}

}  // namespace

Result<std::vector<Scrape>> read_range(std::string_view text) {
  json::error_code failed;
  const json::value root = json::parse(text, failed);
  if (failed) return fault("JSON");
  const json::value* const result = member(member(&root, "data"), "result");
  if (!result || !result->is_array()) return fault("data.result");
  std::map<Nanos, std::vector<Sample>> by_time;
  for (const json::value& series : result->as_array()) {
    if (const Status taken = take_series(series, by_time); !taken) return taken.error();
  }
  std::vector<Scrape> out;
  for (auto& [at, samples] : by_time) out.push_back({at, std::move(samples)});
  return out;
}

}  // namespace scoville::telemetry
