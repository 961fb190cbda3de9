#include "probe/survey.hpp"
#include "base/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scoville::probe {
namespace {

constexpr std::array<std::string_view, kPartCount> kParts{"gemm", "bandwidth", "latency",
                                                          "copy", "launch",    "attention"};
constexpr std::array<const char*, 7> kAllTypes{"fp64", "fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "int8"};
constexpr int kMostDeaths = 5;

std::optional<double> number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_number() ? std::optional(value->to_number<double>()) : std::nullopt;
}

std::vector<std::string> texts_in(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::value* value = object.if_contains(key);
  if (!value || !value->is_array()) return out;
  for (const json::value& each : value->as_array()) {
    if (each.is_string()) out.emplace_back(each.as_string());
  }
  return out;
}

bool is_death(const Fault& fault) { return fault.reason == Reason::crash || fault.reason == Reason::timeout; }

/// One question with a list of items, a row each.
struct Listed {
  Part part;
  std::string what;     ///< for `missing`
  json::object params;  ///< without the list
  std::string list;     ///< its key
  std::vector<json::value> items;
  std::function<bool(const json::object& row, const json::value& item)> answers;
  std::function<void(const json::object& row)> take;
  std::function<json::object(const json::value& item)> row_of;  ///< a row that says which item it is, for a fault
};

class Surveyor {
 public:
  Surveyor(const Description& description, const SurveyPlan& plan, const Asker& ask,
           const std::function<bool()>& is_over)
      : ask_(ask), is_over_(is_over), shapes_(built_in_shapes(description.kind(plan.device), plan.level)) {
    found_.description = description;
    found_.plan = plan;
    found_.dtypes = types();
  }

  Survey run() {
    for (const Part part : found_.plan.parts) {
      if (is_over_()) break;
      if (!found_.description.answers(name_of(part))) {
        found_.missing.push_back({part, "", {Reason::not_implemented, ""}});
        continue;
      }
      measure(part);
    }
    return std::move(found_);
  }

 private:
  void measure(Part part) {
    switch (part) {
      case Part::gemm:
        return gemm();
      case Part::bandwidth:
        return bandwidth();
      case Part::latency:
        return latency();
      case Part::copy:
        return copy();
      case Part::launch:
        return launch();
      case Part::attention:
        return attention();
    }
  }

  std::vector<std::string> types() const {
    if (!found_.plan.dtypes.empty()) return found_.plan.dtypes;
    if (found_.description.dtypes.empty()) return {"fp32", "bf16"};
    std::vector<std::string> out;
    for (const char* each : kAllTypes) {
      if (std::ranges::find(found_.description.dtypes, each) != found_.description.dtypes.end()) out.emplace_back(each);
    }
    return out;
  }

  Request request(Part part, json::object params) const {
    json::object timing = shapes_.timing;
    timing["cold"] = found_.plan.is_cold_too && (part == Part::gemm || part == Part::bandwidth);
    params["timing"] = std::move(timing);
    if (found_.plan.threads > 0) params["threads"] = found_.plan.threads;
    return {std::string(name_of(part)), found_.plan.device, std::move(params), found_.plan.silence};
  }

  void miss(Part part, const std::string& what, const Fault& fault) { found_.missing.push_back({part, what, fault}); }

  void ask_listed(Listed asked) {
    for (int deaths = 0; !asked.items.empty() && !is_over_();) {
      json::object params = asked.params;
      params[asked.list] = json::array(asked.items.begin(), asked.items.end());
      const Outcome outcome = ask_(request(asked.part, std::move(params)));
      for (const json::object& row : outcome.rows) {
        asked.take(row);
        std::erase_if(asked.items, [&](const json::value& item) { return asked.answers(row, item); });
      }
      if (!outcome.fault) return;
      if (!is_death(*outcome.fault) || asked.items.empty()) return miss(asked.part, asked.what, *outcome.fault);
      json::object row = asked.row_of(asked.items.front());
      row["fault"] = {{"reason", std::string(name_of(outcome.fault->reason))}, {"message", outcome.fault->message}};
      asked.take(row);
      asked.items.erase(asked.items.begin());
      if (++deaths == kMostDeaths && !asked.items.empty()) return miss(asked.part, asked.what, *outcome.fault);
    }
  }

  static bool has_same(const json::object& row, const json::value& item, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(
        keys, [&](std::string_view key) { return number_in(row, key) == number_in(item.as_object(), key); });
  }

  void gemm() {
    for (const std::string& dtype : found_.dtypes) {
      ask_listed({Part::gemm,
                  dtype,
                  {{"dtypes", json::array{json::string(dtype)}}, {"verify", true}},
                  "shapes",
                  {shapes_.gemm.begin(), shapes_.gemm.end()},
                  [](const json::object& row, const json::value& item) {
                    return has_same(row, item, {"m", "n", "k"}) &&
                           (!row.contains("label") || text_in(row, "label") == text_in(item.as_object(), "label"));
                  },
                  [&](const json::object& row) { found_.gemm.push_back(gemm_point(row)); },
                  [&](const json::value& item) { return labelled(item, dtype); }});
    }
  }

  void attention() {
    for (const std::string& dtype : found_.dtypes) {
      if (dtype == "int8" || dtype == "tf32" || dtype == "fp64" || dtype.starts_with("fp8")) continue;
      ask_listed({Part::attention,
                  dtype,
                  {{"dtypes", json::array{json::string(dtype)}}},
                  "shapes",
                  {shapes_.attention.begin(), shapes_.attention.end()},
                  [](const json::object& row, const json::value& item) {
                    return has_same(row, item, {"heads", "kv_heads", "head_dim", "query_len", "kv_len"});
                  },
                  [&](const json::object& row) { found_.attention.push_back(attention_point(row)); },
                  [&](const json::value& item) { return labelled(item, dtype); }});
    }
  }

  static json::object labelled(const json::value& item, const std::string& dtype) {
    json::object row = item.as_object();
    row["dtype"] = dtype;
    return row;
  }

  /// Four times the last-level cache, so that nothing of an array is left in it; not above a twelfth of the memory.
  double array_bytes() const {
    const double least = std::max(shapes_.bandwidth_bytes, 4 * found_.description.last_cache_bytes().value_or(0));
    const std::optional<double> memory = number_in(found_.description.device, "memory_bytes");
    return memory && *memory > 0 ? std::min(least, std::floor(*memory / 12 / 4096) * 4096) : least;
  }

  void bandwidth() {
    const bool is_cpu = found_.description.kind(found_.plan.device) == "cpu";
    for (const char* stores : {"regular", "non_temporal"}) {
      if (!is_cpu && std::string_view(stores) != "regular") continue;
      ask_listed({Part::bandwidth,
                  stores,
                  {{"stores", json::array{stores}}, {"bytes", json::array{array_bytes()}}},
                  "operations",
                  {"copy", "mul", "add", "triad", "read", "write"},
                  [](const json::object& row, const json::value& item) {
                    return text_in(row, "operation") == item.as_string();
                  },
                  [&](const json::object& row) { found_.bandwidth.push_back(bandwidth_point(row)); },
                  [&](const json::value& item) {
                    return json::object{{"operation", item}, {"stores", stores}, {"array_bytes", array_bytes()}};
                  }});
    }
    ask_bytes(Part::bandwidth, "sweep", {{"stores", json::array{"regular"}}, {"operations", json::array{"triad"}}},
              shapes_.sweep_bytes, "array_bytes",
              [&](const json::object& row) { found_.sweep.push_back(bandwidth_point(row)); });
  }

  void latency() {
    ask_bytes(Part::latency, "", {}, shapes_.latency_bytes, "working_set_bytes",
              [&](const json::object& row) { found_.latency.push_back(latency_point(row)); });
  }

  void copy() {
    for (const char* direction : {"h2d", "d2h", "d2d"}) {
      for (const bool is_pinned : {true, false}) {
        const bool is_inside = std::string_view(direction) == "d2d";
        if (is_inside && is_pinned) continue;
        ask_bytes(Part::copy, direction, {{"directions", json::array{direction}}, {"pinned", json::array{is_pinned}}},
                  shapes_.copy_bytes, "bytes", [&, is_inside](json::object row) {
                    if (is_inside) row.erase("pinned");
                    found_.copies.push_back(copy_point(row));
                  });
      }
    }
  }

  /// One question by sizes; `key` tells the size in a row. A probe may round sizes a little.
  void ask_bytes(Part part, const std::string& what, json::object params, const std::vector<double>& sizes,
                 const std::string& key, std::function<void(const json::object&)> take) {
    std::vector<json::value> items;
    for (const double each : sizes) items.emplace_back(static_cast<std::int64_t>(each));
    const json::object about = params;
    ask_listed({part, what, std::move(params), "bytes", std::move(items),
                [key](const json::object& row, const json::value& item) {
                  const double wanted = item.to_number<double>();
                  return std::abs(number_in(row, key).value_or(0) - wanted) <= 0.1 * wanted;
                },
                std::move(take),
                [key, about](const json::value& item) {
                  json::object row{{key, item}};
                  const auto first = [&](const char* list, const char* name) {
                    if (const json::value* of = about.if_contains(list)) row[name] = of->as_array().at(0);
                  };
                  first("directions", "direction");
                  first("pinned", "pinned");
                  first("operations", "operation");
                  first("stores", "stores");
                  return row;
                }});
  }

  void launch() {
    const Outcome outcome = ask_(request(Part::launch, {}));
    for (const json::object& row : outcome.rows) found_.launches.push_back(launch_point(row));
    if (outcome.fault) miss(Part::launch, "", *outcome.fault);
  }

  const Asker& ask_;
  const std::function<bool()>& is_over_;
  const ShapeSet& shapes_;
  Survey found_;
};

}  // namespace

std::string_view name_of(Part part) { return kParts[static_cast<std::size_t>(part)]; }

bool Description::answers(std::string_view ask) const { return std::ranges::find(asks, ask) != asks.end(); }

std::string Description::kind(const std::string& device_id) const {
  const std::string told_kind = text_in(device, "kind");
  return !told_kind.empty() ? told_kind : device_id.starts_with("cpu") ? "cpu" : "accelerator";
}

std::optional<double> Description::last_cache_bytes() const { return number_in(device, "llc_bytes"); }
std::string Description::device_name() const { return text_in(device, "name"); }

Description read_description(json::object told, const std::string& device_id) {
  Description out;
  out.probe = text_in(told, "probe");
  out.asks = texts_in(told, "asks");
  out.dtypes = texts_in(told, "dtypes");
  if (const auto threads = number_in(told, "threads")) out.threads = static_cast<int>(*threads);
  if (const json::value* stack = told.if_contains("stack"); stack && stack->is_object()) out.stack = stack->as_object();
  if (const json::value* devices = told.if_contains("devices"); devices && devices->is_array()) {
    for (const json::value& each : devices->as_array()) {
      if (!each.is_object()) continue;
      out.has_devices = true;
      const std::string id = text_in(each.as_object(), "id");
      if (out.device.empty() && (id == device_id || id == device_id + ":0")) out.device = each.as_object();
    }
  }
  out.told = std::move(told);
  return out;
}

bool Survey::has_anything() const {
  const auto some = [](const auto& points) { return std::ranges::any_of(points, &Point::is_good); };
  return some(gemm) || some(bandwidth) || some(sweep) || some(latency) || some(copies) || some(launches) ||
         some(attention);
}

Survey survey(const Description& description, const SurveyPlan& plan, const Asker& ask,
              const std::function<bool()>& is_over) {
  return Surveyor(description, plan, ask, is_over).run();
}

}  // namespace scoville::probe
