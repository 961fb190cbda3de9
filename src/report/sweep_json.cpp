#include "report/sweep.hpp"

namespace scoville::report {
namespace {

using decide::Choices;
using decide::SweepFrontier;
using decide::SweepOutcome;
using decide::SweepPoint;

constexpr const char* kSchema = "scoville.sweep/1";

json::object choices_json(const Choices& choices) {
  json::object out;
  for (const auto& [name, value] : choices) out[name] = json::string(value);
  return out;
}

json::array places_json(const std::vector<std::size_t>& places) {
  json::array out;
  for (const std::size_t each : places) out.push_back(each);
  return out;
}

json::value place_or_null(const std::optional<std::size_t>& place) {
  return place ? json::value(*place) : json::value(nullptr);
}

json::array runs_json(const SweepPoint& point) {
  json::array out;
  for (const decide::SweepRun& each : point.runs) {
    out.push_back(json::object{{"run", each.id},
                               {"output_tokens_per_s", number_or_null(each.output_per_s)},
                               {"tpot_p50_s", number_or_null(each.tpot_s)},
                               {"attempted", each.attempted},
                               {"failed", each.failed},
                               {"instrument", each.instrument},
                               {"steady", each.steady},
                               {"queue_grows", each.queue_grows}});
  }
  return out;
}

json::object point_json(const SweepView& view, std::size_t place, const SweepOutcome& outcome) {
  const SweepPoint& point = view.points[place];
  const decide::PointFigures figures = decide::figures_of(point);
  bool is_on = false;
  for (const SweepFrontier& each : outcome.frontiers) {
    for (const std::size_t on : each.on) is_on = is_on || on == place;
  }
  const auto per_device = outcome.is_per_device ? decide::throughput_of(point, view.devices, true) : std::nullopt;
  return {{"settings", point.settings},
          {"load", choices_json(point.load)},
          {"state", json::string(decide::name_of(point.state))},
          {"why", point.why.empty() ? json::value(nullptr) : json::value(json::string(point.why))},
          {"output_tokens_per_s", number_or_null(figures.output_per_s)},
          {"per_device", number_or_null(per_device)},
          {"per_money", number_or_null(tokens_per_money(view, point))},
          {"user_tokens_per_s", number_or_null(figures.user_rate)},
          {"requests_per_s", number_or_null(figures.requests_per_s)},
          {"good_requests_per_s", number_or_null(figures.good_per_s)},
          {"ttft_p50_s", number_or_null(figures.ttft_p50_s)},
          {"ttft_p95_s", number_or_null(figures.ttft_p95_s)},
          {"e2e_p50_s", number_or_null(figures.e2e_p50_s)},
          {"e2e_p95_s", number_or_null(figures.e2e_p95_s)},
          {"attempted", figures.attempted},
          {"failed", figures.failed},
          {"on_frontier", is_on},
          {"out_of_frontier", json::string(decide::name_of(decide::out_of_frontier(point)))},
          {"runs", runs_json(point)}};
}

json::object read_json(const decide::ReadOut& read, const SweepView& view, const SweepOutcome& outcome) {
  const auto y = [&](const std::optional<std::size_t>& place) {
    return place ? number_or_null(decide::throughput_of(view.points[*place], view.devices, outcome.is_per_device))
                 : json::value(nullptr);
  };
  json::array each;
  for (const decide::SettingsAt& one : read.each) {
    each.push_back(json::object{{"settings", one.settings},
                                {"point", place_or_null(one.point)},
                                {"value", y(one.point)},
                                {"ratio_to_first", number_or_null(one.ratio)}});
  }
  return {{"user_tokens_per_s", read.at},
          {"best", place_or_null(read.best)},
          {"value", y(read.best)},
          {"settings", std::move(each)}};
}

json::array frontiers_json(const SweepView& view, const SweepOutcome& outcome) {
  json::array out;
  for (const SweepFrontier& each : outcome.frontiers) {
    json::array reads;
    for (const decide::ReadOut& read : each.read) reads.push_back(read_json(read, view, outcome));
    out.push_back(json::object{{"lengths", choices_json(each.lengths)},
                               {"settings", places_json(each.settings)},
                               {"points", places_json(each.on)},
                               {"hypervolume", number_or_null(each.area)},
                               {"read", std::move(reads)}});
  }
  return out;
}

json::array settings_json(const SweepView& view) {
  json::array out;
  for (std::size_t s = 0; s < view.settings.size(); ++s) {
    out.push_back(json::object{{"settings", choices_json(view.settings[s])},
                               {"devices", view.devices[s] ? json::value(*view.devices[s]) : json::value(nullptr)}});
  }
  return out;
}

json::array pairs_json(const SweepView& view) {
  json::array out;
  for (const decide::SettingsPair& each : view.pairs) {
    out.push_back(json::object{{"a", each.a},
                               {"b", each.b},
                               {"standing", json::string(decide::name_of(each.standing))},
                               {"check", each.check.empty() ? json::value(nullptr) : json::value(each.check)}});
  }
  return out;
}

}  // namespace

std::optional<double> tokens_per_money(const SweepView& view, const SweepPoint& point) {
  const auto each = decide::throughput_of(point, view.devices, true);
  if (!view.per_device_hour || !each || !(view.per_device_hour->amount > 0)) return std::nullopt;
  return *each * 3600 / view.per_device_hour->amount;
}

json::object sweep_json(const SweepView& view) {
  const SweepOutcome outcome = decide::judge_sweep(view.points, view.devices, view.pairs, view.at);
  json::array points;
  for (std::size_t i = 0; i < view.points.size(); ++i) points.push_back(point_json(view, i, outcome));
  return {{"schema", kSchema},
          {"url", view.url},
          {"model", view.model},
          {"set", view.set},
          {"order", view.is_in_order ? "as_listed" : "random"},
          {"seed", view.seed},
          {"repeats", view.repeats},
          {"throughput", outcome.is_per_device ? "per_device" : "per_system"},
          {"currency", view.per_device_hour ? json::value(view.per_device_hour->currency) : json::value(nullptr)},
          {"settings", settings_json(view)},
          {"points", std::move(points)},
          {"pairs", pairs_json(view)},
          {"frontiers", frontiers_json(view, outcome)}};
}

}  // namespace scoville::report
