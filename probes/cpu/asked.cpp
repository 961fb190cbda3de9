#include "asked.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/clock.hpp"
#include "flush.hpp"

namespace scoville::cpu_probe {
namespace {

using probe::Question;

constexpr double kMost = 1e15;

[[noreturn]] void refuse(std::string_view key, const char* expected) {
  throw std::invalid_argument(std::string(key) + ": " + expected + " expected");
}

const json::array* array_at(const Question& question, std::string_view key) {
  const json::value* value = question.params.if_contains(key);
  if (!value || value->is_null()) return nullptr;
  if (!value->is_array()) refuse(key, "a list");
  return &value->as_array();
}

std::size_t size_of(const json::value& value, std::string_view key) {
  const double number = value.is_number() ? value.to_number<double>() : 0;
  if (!(number >= 1 && number <= kMost)) refuse(key, "a positive whole number");
  return static_cast<std::size_t>(number);
}

double number_in(const json::object& object, const char* key, double fallback, double most) {
  const json::value* value = object.if_contains(key);
  if (!value || value->is_null()) return fallback;
  const double number = value->is_number() ? value->to_number<double>() : -1;
  if (!(number >= 0 && number <= most)) refuse(std::string("timing.") + key, "a number of at least 0");
  return number;
}

Nanos millis(double number) { return Nanos(static_cast<Nanos::rep>(number * 1e6)); }

void scale(probe::Timing& timing, double times) {
  for (double* each : {&timing.first_call, &timing.min, &timing.p5, &timing.median, &timing.p95, &timing.mean,
                       &timing.stdev, &timing.iqr}) {
    *each /= times;
  }
  timing.calls_per_sample = static_cast<std::size_t>(static_cast<double>(timing.calls_per_sample) * times);
}

/// Nanoseconds that our threads were ready to run and did not, because a processor was with somebody else.
double waited() {
  double all = 0;
  std::error_code failed;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    std::ifstream file(task.path() / "schedstat");
    double ran = 0, delayed = 0;
    if (file >> ran >> delayed) all += delayed;
  }
  return all;
}

}  // namespace

AskedTiming asked_timing(const Question& question) {
  AskedTiming asked;
  const json::value* value = question.params.if_contains("timing");
  if (!value || value->is_null()) return asked;
  if (!value->is_object()) refuse("timing", "an object");
  const json::object& object = value->as_object();
  constexpr double kHour = 3600e3;
  probe::TimingPlan& plan = asked.plan;
  plan.warm_up = millis(number_in(object, "warm_up_ms", 100, kHour));
  plan.sample = millis(number_in(object, "sample_ms", 5, kHour));
  plan.least_samples = static_cast<std::size_t>(std::max(1.0, number_in(object, "least_samples", 10, 1e6)));
  plan.most_samples = static_cast<std::size_t>(std::max(1.0, number_in(object, "most_samples", 1000, 1e6)));
  plan.most_time = millis(number_in(object, "most_time_ms", 1000, kHour));
  const json::value* cold = object.if_contains("cold");
  if (cold && !cold->is_bool() && !cold->is_null()) refuse("timing.cold", "true or false");
  asked.is_cold_too = cold && cold->is_bool() && cold->as_bool();
  return asked;
}

std::vector<std::size_t> asked_sizes(const Question& question, std::string_view key,
                                     std::vector<std::size_t> fallback) {
  const json::array* array = array_at(question, key);
  if (!array) return fallback;
  std::vector<std::size_t> sizes;
  for (const json::value& each : *array) sizes.push_back(size_of(each, key));
  return sizes;
}

std::vector<std::string> asked_words(const Question& question, std::string_view key,
                                     std::vector<std::string> fallback) {
  const json::array* array = array_at(question, key);
  if (!array) return fallback;
  std::vector<std::string> words;
  for (const json::value& each : *array) {
    if (!each.is_string()) refuse(key, "a list of words");
    words.emplace_back(each.as_string());
  }
  return words;
}

std::vector<json::object> asked_objects(const Question& question, std::string_view key) {
  std::vector<json::object> objects;
  const json::array* array = array_at(question, key);
  if (!array) return objects;
  for (const json::value& each : *array) {
    if (!each.is_object()) refuse(key, "a list of objects");
    objects.push_back(each.as_object());
  }
  return objects;
}

std::size_t size_in(const json::object& object, std::string_view key, std::optional<std::size_t> fallback) {
  const json::value* value = object.if_contains(key);
  if (value && !value->is_null()) return size_of(*value, key);
  if (!fallback) refuse(key, "a positive whole number");
  return *fallback;
}

void put_times(json::object& row, probe::Subject subject, const AskedTiming& timing, double times) {
  subject.is_synchronous = true;
  constexpr double kMuch = 0.05;
  const double before = waited();
  const Instant begin = now();
  probe::Timing hot = probe::measure(subject, timing.plan);
  const double share = (waited() - before) / (to_seconds(now() - begin) * 1e9);
  row["waited_share"] = share;
  if (share > kMuch) hot.is_noisy = true;
  scale(hot, times);
  row["hot"] = probe::timing_json(hot);
  if (!timing.is_cold_too || times != 1) return;
  probe::TimingPlan plan = timing.plan;
  plan.heat = probe::Heat::cold;
  plan.warm_up = Nanos(0);
  subject.flush = flush_caches;
  row["cold"] = probe::timing_json(probe::measure(subject, plan));
}

}  // namespace scoville::cpu_probe
