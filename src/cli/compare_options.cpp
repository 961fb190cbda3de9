#include "cli/compare_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/accuracy_lookup.hpp"
#include "cli/noise_floors.hpp"
#include "decide/ranking.hpp"
#include "report/comparison_words.hpp"
#include "stats/noise_floor.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr const char* kPerDevicePrimary = "output_tokens_per_s";

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

std::string metric_keys() {
  std::vector<std::string_view> keys;
  for (const decide::Metric& each : decide::metrics()) keys.push_back(each.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// A broken harness refuses every comparison by a field of its own.
void refuse(decide::Gate& gate, const decide::HarnessHealth& health) {
  decide::GateField field{"harness", decide::FieldClass::validity, decide::FieldState::different, "", "", false, false,
                          false};
  field.candidate = fmt::format("{}/{}", health.differences, health.tests);
  gate.fields.push_back(std::move(field));
  gate.refused.push_back("harness");
  gate.result = decide::GateResult::refuse;
}

void warn_of_arms(const std::vector<decide::Arm>& arms, std::vector<dataset::Warning>& out) {
  for (const decide::Arm& arm : arms) {
    if (arm.left_out > 0)
      out.push_back(dataset::make_warning("runs_left_out", Msg::compare_warn_left_out, arm.name, arm.left_out));
    const auto drifting = static_cast<std::size_t>(std::count_if(arm.runs.begin(), arm.runs.end(), [](const auto& run) {
      return analyse::drifts(run.statistics.steady_verdict);
    }));
    if (2 * drifting > arm.runs.size())
      out.push_back(dataset::make_warning("runs_drift", Msg::compare_warn_drift, arm.name, drifting, arm.runs.size()));
  }
}

/// What is said beside the figures of one comparison; each code once.
void warn_of(const decide::Comparison& comparison, const KnownFloors& floors, std::vector<dataset::Warning>& out) {
  const auto add = [&](const char* code, Msg sentence) {
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const auto& each) { return each.code == code; });
    if (!is_known) out.push_back(dataset::make_warning(code, sentence));
  };
  if (comparison.gate.result == decide::GateResult::refuse) {
    const auto& refused = comparison.gate.refused;
    const bool differs = std::any_of(refused.begin(), refused.end(), [](const std::string& key) {
      return key == "prompt_tokens" || key == "output_tokens";
    });
    if (differs && report::asks_the_same(comparison.gate)) add("workload_differs", Msg::compare_warn_workload);
    return;
  }
  if (floors.sides == 0) add("no_noise_floor", Msg::compare_warn_no_floor);
  if (floors.sides == 1) {
    out.push_back(dataset::make_warning("noise_floor_of_one_side", Msg::compare_warn_floor_one_side,
                                        floors.has_base ? comparison.base : comparison.candidate));
  }
  for (const decide::MetricComparison& each : comparison.metrics) {
    if (!each.is_primary || each.floor.value_or(0) <= report::kLargeFloor) continue;
    out.push_back(dataset::make_warning("noise_floor_large", Msg::compare_warn_floor_large,
                                        fmt::format("{:.3g} %", *each.floor * 100)));
  }
  const bool is_told = std::any_of(comparison.metrics.begin(), comparison.metrics.end(), [](const auto& each) {
    return each.is_primary && each.verdict != stats::Verdict::inconclusive &&
           each.verdict != stats::Verdict::equivalent;
  });
  if (is_told && comparison.gate.differs.empty() && comparison.gate.allowed.empty() &&
      comparison.design == decide::Design::unpaired)
    add("nothing_differs", Msg::compare_warn_nothing_differs);
  if (!comparison.is_one_machine) add("between_machines", Msg::compare_warn_machines);
  const auto& differs = comparison.gate.differs;
  if (comparison.gate.scope != decide::Scope::service &&
      std::find(differs.begin(), differs.end(), "device") != differs.end())
    add("one_machine_each", Msg::compare_warn_one_sample);
}

/// Where every arm may be compared with the base.
void add_ranking(const std::vector<decide::Gate>& gates, std::size_t compared, decide::CompareOptions options,
                 report::CompareView& view) {
  if (compared < gates.size()) {
    view.warnings.push_back(dataset::make_warning("no_ranking", Msg::compare_warn_no_ranking));
    return;
  }
  options.primary = {view.primary.front()};
  view.ranking = decide::rank(view.arms, gates.front(), options);
  if (!view.ranking->is_too_large) return;
  view.warnings.push_back(dataset::make_warning("ranking_too_large", Msg::compare_warn_ranking_too_large,
                                                view.arms.size(), view.ranking->family,
                                                decide::runs_for_family(options.design, view.ranking->family)));
}

bool is_slower(const decide::MetricComparison& metric) {
  return metric.verdict == stats::Verdict::slower || metric.verdict == stats::Verdict::slower_size_uncertain;
}

}  // namespace

void CompareOptions::declare(Parameters& parameters) {
  declare_shared(parameters);
  parameters.add({"--subject", "FIELD[,…]", Msg::compare_flag_subject, "",
                  [this](std::string_view given) { return take_keys(given, decide::subject_keys(), gate_.subject); },
                  true});
  parameters.add({"--accuracy", "ID|FILE", Msg::compare_flag_accuracy, say(Msg::compare_default_accuracy),
                  [this](std::string_view given) -> Status {
                    if (given.empty()) return usage(say(Msg::expected_text));
                    accuracy_ = given;
                    return Done{};
                  }});
  parameters.choice("--fail-on", Msg::compare_flag_fail_on, {"slower"}, "",
                    [this](std::size_t) { fails_on_slower_ = true; });
}

void CompareOptions::declare_shared(Parameters& parameters) {
  parameters.add({"--primary", "METRIC[,…]", Msg::compare_flag_primary, std::string(decide::kDefaultPrimary),
                  [this](std::string_view given) { return take_primary(given); }});
  parameters.add({"--allow", "FIELD[,…]", Msg::compare_flag_allow, "",
                  [this](std::string_view given) { return take_keys(given, decide::allowable_keys(), gate_.allow); },
                  true});
  parameters.add({"--margin", "SHARE", Msg::compare_flag_margin, say(Msg::compare_default_margin),
                  [this](std::string_view given) -> Status {
                    if (given.ends_with('%')) given.remove_suffix(1);
                    const Result<double> percent = parse_number(given, 0.1, 100);
                    if (!percent) return usage(say(Msg::compare_expected_margin));
                    margin_ = *percent / 100;
                    return Done{};
                  }});
}

Status CompareOptions::take_primary(std::string_view given) {
  primary_.clear();
  has_primary_ = true;
  for (const std::string_view part : split(given, ", ")) {
    if (!decide::find_metric(part)) return usage(say(Msg::compare_expected_metric, metric_keys()));
    if (std::find(primary_.begin(), primary_.end(), part) == primary_.end()) primary_.emplace_back(part);
  }
  return primary_.empty() ? Status(usage(say(Msg::compare_expected_metric, metric_keys()))) : Status(Done{});
}

Status CompareOptions::take_keys(std::string_view given, const std::vector<std::string>& known,
                                 std::vector<std::string>& keys) {
  for (const std::string_view part : split(given, ", ")) {
    if (std::find(known.begin(), known.end(), part) == known.end())
      return usage(say(Msg::compare_expected_key, fmt::format("{}", fmt::join(known, ", "))));
    keys.emplace_back(part);
  }
  return Done{};
}

Status CompareOptions::check_family(decide::Design design, std::size_t candidates, std::size_t runs) const {
  const std::size_t family = primary_.size() * candidates;
  const std::size_t most = decide::largest_family(design, runs, runs);
  if (family == 1 || family <= most || most == 0) return Done{};  // with none, each says "too few runs" itself
  return usage(say(Msg::compare_family_too_large, family, runs, most, decide::runs_for_family(design, family)));
}

Result<decide::Gate> CompareOptions::check(const decide::Arm& base, const decide::Arm& candidate,
                                           const store::RunStore* store,
                                           std::vector<dataset::Warning>& warnings) const {
  const Result<KnownAccuracy> known = accuracy_.empty() ? known_accuracy(store, base.setup, candidate.setup)
                                                        : named_accuracy(store, accuracy_, base.setup, candidate.setup);
  if (!known) return known.error();
  decide::GateOptions options = gate_;
  options.accuracy = known->accuracy;
  options.accuracy_id = known->id;
  decide::Gate gate = decide::check(base, candidate, options);
  if (gate.find("accuracy") && !known->unverified.empty()) {
    warnings.push_back(dataset::make_warning("accuracy_unverified", Msg::compare_warn_accuracy_unverified,
                                             fmt::format("{}", fmt::join(known->unverified, ", "))));
  }
  return gate;
}

Result<report::CompareView> CompareOptions::compare(std::vector<decide::Arm> arms, decide::Design design,
                                                    const store::RunStore* store) const {
  report::CompareView view;
  view.arms = std::move(arms);
  view.primary = primary_;
  view.has_margin = margin_.has_value();
  warn_of_arms(view.arms, view.warnings);
  const auto known = read_floors(store, view.arms[0].setup.client);
  if (!known) return known.error();
  const decide::HarnessHealth health = decide::judge_harness(*known, primary_.front());
  std::vector<decide::Gate> gates;
  std::size_t compared = 0;
  for (std::size_t i = 1; i < view.arms.size(); ++i) {
    Result<decide::Gate> gate = check(view.arms[0], view.arms[i], store, view.warnings);
    if (!gate) return gate.error();
    if (health.is_broken) refuse(*gate, health);
    compared += gate->result == decide::GateResult::refuse ? 0 : 1;
    if (gate->is_per_device && !has_primary_) view.primary = {kPerDevicePrimary};
    gates.push_back(std::move(*gate));
  }
  if (view.primary != primary_)
    view.warnings.push_back(dataset::make_warning("primary_switched", Msg::compare_warn_switched));
  decide::CompareOptions options;
  options.design = design;
  options.margin = margin_;
  options.primary = view.primary;
  options.family = view.family = view.primary.size() * std::max<std::size_t>(1, compared);
  for (std::size_t i = 1; i < view.arms.size(); ++i) {
    const KnownFloors floors = known_floors(*known, view.arms[0].setup, view.arms[i].setup);
    options.floors = floors.by_metric;
    view.comparisons.push_back(decide::compare(view.arms[0], view.arms[i], gates[i - 1], options));
    warn_of(view.comparisons.back(), floors, view.warnings);
    if (design == decide::Design::unpaired && decide::alternates(view.arms[0], view.arms[i]))
      view.warnings.push_back(dataset::make_warning("runs_alternate", Msg::compare_warn_alternate));
  }
  if (view.arms.size() > 2) add_ranking(gates, compared, options, view);
  return view;
}

Exit CompareOptions::exit_of(const report::CompareView& view) const {
  bool is_told = true, fails = false;
  for (const decide::Comparison& each : view.comparisons) {
    if (each.gate.result == decide::GateResult::refuse) return Exit::gate;
    for (const decide::MetricComparison& metric : each.metrics) {
      if (!metric.is_primary) continue;
      is_told = is_told && metric.verdict != stats::Verdict::inconclusive;
      fails = fails || (fails_on_slower_ && is_slower(metric));
    }
  }
  return fails ? Exit::gate : is_told ? Exit::fine : Exit::cannot_tell;
}

}  // namespace scoville::cli
