#include "cli/sweep_run.hpp"

#include <cstdio>

#include "cli/command.hpp"
#include "cli/step_run.hpp"
#include "cli/stop.hpp"
#include "report/sweep.hpp"

namespace scoville::cli {
namespace {

using decide::PointState;
using text::Msg;
using text::say;

Error stopped() { return {ErrorCode::aborted, say(Msg::run_stopped)}; }

/// Equal for loads that can share prompts.
std::string prompts_of(const decide::Choices& load, const plan::LoadPlan& plan) {
  std::string out = std::to_string(plan.num_prompts);
  for (const auto& [axis, value] : load) {
    if (axis == "input-len" || axis == "output-len") out += " " + axis + " " + value;
  }
  return out;
}

StepLoad step_load(const plan::LoadPlan& plan) {
  return {plan.arrivals.rate, plan.arrivals.is_constant, plan.max_concurrency, plan.num_prompts, plan.duration};
}

}  // namespace

std::string SweepRun::name_of(const SweepStep& step) const {
  const SweepPlan& plan = book_.plan();
  const decide::SweepPoint& point = plan.points[step.point];
  const std::string settings = report::choices_text(plan.settings[point.settings]),
                    load = report::choices_text(point.load);
  return settings + (settings.empty() || load.empty() ? "" : ", ") + load;
}

Status SweepRun::run() {
  const SweepPlan& plan = book_.plan();
  for (std::size_t s = 0; s < plan.settings.size(); ++s) {
    std::vector<SweepStep> steps;
    for (const SweepStep& each : plan.order) {
      if (plan.points[each.point].settings == s && !book_.has(each)) steps.push_back(each);
    }
    if (steps.empty()) continue;
    if (stop_requested()) return stopped();
    if (!options_.is_quiet() && plan.settings.size() > 1)
      std::fprintf(
          stderr, "%s\n",
          say(Msg::sweep_settings_progress, s + 1, plan.settings.size(), report::choices_text(plan.settings[s]))
              .c_str());
    if (Status done = run_settings(s, steps); !done) return done;
  }
  return Done{};
}

Status SweepRun::run_settings(std::size_t settings, const std::vector<SweepStep>& steps) {
  LaunchOptions launch;
  TargetOptions target;
  if (Status settled = options_.settle_engine(book_.plan().settings[settings], launch, target); !settled)
    return settled;
  Result<std::unique_ptr<LoadOptions>> load = options_.load_of(book_.plan().points[steps.front().point].load);
  if (!load) return load.error();
  load_ = std::move(*load);
  prompts_ = prompts_of(book_.plan().points[steps.front().point].load, load_->plan());
  std::optional<LaunchedEngine> engine;  // ends with this function, whatever happens
  if (launch.is_wanted()) engine.emplace(launch, target, options_.store());
  Result<Session> session =
      Session::open(target, *load_, options_.store(), options_.system(), engine ? &*engine : nullptr);
  if (!session) {
    if (stop_requested()) return stopped();
    if (!engine) return session.error();
    complain(
        say(Msg::sweep_point_lost, report::choices_text(book_.plan().settings[settings]), session.error().message));
    return lose(steps, PointState::not_started, session.error().message);
  }
  session->set_kind("sweep");
  session->set_price(options_.price().price(), options_.price().devices());
  Status done = run_steps(*session, steps);
  session->end_engine({});
  return done;
}

Status SweepRun::run_steps(Session& session, const std::vector<SweepStep>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (stop_requested()) return stopped();
    if (book_.is_lost(steps[i].point)) continue;
    Status done = run_step(session, steps[i]);
    if (done) continue;
    if (stop_requested()) return stopped();
    const std::optional<Error> loss = session.engine_loss(std::chrono::seconds(1));
    if (!loss) return done;
    complain(say(Msg::sweep_point_lost, name_of(steps[i]), loss->message));
    if (Status told = lose({steps[i]}, PointState::engine_ended, loss->message); !told) return told;
    session.end_engine({});
    if (i + 1 == steps.size()) break;
    if (Status again = session.relaunch(); !again) {
      if (stop_requested()) return stopped();
      const std::vector<SweepStep> rest(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, steps.end());
      return lose(rest, PointState::not_started, again.error().message);
    }
  }
  return Done{};
}

/// The first load of a session has its prompts already.
Status SweepRun::turn_to(Session& session, const SweepStep& step) {
  const decide::Choices& choices = book_.plan().points[step.point].load;
  Result<std::unique_ptr<LoadOptions>> next = options_.load_of(choices);
  if (!next) return next.error();
  std::string prompts = prompts_of(choices, (*next)->plan());
  const bool makes_prompts = prompts != prompts_;
  Status turned = session.turn_to(**next, makes_prompts);
  load_ = std::move(*next);
  prompts_ = turned ? std::move(prompts) : "";
  return turned;
}

Status SweepRun::run_step(Session& session, const SweepStep& step) {
  const SweepPlan& plan = book_.plan();
  if (!options_.is_quiet())
    std::fprintf(stderr, "%s\n", say(Msg::sweep_progress, book_.done() + 1, plan.order.size(), name_of(step)).c_str());
  if (Status turned = turn_to(session, step); !turned) return turned;
  StepRunner runner(session, *load_, book_.set(), step.repeat * plan.points.size() + step.point);
  const Result<Measured> measured = runner.run(step_load(load_->plan()), !options_.is_quiet());
  if (!measured) return measured.error();
  if (measured->result.was_interrupted) return stopped();
  return book_.take({step, PointState::measured, measured->subject.run_id, ""}, &*measured, store_);
}

Status SweepRun::lose(const std::vector<SweepStep>& steps, PointState state, const std::string& why) {
  for (const SweepStep& each : steps) {
    if (book_.is_lost(each.point)) continue;
    if (Status told = book_.take({each, state, "", why}, nullptr, store_); !told) return told;
  }
  return Done{};
}

}  // namespace scoville::cli
