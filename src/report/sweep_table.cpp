#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/sweep.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::OutOfFrontier;
using decide::PointState;
using decide::SweepFrontier;
using decide::SweepOutcome;
using decide::SweepPoint;
using text::Msg;
using text::say;

std::string line(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }

std::string seconds(const std::optional<double>& value) {
  return value ? format_duration(Nanos(std::llround(*value * 1e9))) : kNone;
}

std::string settings_text(const SweepView& view, std::size_t settings) {
  const std::string own = choices_text(view.settings[settings]);
  return own.empty() ? kNone : own;
}

std::string point_text(const SweepView& view, std::size_t place) {
  const SweepPoint& point = view.points[place];
  const std::string own = choices_text(view.settings[point.settings]), load = choices_text(point.load);
  return own + (own.empty() || load.empty() ? "" : ", ") + load;
}

std::string out_text(OutOfFrontier reason, PointState state) {
  switch (reason) {
    case OutOfFrontier::client_limited:
      return say(Msg::sweep_out_client);
    case OutOfFrontier::failures:
      return say(Msg::sweep_out_failures);
    case OutOfFrontier::queue_grows:
      return say(Msg::sweep_out_queue);
    case OutOfFrontier::drifts:
      return say(Msg::sweep_out_drifts);
    case OutOfFrontier::unknown:
      return say(Msg::sweep_out_unknown);
    case OutOfFrontier::not_measured:
    case OutOfFrontier::none:
      break;
  }
  return say(state == PointState::not_started    ? Msg::sweep_not_started
             : state == PointState::engine_ended ? Msg::sweep_died
                                                 : Msg::sweep_pending);
}

/// The worst of its runs.
std::string instrument_text(const SweepPoint& point) {
  const auto any = [&](analyse::Verdict verdict) {
    return std::any_of(point.runs.begin(), point.runs.end(),
                       [&](const decide::SweepRun& run) { return run.instrument == analyse::name_of(verdict); });
  };
  for (const analyse::Verdict verdict :
       {analyse::Verdict::bottleneck, analyse::Verdict::suspect, analyse::Verdict::ok}) {
    if (any(verdict)) return verdict_name(verdict);
  }
  return kNone;
}

std::string mark_text(const SweepPoint& point, std::size_t place, const SweepOutcome& outcome) {
  const OutOfFrontier reason = decide::out_of_frontier(point);
  if (reason != OutOfFrontier::none) return out_text(reason, point.state);
  for (const SweepFrontier& each : outcome.frontiers) {
    if (std::find(each.on.begin(), each.on.end(), place) != each.on.end()) return say(Msg::sweep_on_frontier);
  }
  return say(Msg::sweep_beaten);
}

/// The columns that this sweep has, with what each shows of a point.
struct Columns {
  std::vector<std::string> header() const {
    std::vector<std::string> out;
    if (has_settings) out.push_back(say(Msg::sweep_column_settings));
    out.push_back(say(Msg::column_load));
    out.push_back(say(outcome.is_per_device ? Msg::sweep_column_each : Msg::sweep_column_system));
    out.push_back(say(Msg::sweep_column_user));
    if (view.per_device_hour) out.push_back(say(Msg::sweep_column_money, view.per_device_hour->currency));
    if (view.has_limits) out.push_back(say(Msg::sweep_column_good));
    out.insert(out.end(), {"TTFT P50", "P95", "E2E P50", say(Msg::sweep_column_failed), say(Msg::column_instrument),
                           say(Msg::sweep_column_mark)});
    return out;
  }

  std::vector<std::string> row(std::size_t place) const {
    const SweepPoint& point = view.points[place];
    const decide::PointFigures figures = decide::figures_of(point);
    std::vector<std::string> out;
    if (has_settings) out.push_back(settings_text(view, point.settings));
    out.push_back(choices_text(point.load));
    out.push_back(number(decide::throughput_of(point, view.devices, outcome.is_per_device)));
    out.push_back(number(figures.user_rate));
    if (view.per_device_hour) out.push_back(number(tokens_per_money(view, point)));
    if (view.has_limits) out.push_back(number(figures.good_per_s));
    out.insert(out.end(), {seconds(figures.ttft_p50_s), seconds(figures.ttft_p95_s), seconds(figures.e2e_p50_s),
                           point.runs.empty() ? kNone : fmt::format("{}/{}", figures.failed, figures.attempted),
                           instrument_text(point), mark_text(point, place, outcome)});
    return out;
  }

  const SweepView& view;
  const SweepOutcome& outcome;
  bool has_settings = view.settings.size() > 1 || !view.settings.front().empty();
};

std::string point_table(const SweepView& view, const SweepOutcome& outcome) {
  const Columns columns{view, outcome};
  const std::vector<std::string> header = columns.header();
  text::Table table(header);
  if (columns.has_settings) table.flush_left(1);
  table.flush_left(header.size() - 1);
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    if (i > 0 && view.points[i].settings != view.points[i - 1].settings) table.add_rule();
    table.add_row(columns.row(i));
  }
  return table.render();
}

/// What this frontier is of: its lengths, and its settings where those are not all.
std::string frontier_name(const SweepView& view, const SweepFrontier& frontier) {
  std::string out = choices_text(frontier.lengths);
  if (frontier.settings.size() < view.settings.size()) {
    std::string all;
    for (const std::size_t each : frontier.settings) all += (all.empty() ? "" : "; ") + settings_text(view, each);
    out += (out.empty() ? "" : " · ") + all;
  }
  return out.empty() ? say(Msg::sweep_all_points) : out;
}

std::string frontier_lines(const SweepView& view, const SweepOutcome& outcome) {
  std::string out;
  for (const SweepFrontier& each : outcome.frontiers) {
    std::string points;
    for (const std::size_t place : each.on) points += (points.empty() ? "" : " → ") + point_text(view, place);
    if (points.empty()) continue;
    out += line(say(Msg::sweep_frontier_of, frontier_name(view, each), points));
  }
  return out;
}

std::string read_table(const SweepView& view, const SweepOutcome& outcome) {
  text::Table table({say(Msg::sweep_column_at), say(Msg::sweep_column_of),
                     say(outcome.is_per_device ? Msg::sweep_column_each : Msg::sweep_column_system),
                     say(Msg::sweep_column_best)});
  table.flush_left(1);
  table.flush_left(3);
  for (std::size_t i = 0; i < view.at.size(); ++i) {
    for (const SweepFrontier& each : outcome.frontiers) {
      const std::optional<std::size_t>& best = each.read[i].best;
      table.add_row(
          {number(view.at[i]), frontier_name(view, each),
           best ? number(decide::throughput_of(view.points[*best], view.devices, outcome.is_per_device)) : kNone,
           best ? point_text(view, *best) : say(Msg::sweep_none_reaches)});
    }
  }
  return say(Msg::sweep_readout_title) + "\n" + table.render();
}

std::string pair_lines(const SweepView& view) {
  std::string out;
  for (const decide::SettingsPair& each : view.pairs) {
    const std::string a = settings_text(view, each.a), b = settings_text(view, each.b);
    switch (each.standing) {
      case decide::Standing::no_gate:
        out += line(say(Msg::sweep_apart_precision, a, b));
        break;
      case decide::Standing::gate_failed:
        out += line(say(Msg::sweep_apart_failed, a, b, each.check));
        break;
      case decide::Standing::other_model:
        out += line(say(Msg::sweep_apart_model, a, b));
        break;
      case decide::Standing::gate_passed:
        out += line(say(Msg::sweep_passed, a, b, each.check));
        break;
      case decide::Standing::together:
        break;
    }
  }
  return out;
}

/// Each reason once: all points of a combination that did not start have the same.
std::string loss_lines(const SweepView& view) {
  std::vector<std::string> told;
  std::string out;
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    const SweepPoint& point = view.points[i];
    if (point.why.empty()) continue;
    const std::string sentence =
        point.state == PointState::not_started
            ? say(Msg::sweep_not_measured_because, settings_text(view, point.settings), point.why)
            : say(Msg::sweep_died_because, point_text(view, i), point.why);
    if (std::find(told.begin(), told.end(), sentence) != told.end()) continue;
    told.push_back(sentence);
    out += line(sentence);
  }
  return out;
}

}  // namespace

std::string choices_text(const decide::Choices& choices) {
  std::string out;
  for (const auto& [name, value] : choices) out += (out.empty() ? "" : ", ") + name + " " + value;
  return out;
}

std::string sweep_table(const SweepView& view) {
  const SweepOutcome outcome = decide::judge_sweep(view.points, view.devices, view.pairs, view.at);
  const auto measured = std::count_if(view.points.begin(), view.points.end(),
                                      [](const SweepPoint& point) { return point.state == PointState::measured; });
  std::string out = line(say(Msg::sweep_head, view.url, view.points.size(), measured)) + "\n";
  out += point_table(view, outcome) + "\n" + loss_lines(view) + frontier_lines(view, outcome) + pair_lines(view);
  if (!view.at.empty()) {
    out += "\n" + read_table(view, outcome) + "\n";
  } else if (measured > 1) {
    out += line(say(Msg::sweep_needs_x));
  }
  if (!outcome.is_per_device) out += line(say(Msg::sweep_per_system));
  if (view.repeats == 1 && measured > 0) out += line(say(Msg::sweep_one_run));
  return out + line(say(Msg::sweep_closing));
}

}  // namespace scoville::report
