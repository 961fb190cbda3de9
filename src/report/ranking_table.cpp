#include <fmt/format.h>

#include "report/cells.hpp"
#include "report/matrix_words.hpp"
#include "report/scenario.hpp"
#include "text/catalogue/matrix.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using matrix::Doubt;
using matrix::Ranking;
using text::MatrixMsg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kDecisionWidth, indent);
}
std::string share(double part) { return fmt::format("{:.1f} %", part * 100); }
std::string score(double value) { return fmt::format("{:.3f}", value); }

std::string score_cell(const Ranking& ranking, std::size_t i) {
  if (ranking.scores_low.empty() || ranking.scores_high.empty()) return score(ranking.scores[i]);
  return fmt::format("{} [{}, {}]", score(ranking.scores[i]), score(ranking.scores_low[i]),
                     score(ranking.scores_high[i]));
}

std::string order_table(const Ranking& ranking, bool detail) {
  std::vector<std::string> header{"", say(MatrixMsg::column_candidate), say(MatrixMsg::column_score)};
  if (detail) header.insert(header.end(), {say(MatrixMsg::column_wins), say(MatrixMsg::column_topsis)});
  text::Table table(header);
  table.flush_left(1);
  std::size_t place = 0;
  for (const std::size_t i : ranking.order()) {
    std::vector<std::string> row{std::to_string(++place), ranking.arms[i].name, score_cell(ranking, i)};
    if (detail) row.insert(row.end(), {share(ranking.wins.share(i)), fmt::format("{:.3f}", ranking.closeness[i])});
    table.add_row(row);
  }
  return table.render();
}

std::string doubt_words(const Ranking& ranking, Doubt doubt) {
  const std::string& best = ranking.arms[ranking.best].name;
  switch (doubt) {
    case Doubt::methods_disagree:
      return say(MatrixMsg::doubt_methods, best, ranking.arms[ranking.best_by_topsis].name);
    case Doubt::small_win_share:
      return say(MatrixMsg::doubt_wins, best, share(ranking.wins.share(ranking.best)));
    case Doubt::within_error:
      break;
  }
  return say(MatrixMsg::doubt_error, best);
}

std::string verdict(const Ranking& ranking) {
  if (ranking.arms.size() < 2) return line(say(MatrixMsg::ranking_alone));
  if (ranking.robustness.is_robust())
    return line(
        say(MatrixMsg::ranking_robust, ranking.arms[ranking.best].name, share(ranking.wins.share(ranking.best))));
  std::vector<std::string> doubts;
  for (const Doubt each : ranking.robustness.doubts) doubts.push_back(doubt_words(ranking, each));
  return line(say(MatrixMsg::ranking_not_robust, listed(doubts)));
}

std::string nearest_flip(const RankingView& view) {
  const Ranking& ranking = view.ranking;
  if (ranking.flips.empty()) return line(say(MatrixMsg::ranking_no_flip));
  const matrix::Flip& nearest = ranking.flips.front();
  return line(say(MatrixMsg::ranking_nearest_flip, ranking.arms[nearest.rival].name,
                  view.scenario.criteria[nearest.criterion].id, share(nearest.at), share(nearest.weight)));
}

std::string details(const RankingView& view) {
  const Ranking& ranking = view.ranking;
  std::string out = line(say(MatrixMsg::ranking_grid, ranking.wins.total, ranking.wins.ties)) +
                    line(say(MatrixMsg::ranking_trials, ranking.trials.changed, ranking.trials.total)) +
                    nearest_flip(view);
  if (view.ahp) out += line(say(MatrixMsg::ranking_ahp, fmt::format("{:.3f}", view.ahp->consistency)));
  if (ranking.flips.empty()) return out;
  text::Table table({say(MatrixMsg::column_criterion), say(MatrixMsg::column_flip_rival), say(MatrixMsg::column_weight),
                     say(MatrixMsg::column_flip_at)});
  table.flush_left(1);
  for (const matrix::Flip& each : ranking.flips) {
    table.add_row(
        {view.scenario.criteria[each.criterion].id, ranking.arms[each.rival].name, share(each.weight), share(each.at)});
  }
  return out + "\n" + say(MatrixMsg::ranking_flips_head) + "\n\n" + table.render();
}

}  // namespace

std::string ranking_table(const RankingView& view, bool detail) {
  const Ranking& ranking = view.ranking;
  std::string out = say(MatrixMsg::ranking_head, view.scenario.title.said()) + "\n\n" + order_table(ranking, detail);
  for (const matrix::Arm& each : ranking.left_out)
    out += line(say(MatrixMsg::ranking_left_out, each.name, each.knocked_out));
  out += verdict(ranking);
  return detail && ranking.arms.size() > 1 ? out + details(view) : out;
}

std::string mix_lines(const matrix::Mix& mix) {
  std::string out =
      line(say(MatrixMsg::mix_head, mix.unit, say(mix.is_lower_better ? MatrixMsg::mix_lower : MatrixMsg::mix_higher)));
  // With two workloads the second says all: the first is what is left.
  const std::size_t first = mix.workloads.size() == 2 ? 1 : 0;
  for (std::size_t of = first; of < mix.workloads.size(); ++of) {
    const auto segments = matrix::mix_flip(mix.arms, mix.shares, of, mix.is_lower_better);
    std::vector<std::string> told;
    for (const matrix::MixSegment& each : segments)
      told.push_back(
          say(MatrixMsg::mix_segment, mix.workloads[of], share(each.from), share(each.to), mix.arms[each.arm].name));
    if (segments.size() == 1) told = {say(MatrixMsg::mix_constant, mix.arms[segments[0].arm].name, mix.workloads[of])};
    told.push_back(say(MatrixMsg::mix_now, mix.workloads[of], share(mix.shares[of])));
    out += line("- " + listed(told));
  }
  return out;
}

}  // namespace scoville::report
