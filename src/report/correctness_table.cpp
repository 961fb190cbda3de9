#include <fmt/format.h>

#include "report/cells.hpp"
#include "report/correctness.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace correctness;
using text::Msg;
using text::say;

constexpr std::size_t kColumns = 80;

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.1f} %", *share * 100) : kNone; }
std::string points(double share) { return fmt::format("{:+.1f}", share * 100); }

template <class Bounds>
std::string percents(const std::optional<Bounds>& interval) {
  if (!interval) return kNone;
  return fmt::format("{:.1f} … {:.1f} %", interval->lower * 100, interval->upper * 100);
}

std::string paragraph(const std::string& sentence) { return text::wrapped(sentence, kColumns, 2); }

std::string arm_line(Msg role, const Arm& arm) {
  std::string out = say(role, arm.model, arm.url);
  std::string known;
  for (const char* key : {"engine.name", "engine.version", "model.dtype", "model.quantisation"}) {
    const std::string value = arm.system.text(key);
    if (!value.empty()) known += (known.empty() ? "" : " ") + value;
  }
  if (!known.empty()) out += " (" + known + ")";
  return paragraph(out);
}

std::string head(const Check& check) {
  std::string out = arm_line(Msg::correct_reference, check.arms[0]);
  if (check.has_candidate()) out += arm_line(Msg::correct_candidate, check.arms[1]);
  return out + paragraph(say(Msg::correct_asking, check.asking.max_tokens, check.asking.concurrency)) + "\n";
}

/// One column of the table of agreement.
struct Column {
  const Agreement& of;
  std::string divergence() const {
    if (!of.divergence_median) return kNone;
    return say(of.unit == Unit::token ? Msg::correct_at_token : Msg::correct_at_character,
               static_cast<std::size_t>(*of.divergence_median) + 1);
  }
  std::string prefix_interval() const {
    if (!of.prefix_interval) return kNone;
    return percents(of.prefix_interval);
  }
};

std::string agreement_rows(const Check& check) {
  std::vector<Column> columns;
  std::vector<std::string> names{
      say(Msg::correct_agreement, (check.agreement ? *check.agreement : *check.self_agreement).pairs.size())};
  if (check.agreement) {
    columns.push_back({*check.agreement});
    names.push_back(say(Msg::correct_with_candidate));
  }
  if (check.self_agreement) {
    columns.push_back({*check.self_agreement});
    names.push_back(say(Msg::correct_with_itself));
  }
  text::Table table(names);
  const auto row = [&](Msg name, const auto& cell) {
    std::vector<std::string> cells{say(name)};
    for (const Column& each : columns) cells.push_back(cell(each));
    table.add_row(std::move(cells));
  };
  row(Msg::correct_identical, [](const Column& c) { return fmt::format("{}/{}", c.of.identical, c.of.measured); });
  row(Msg::correct_interval, [](const Column& c) { return percents(c.of.identical_interval); });
  row(Msg::correct_prefix_mean, [](const Column& c) { return percent(c.of.prefix_mean); });
  row(Msg::correct_prefix_median, [](const Column& c) { return percent(c.of.prefix_median); });
  row(Msg::correct_interval, [](const Column& c) { return c.prefix_interval(); });
  row(Msg::correct_divergence, [](const Column& c) { return c.divergence(); });
  row(Msg::correct_failed,
      [](const Column& c) { return fmt::format("{} / {}", c.of.candidate_failed, c.of.not_measured()); });
  return table.render() + "\n";
}

std::string distance_lines(const LogprobDistance& distance) {
  if (distance.reason != NoDistance::none) {
    const Msg why = distance.reason == NoDistance::not_offered ? Msg::distance_not_offered
                    : distance.reason == NoDistance::unit      ? Msg::distance_unit
                    : distance.reason == NoDistance::all_zero  ? Msg::distance_all_zero
                                                               : Msg::distance_no_position;
    return paragraph(say(Msg::distance_none, say(why))) + "\n";
  }
  text::Table table({say(Msg::column_distance), say(Msg::column_distance_mean), "P50", say(Msg::column_max),
                     say(Msg::column_positions)});
  const auto row = [&](Msg name, const std::optional<Spread>& spread) {
    if (!spread) return table.add_row({say(name), kNone, kNone, kNone, kNone});
    table.add_row({say(name), fmt::format("{:.3g}", spread->mean), fmt::format("{:.3g}", spread->median),
                   fmt::format("{:.3g}", spread->largest), fmt::format("{}", spread->positions)});
  };
  row(Msg::distance_chosen, distance.chosen);
  row(Msg::distance_kl, distance.kl_at_least);
  return table.render() + "\n";
}

std::string comparison_lines(const ScoreComparison& scores) {
  const stats::PairedCounts& counts = scores.counts;
  std::string out =
      paragraph(say(Msg::scores_mcnemar, counts.base_only, counts.other_only, fmt::format("{:.3g}", scores.mcnemar_p)));
  if (scores.difference && scores.difference_interval) {
    out += paragraph(say(Msg::scores_difference, points(*scores.difference), points(scores.difference_interval->lower),
                         points(scores.difference_interval->upper)));
  }
  if (scores.ratio && scores.ratio_interval) {
    const auto share = [](double value) { return fmt::format("{:.4f}", value); };
    out += paragraph(say(Msg::scores_ratio, share(*scores.ratio), share(scores.ratio_interval->lower),
                         share(scores.ratio_interval->upper)));
  }
  if (scores.reference_failed > 0) out += paragraph(say(Msg::scores_left_out, scores.reference_failed));
  return out;
}

std::string task_lines(const Check& check) {
  text::Table table({say(Msg::column_tasks, check.task_ids.size()), say(Msg::column_right), say(Msg::column_score),
                     say(Msg::column_score_interval), say(Msg::column_failed)});
  for (std::size_t i = 0; i < check.arms.size(); ++i) {
    const Score& score = *check.arms[i].score;
    table.add_row({say(i == 0 ? Msg::row_reference : Msg::row_candidate), fmt::format("{}", score.right),
                   percent(score.share), percents(score.interval), fmt::format("{}", score.failed)});
  }
  return table.render() + (check.scores ? comparison_lines(*check.scores) : "") + "\n";
}

std::string gate_words(const GateAnswer& answer, Msg what) {
  const std::string target = fmt::format("{:.6g}", answer.target);
  const std::string subject = say(what, target);
  switch (answer.reason) {
    case GateReason::within_target:
      return say(Msg::gate_pass, subject);
    case GateReason::below_target:
      return say(Msg::gate_fail, subject);
    case GateReason::reference_scores_nothing:
      return say(Msg::gate_no_reference_score, subject);
    case GateReason::reference_failed:
      return say(Msg::gate_reference_failed, subject);
    default:
      break;
  }
  return answer.needed ? say(Msg::gate_needs, subject, fmt::format("{:.0f}", *answer.needed))
                       : say(Msg::gate_needs_unknown, subject);
}

std::string gate_lines(const Check& check) {
  std::string out;
  if (check.gate.tasks) out += paragraph(gate_words(*check.gate.tasks, Msg::gate_of_tasks));
  if (check.gate.agreement) out += paragraph(gate_words(*check.gate.agreement, Msg::gate_of_agreement));
  if (out.empty()) out = paragraph(say(check.has_candidate() ? Msg::gate_not_asked : Msg::gate_one_arm));
  return out;
}

}  // namespace

std::string correctness_table(const Check& check) {
  std::string out = head(check);
  if (check.agreement || check.self_agreement) out += agreement_rows(check);
  if (check.logprobs) out += distance_lines(*check.logprobs);
  if (!check.task_ids.empty()) out += task_lines(check);
  for (const dataset::Warning& each : check.warnings) out += paragraph("! " + each.sentence.said());
  if (!check.warnings.empty()) out += "\n";
  return out + gate_lines(check);
}

}  // namespace scoville::report
