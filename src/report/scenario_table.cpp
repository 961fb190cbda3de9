#include <fmt/format.h>

#include "matrix/template.hpp"
#include "report/cells.hpp"
#include "report/matrix_words.hpp"
#include "report/scenario.hpp"
#include "text/catalogue/matrix.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using matrix::Scenario;
using text::MatrixMsg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kDecisionWidth, indent);
}

/// "ttft_p99 ≤ 2000 ms", in the unit that the built-in matrix has for it.
std::string limit_words(const std::string& measure, const char* sign, double limit) {
  const matrix::MeasureTemplate* const known = matrix::built_in_templates().front().find_measure(measure);
  return fmt::format("{} {} {}", measure, sign, with_unit(limit, known ? known->unit : "1"));
}

std::string limits_table(const Scenario& scenario) {
  if (scenario.slos.empty()) return say(MatrixMsg::scenario_no_limits) + "\n";
  text::Table table({say(MatrixMsg::column_variant), say(MatrixMsg::column_limits), say(MatrixMsg::column_source)});
  table.flush_left(1);
  table.flush_left(2);
  for (const matrix::SloDefault& each : scenario.slos) {
    std::vector<std::string> limits;
    for (const auto& [measure, limit] : each.limits) limits.push_back(limit_words(measure, "≤", limit));
    for (const auto& [measure, limit] : each.least) limits.push_back(limit_words(measure, "≥", limit));
    table.add_row({each.name, listed(limits), text::shorten(each.source, 36)});
  }
  return say(MatrixMsg::scenario_limits) + "\n\n" + table.render();
}

std::string criteria_table(const Scenario& scenario) {
  text::Table table({say(MatrixMsg::column_criterion), say(MatrixMsg::column_weight), say(MatrixMsg::column_zero),
                     say(MatrixMsg::column_one)});
  for (const matrix::Criterion& each : scenario.criteria) {
    table.add_row({each.id + " · " + each.title.said(), fmt::format("{:.0f} %", each.weight * 100),
                   with_unit(each.zero, each.unit), with_unit(each.one, each.unit)});
  }
  return say(MatrixMsg::scenario_criteria) + "\n\n" + table.render() + line(say(MatrixMsg::scenario_proposal));
}

}  // namespace

std::string scenario_table(const Scenario& scenario) {
  std::string out = line(say(MatrixMsg::scenario_title, scenario.name, scenario.version, scenario.title.said()));
  if (!scenario.bottleneck.said().empty()) out += line(say(MatrixMsg::scenario_bottleneck, scenario.bottleneck.said()));
  std::vector<std::string> knock_outs;
  for (const matrix::ScenarioKnockOut& each : scenario.knock_outs) knock_outs.push_back(each.requirement.said());
  if (!knock_outs.empty()) out += line(say(MatrixMsg::scenario_knock_outs, listed(knock_outs)));
  return out + "\n" + limits_table(scenario) + "\n" + criteria_table(scenario);
}

std::string scenario_list(const std::vector<Scenario>& scenarios) {
  text::Table table({say(MatrixMsg::column_scenario), "", say(MatrixMsg::column_variants)});
  table.flush_left(1);
  for (const Scenario& each : scenarios)
    table.add_row({each.name, each.title.said(), std::to_string(each.slos.size())});
  return table.render();
}

}  // namespace scoville::report
