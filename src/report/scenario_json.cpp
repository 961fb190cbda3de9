#include <array>

#include "report/scenario.hpp"

namespace scoville::report {
namespace {

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::array numbers(const std::vector<double>& values) {
  json::array out;
  for (const double each : values) out.push_back(each);
  return out;
}

json::object arm_json(const matrix::Ranking& ranking, std::size_t i) {
  json::object out{{"name", ranking.arms[i].name},
                   {"score", ranking.scores[i]},
                   {"score_low", nullptr},
                   {"score_high", nullptr},
                   {"topsis", ranking.closeness[i]},
                   {"wins", ranking.wins.wins[i]},
                   {"win_share", ranking.wins.share(i)},
                   {"utilities", numbers(ranking.arms[i].utilities)}};
  if (!ranking.scores_low.empty()) out["score_low"] = ranking.scores_low[i];
  if (!ranking.scores_high.empty()) out["score_high"] = ranking.scores_high[i];
  return out;
}

}  // namespace

json::object scenario_json(const matrix::Scenario& scenario) {
  json::array knock_outs, slos, criteria;
  for (const matrix::ScenarioKnockOut& each : scenario.knock_outs)
    knock_outs.push_back(json::object{{"id", each.id}, {"requirement", each.requirement.english}});
  for (const matrix::SloDefault& each : scenario.slos) {
    json::object limits, least;
    for (const auto& [measure, limit] : each.limits) limits[measure] = limit;
    for (const auto& [measure, limit] : each.least) least[measure] = limit;
    slos.push_back(json::object{{"name", each.name},
                                {"limits", std::move(limits)},
                                {"least", std::move(least)},
                                {"source", each.source},
                                {"date", text_or_null(each.date)}});
  }
  for (const matrix::Criterion& each : scenario.criteria) {
    criteria.push_back(json::object{{"id", each.id},
                                    {"weight", each.weight},
                                    {"measure", each.measure},
                                    {"unit", each.unit},
                                    {"zero", each.zero},
                                    {"one", each.one},
                                    {"basis", each.basis}});
  }
  return {{"schema", "scoville.scenario/1"},     {"name", scenario.name},
          {"version", scenario.version},         {"title", scenario.title.english},
          {"knock_outs", std::move(knock_outs)}, {"slo", std::move(slos)},
          {"criteria", std::move(criteria)}};
}

json::object ranking_json(const RankingView& view) {
  constexpr std::array<std::string_view, 3> kDoubts{"methods_disagree", "small_win_share", "within_error"};
  const matrix::Ranking& ranking = view.ranking;
  json::array order, left_out, weights, flips, doubts;
  for (const std::size_t i : ranking.order()) order.push_back(arm_json(ranking, i));
  for (const matrix::Arm& each : ranking.left_out)
    left_out.push_back(json::object{{"name", each.name}, {"why", each.knocked_out}});
  for (std::size_t k = 0; k < ranking.weights.size(); ++k)
    weights.push_back(json::object{{"criterion", view.scenario.criteria[k].id}, {"weight", ranking.weights[k]}});
  for (const matrix::Flip& each : ranking.flips) {
    flips.push_back(json::object{{"criterion", view.scenario.criteria[each.criterion].id},
                                 {"rival", ranking.arms[each.rival].name},
                                 {"weight", each.weight},
                                 {"at", each.at}});
  }
  for (const matrix::Doubt each : ranking.robustness.doubts)
    doubts.push_back(json::string(kDoubts[static_cast<std::size_t>(each)]));
  return {
      {"scenario", json::object{{"name", view.scenario.name}, {"version", view.scenario.version}}},
      {"weights", std::move(weights)},
      {"ahp_consistency", view.ahp ? json::value(view.ahp->consistency) : json::value(nullptr)},
      {"order", std::move(order)},
      {"left_out", std::move(left_out)},
      {"best", ranking.arms[ranking.best].name},
      {"best_by_topsis", ranking.arms[ranking.best_by_topsis].name},
      {"robust", ranking.robustness.is_robust()},
      {"doubts", std::move(doubts)},
      {"grid", json::object{{"vectors", ranking.wins.total}, {"ties", ranking.wins.ties}}},
      {"weights_varied_by_quarter", json::object{{"changed", ranking.trials.changed}, {"total", ranking.trials.total}}},
      {"flips", std::move(flips)}};
}

json::object mix_json(const matrix::Mix& mix) {
  json::array shares, varied;
  for (std::size_t of = 0; of < mix.workloads.size(); ++of) {
    shares.push_back(json::object{{"workload", mix.workloads[of]}, {"share", mix.shares[of]}});
    json::array segments;
    for (const matrix::MixSegment& each : matrix::mix_flip(mix.arms, mix.shares, of, mix.is_lower_better))
      segments.push_back(json::object{{"from", each.from}, {"to", each.to}, {"best", mix.arms[each.arm].name}});
    varied.push_back(json::object{{"workload", mix.workloads[of]}, {"segments", std::move(segments)}});
  }
  return {{"unit", mix.unit},
          {"better", mix.is_lower_better ? "lower" : "higher"},
          {"shares", std::move(shares)},
          {"varied", std::move(varied)}};
}

}  // namespace scoville::report
