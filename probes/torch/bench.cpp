#include "bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "about.hpp"
#include "cores.hpp"
#include "explain.hpp"
#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

constexpr std::int64_t kLeastBallast = std::int64_t{512} << 20;  // above the last-level cache of any device known

[[noreturn]] void refuse(std::string_view key, const char* expected) {
  throw std::invalid_argument(std::string(key) + ": " + expected + " expected");
}

const json::array* array_in(const probe::Question& question, std::string_view key) {
  const json::value* value = question.params.if_contains(key);
  if (!value || value->is_null()) return nullptr;
  if (!value->is_array()) refuse(key, "a list");
  return &value->as_array();
}

std::int64_t whole(const json::value& value, std::string_view key) {
  if (!value.is_number()) refuse(key, "a whole number");
  const auto number = value.to_number<double>();
  if (!(number >= 1 && number <= 1e15)) refuse(key, "a whole number of at least 1");
  return static_cast<std::int64_t>(number);
}

double number_in(const json::object& object, std::string_view key, double fallback) {
  const json::value* value = object.if_contains(key);
  if (!value || value->is_null()) return fallback;
  if (!value->is_number() || value->to_number<double>() < 0) refuse(key, "a number of at least 0");
  return value->to_number<double>();
}

Nanos millis_in(const json::object& object, std::string_view key, Nanos fallback) {
  const double usual = static_cast<double>(fallback.count()) / 1e6;
  return Nanos(static_cast<std::int64_t>(number_in(object, key, usual) * 1e6));
}

c10::Device existing(const std::string& name) {
  const c10::Device device = device_named(name);
  std::string why = "there is none";
  const int count = count_of(device.type(), &why);
  if (count == 0) throw Trouble(probe::Reason::no_device, why);
  if (device.has_index() && device.index() >= count) {
    throw Trouble(probe::Reason::no_device, device.str() + ": there are " + std::to_string(count));
  }
  return device;
}

bool is_lazy(const c10::Device& device) {
  return device.type() == c10::DeviceType::XLA || device.type() == c10::DeviceType::HPU ||
         device.type() == c10::DeviceType::Lazy;
}

std::int64_t ballast_bytes() {
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::max(kLeastBallast, cache > 0 ? 2 * std::int64_t{cache} : 0);
}

}  // namespace

std::vector<json::object> objects_in(const probe::Question& question, std::string_view key) {
  const json::array* const given = array_in(question, key);
  if (!given || given->empty()) refuse(key, "a list of objects");
  std::vector<json::object> objects;
  for (const json::value& each : *given) {
    if (!each.is_object()) refuse(key, "a list of objects");
    objects.push_back(each.as_object());
  }
  return objects;
}

std::vector<std::string> texts_in(const probe::Question& question, std::string_view key,
                                  std::vector<std::string> usual) {
  const json::array* const given = array_in(question, key);
  if (!given) return usual;
  std::vector<std::string> texts;
  for (const json::value& each : *given) {
    if (!each.is_string()) refuse(key, "a list of names");
    texts.emplace_back(each.as_string());
  }
  return texts;
}

std::vector<std::int64_t> sizes_in(const probe::Question& question, std::string_view key,
                                   std::vector<std::int64_t> usual) {
  const json::array* const given = array_in(question, key);
  if (!given) return usual;
  std::vector<std::int64_t> sizes;
  for (const json::value& each : *given) sizes.push_back(whole(each, key));
  return sizes;
}

std::int64_t size_in(const json::object& shape, std::string_view key, std::int64_t fallback) {
  const json::value* const value = shape.if_contains(key);
  if (value && !value->is_null()) return whole(*value, key);
  if (fallback == 0) refuse(key, "a whole number of at least 1");
  return fallback;
}

json::value label_of(const json::object& shape) {
  const json::value* const label = shape.if_contains("label");
  return label ? *label : json::value();
}

Bench::Bench(const probe::Question& question)
    : device_(existing(question.device)), seed_(static_cast<std::uint64_t>(question.number("seed", 1))) {
  if (const json::value* timing = question.params.if_contains("timing"); timing && !timing->is_null()) {
    if (!timing->is_object()) refuse("timing", "an object");
    timing_ = timing->as_object();
  }
  const json::value* const cold = timing_.if_contains("cold");
  is_cold_wanted_ = cold && cold->is_bool() && cold->as_bool();
  const double asked = question.number("threads", 0);
  if (!(asked >= 0 && asked <= 4096)) refuse("threads", "a number between 0 and 4096");
  use_threads(static_cast<int>(asked));
  threads_ = at::get_num_threads();
  is_oversubscribed_ = threads_ > cores().count;
}

probe::TimingPlan Bench::plan(probe::Heat heat) const {
  probe::TimingPlan plan;
  plan.heat = heat;
  plan.warm_up = millis_in(timing_, "warm_up_ms", plan.warm_up);
  plan.sample = millis_in(timing_, "sample_ms", plan.sample);
  plan.most_time = millis_in(timing_, "most_time_ms", plan.most_time);
  plan.least_samples = static_cast<std::size_t>(number_in(timing_, "least_samples", 10));
  plan.most_samples = std::max<std::size_t>(1, static_cast<std::size_t>(number_in(timing_, "most_samples", 1000)));
  return plan;
}

void Bench::synchronise(const at::Tensor& watched) const {
  if (watched.defined() && watched.numel() > 0 && is_lazy(device_)) watched.flatten()[0].item();
  torch_probe::synchronise(device_);
}

void Bench::flush() {
  if (!ballast_.defined()) {
    ballast_ = at::empty({ballast_bytes()}, at::TensorOptions().dtype(at::kByte).device(device_));
  }
  ballast_.add_(1);  // read and written: neither inputs nor outputs are left in a cache
  synchronise(ballast_);
}

void Bench::time(const std::function<void()>& call, const at::Tensor& watched, json::object& row) {
  const probe::Subject subject{call, [&] { synchronise(watched); }, [&] { flush(); }};
  row["hot"] = probe::timing_json(probe::measure(subject, plan()));
  if (is_cold_wanted_) row["cold"] = probe::timing_json(probe::measure(subject, plan(probe::Heat::cold)));
  note_threads(row);
}

void Bench::note_threads(json::object& row) const {
  row["threads"] = threads_;
  if (is_oversubscribed_) row["marks"] = json::array{"oversubscribed"};
}

void tell(probe::Speaker& speaker, json::object row, const std::function<void(json::object&)>& measure) {
  json::object measured = row;
  const auto fail = [&](const probe::Fault& fault) {
    measured = std::move(row);
    measured["fault"] = {{"reason", std::string(probe::name_of(fault.reason))}, {"message", fault.message}};
  };
  try {
    measure(measured);
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::bad_alloc&) {
    fail({probe::Reason::oom, "out of memory"});
  } catch (const std::exception& failure) {
    fail(explain(failure));
  }
  speaker.row(std::move(measured));
}

}  // namespace scoville::torch_probe
