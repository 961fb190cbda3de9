#include "cli/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/json_fields.hpp"
#include "base/rng.hpp"
#include "cli/parameter.hpp"

namespace scoville::cli {
namespace {

using decide::Choices;
using text::Msg;
using text::say;

constexpr std::size_t kMostValues = 1000;
constexpr double kMostNumber = 1e7, kLeastNumber = 1e-6;
constexpr const char* kSchema = "scoville.sweep_plan/1";

struct AxisName {
  std::string_view name, vllm, flag;
  bool is_whole = true;
};
constexpr std::array<AxisName, 4> kAxes{AxisName{"rate", "request-rate", "--request-rate", false},
                                        AxisName{"concurrency", "max-concurrency", "--max-concurrency"},
                                        AxisName{"input-len", "random-input-len", "--random-input-len"},
                                        AxisName{"output-len", "random-output-len", "--random-output-len"}};

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

std::string plain(double value) { return fmt::format("{:.12g}", value); }

/// "1:64:x2", "1:9:+2": the end is included where it is met. Empty: not of this form.
std::vector<double> range(std::string_view given) {
  const std::vector<std::string_view> parts = split(given, ":");
  if (parts.size() != 3 || parts[2].size() < 2) return {};
  const bool is_factor = parts[2].front() == 'x';
  if (!is_factor && parts[2].front() != '+') return {};
  const auto from = parse_number(parts[0], kLeastNumber, kMostNumber);
  const auto to = parse_number(parts[1], kLeastNumber, kMostNumber);
  const auto by = parse_number(parts[2].substr(1), is_factor ? 1.0001 : kLeastNumber, kMostNumber);
  if (!from || !to || !by || *to < *from) return {};
  constexpr double rounding = 1e-9;
  std::vector<double> out;
  double value = *from;
  while (value <= *to * (1 + rounding) && out.size() <= kMostValues) {
    out.push_back(value);
    value = is_factor ? value * *by : *from + static_cast<double>(out.size()) * *by;
  }
  return out;
}

bool is_whole(double value) { return value >= 1 && value == std::floor(value); }

/// The values of one part of a list; empty: not good.
std::vector<std::string> values_of(std::string_view part, const AxisName& axis) {
  if (part == "inf" && !axis.is_whole) return {"inf"};
  std::vector<double> numbers;
  if (part.find(':') != std::string_view::npos) {
    numbers = range(part);
  } else if (const auto one = parse_number(part, kLeastNumber, kMostNumber)) {
    numbers = {*one};
  }
  std::vector<std::string> out;
  for (const double each : numbers) {
    if (axis.is_whole && !is_whole(each)) return {};
    out.push_back(plain(each));
  }
  return out;
}

Status check_distinct(const Axis& axis) {
  for (std::size_t i = 1; i < axis.values.size(); ++i) {
    const auto at = axis.values.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(axis.values.begin(), at, *at) != at) return usage(say(Msg::sweep_value_twice, axis.name, *at));
  }
  return Done{};
}

std::vector<Choices> combinations(const std::vector<Axis>& axes) {
  std::vector<Choices> out{{}};
  for (const Axis& axis : axes) {
    std::vector<Choices> longer;
    for (const Choices& each : out) {
      for (const std::string& value : axis.values) {
        longer.push_back(each);
        longer.back().emplace_back(axis.name, value);
      }
    }
    out = std::move(longer);
  }
  return out;
}

json::object choices_json(const Choices& choices) {
  json::object out;
  for (const auto& [name, value] : choices) out[name] = json::string(value);
  return out;
}

Choices choices_from(const json::value& value) {
  Choices out;
  if (const json::object* const object = value.if_object()) {
    for (const auto& each : *object) {
      if (each.value().is_string()) out.emplace_back(each.key(), each.value().as_string());
    }
  }
  return out;
}

const json::array* array_of(const json::value& value, std::string_view key) {
  const json::object* const object = value.if_object();
  const json::value* const found = object ? object->if_contains(key) : nullptr;
  return found ? found->if_array() : nullptr;
}

template <class Archive, class Plan>
void plan_fields(Archive& archive, Plan& plan) {
  archive("repeats", plan.repeats);
  archive("seed", plan.seed);
  archive("in_order", plan.is_in_order);
  archive("at_user_rate", plan.at);
  archive("device_hour", plan.device_hour);
}

}  // namespace

Result<Axis> parse_load_axis(std::string_view given) {
  const std::size_t mark = given.find('=');
  const std::string_view name = given.substr(0, mark);
  const auto* const axis = std::find_if(kAxes.begin(), kAxes.end(),
                                        [&](const AxisName& each) { return name == each.name || name == each.vllm; });
  if (axis == kAxes.end() || mark == std::string_view::npos) return usage(say(Msg::sweep_expected_axis));
  Axis out{std::string(axis->name), {}};
  for (const std::string_view part : split(given.substr(mark + 1), ",")) {
    const std::vector<std::string> values = values_of(part, *axis);
    if (values.empty()) return usage(say(Msg::sweep_expected_values, axis->name));
    out.values.insert(out.values.end(), values.begin(), values.end());
  }
  if (out.values.empty() || out.values.size() > kMostValues) return usage(say(Msg::sweep_expected_values, axis->name));
  if (const Status distinct = check_distinct(out); !distinct) return distinct.error();
  return out;
}

Result<Axis> parse_setting_axis(std::string_view given) {
  const std::size_t mark = given.find('=');
  if (mark == std::string_view::npos || mark == 0) return usage(say(Msg::sweep_expected_setting));
  Axis out{std::string(given.substr(0, mark)), {}};
  for (const std::string_view part : split(given.substr(mark + 1), ",")) out.values.emplace_back(part);
  if (out.values.empty() || out.values.size() > kMostValues) return usage(say(Msg::sweep_expected_setting));
  if (const Status distinct = check_distinct(out); !distinct) return distinct.error();
  return out;
}

std::string_view flag_of_axis(std::string_view axis) {
  for (const AxisName& each : kAxes) {
    if (each.name == axis) return each.flag;
  }
  SCOVILLE_CHECK(false, "an axis of a load has a flag");
  return "";
}

SweepPlan make_plan(const std::vector<Axis>& settings, const std::vector<Axis>& loads, std::size_t repeats,
                    std::uint64_t seed, bool is_in_order) {
  SweepPlan out;
  out.repeats = repeats;
  out.seed = seed;
  out.is_in_order = is_in_order;
  out.settings = combinations(settings);
  const std::vector<Choices> each_load = combinations(loads);
  for (std::size_t s = 0; s < out.settings.size(); ++s) {
    const std::size_t first = out.points.size();
    for (const Choices& load : each_load) {
      decide::SweepPoint& point = out.points.emplace_back();
      point.settings = s;
      point.load = load;
    }
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
      std::vector<std::size_t> round(each_load.size());
      std::iota(round.begin(), round.end(), first);
      Rng rng(seed, s, repeat);
      for (std::size_t i = round.size(); !is_in_order && i > 1; --i) std::swap(round[i - 1], round[rng.below(i)]);
      for (const std::size_t point : round) out.order.push_back({point, repeat});
    }
  }
  return out;
}

json::object to_json(const SweepPlan& plan) {
  JsonOut fields;
  plan_fields(fields, plan);
  json::object out{{"schema", kSchema}};
  for (auto& [key, value] : std::move(fields).object()) out[key] = value;
  json::array settings, points, order;
  for (const Choices& each : plan.settings) settings.push_back(choices_json(each));
  for (const decide::SweepPoint& each : plan.points)
    points.push_back(json::object{{"settings", each.settings}, {"load", choices_json(each.load)}});
  for (const SweepStep& each : plan.order) order.push_back(json::array{each.point, each.repeat});
  out["settings"] = std::move(settings);
  out["points"] = std::move(points);
  out["order"] = std::move(order);
  out["options"] = plan.options;
  return out;
}

Result<SweepPlan> sweep_plan_from(const json::value& value) {
  SweepPlan out;
  JsonIn in(value, "sweep");
  std::string schema;
  in("schema", schema);
  plan_fields(in, out);
  if (Status read = in.status(); !read) return read.error();
  const json::array *const settings = array_of(value, "settings"), *const points = array_of(value, "points");
  const json::array *const order = array_of(value, "order"), *const options = array_of(value, "options");
  if (schema != kSchema || !settings || !points || !order || !options || settings->empty())
    return usage("sweep: expected " + std::string(kSchema));
  for (const json::value& each : *settings) out.settings.push_back(choices_from(each));
  for (const json::value& each : *points) {
    JsonIn point(each, "sweep.points");
    point("settings", out.points.emplace_back().settings);
    if (Status read = point.status(); !read) return read.error();
    if (out.points.back().settings >= out.settings.size()) return usage("sweep.points: no such settings");
    out.points.back().load = choices_from(each.as_object().contains("load") ? each.at("load") : json::value(nullptr));
  }
  for (const json::value& each : *order) {
    const json::array* const step = each.if_array();
    json::error_code no_point, no_repeat;
    const bool is_pair = step && step->size() == 2;
    const auto point = is_pair ? step->at(0).to_number<std::size_t>(no_point) : 0;
    const auto repeat = is_pair ? step->at(1).to_number<std::size_t>(no_repeat) : 0;
    if (!is_pair || no_point || no_repeat) return usage("sweep.order: expected pairs of numbers");
    out.order.push_back({point, repeat});
    if (out.order.back().point >= out.points.size()) return usage("sweep.order: no such point");
  }
  out.options = *options;
  return out;
}

}  // namespace scoville::cli
