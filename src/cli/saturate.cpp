#include <algorithm>
#include <cstdio>

#include "analyse/slo_sample.hpp"
#include "base/run_id.hpp"
#include "cli/command.hpp"
#include "cli/launch_options.hpp"
#include "cli/price_options.hpp"
#include "cli/saturate_options.hpp"
#include "cli/step_run.hpp"
#include "cli/stop.hpp"
#include "report/saturation.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kProbed = 5;  // requests of one user, to learn what one makes

/// `scoville saturate`: the largest load within SLOs.
class Saturate final : public Command {
 public:
  Saturate() {
    target_.declare(parameters_);
    launch_.declare(parameters_);
    parameters_.under(Group::system);
    system_.declare(parameters_);
    price_.declare(parameters_);
    options_.declare(parameters_, load_);
    parameters_.under(Group::output);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare_for_writing(parameters_);
    parameters_.toggle("--disable-tqdm", Msg::flag_disable_tqdm, is_quiet_);
  }

  std::string name() const override { return "saturate"; }
  Msg summary() const override { return Msg::saturate_summary; }
  std::vector<std::string> examples() const override {
    return {
        "scoville saturate --base-url http://127.0.0.1:8000 --slo ttft:p99:500ms,tpot:p99:50ms",
        "scoville saturate --base-url http://127.0.0.1:8000 --slo e2e:p95:8s --over concurrency --devices 8",
        "scoville saturate --base-url http://127.0.0.1:8000 --slo ttft:p90:1s --arrivals constant --start 20 --json"};
  }

  Exit run() override {
    catch_stop_signals();
    if (launch_.lists_presets()) {
      std::fputs(as_json_ ? pretty(preset_json()).c_str() : preset_table().c_str(), stdout);
      return Exit::fine;
    }
    for (const Status& settled : {launch_.settle(target_, 1), target_.settle(), has_address(), system_.settle(),
                                  options_.settle(), load_.settle(), price_.settle()}) {
      if (settled) continue;
      complain(settled.error().message);
      return Exit::usage;
    }
    for (const plan::Slo& each : options_.rule().slos) {
      if (const Status fits = target_.can_limit("--slo", plan::name_of(each.metric)); !fits) {
        complain(fits.error().message);
        return Exit::usage;
      }
    }
    std::optional<LaunchedEngine> engine;  // ends with this function, whatever happens
    if (launch_.is_wanted()) engine.emplace(launch_, target_, store_);
    Result<Session> session = Session::open(target_, load_, store_, system_, engine ? &*engine : nullptr);
    if (!session) {
      complain(session.error().message);
      if (stop_requested()) return Exit::interrupted;
      return session.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    session->set_kind("saturate");
    session->set_price(price_.price(), price_.devices());
    Status sound = search(*session);
    session->end_engine({});
    if (!sound && sound.error().code != ErrorCode::aborted) complain(sound.error().message);
    return report(*session, sound);
  }

 private:
  Status has_address() const {
    const Result<wire::Url> base = target_.base();
    return base ? Status(Done{}) : Status(base.error());
  }

  /// What is known before the first step.
  void begin_view(const Session& session, const std::string& set) {
    view_.rule = options_.rule();
    view_.is_constant = options_.is_constant();
    view_.url = session.server().target.url.to_string();
    view_.model = session.server().shape.model;
    if (store_.keeps()) view_.set = set;
    view_.devices = price_.devices();
  }

  Status search(Session& session) {
    const std::string set = "set-" + new_run_id();
    begin_view(session, set);
    if (store::RunStore* const store = session.store()) {
      if (Status begun = store->begin_set(set, store_.tag()); !begun) return begun;
    }
    StepRunner runner(session, load_, set);
    if (Status probed = probe(runner); !probed) return probed;
    decide::SaturationSearch searching(view_.rule);
    Status sound = Done{};
    while (searching.next() && sound) {
      sound = stop_requested() ? Status(Error{ErrorCode::aborted, say(Msg::run_stopped)}) : step(runner, searching);
    }
    if (!sound) searching.stop();
    view_.result = searching.result();
    view_.rule = searching.rule();
    return sound;
  }

  /// One user alone: how long a request takes, and so where to start.
  Status probe(StepRunner& runner) {
    if (!is_quiet_) std::fprintf(stderr, "%s\n", say(Msg::saturate_probing, kProbed).c_str());
    const Result<Measured> measured = runner.run({std::nullopt, false, 1, kProbed}, false);
    if (!measured) return measured.error();
    if (measured->result.was_interrupted) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
    std::vector<double> took;
    for (const event::RequestRecord& each : measured->result.records) {
      if (each.succeeded() && each.zero() && each.end) took.push_back(to_seconds(*each.end - *each.zero()));
    }
    if (took.empty()) {
      const event::RequestRecord& failed = measured->result.records.front();
      const std::string why =
          failed.error_message.empty() ? std::string(event::name_of(failed.failure)) : failed.error_message;
      return Error{ErrorCode::protocol, say(Msg::saturate_probe_failed, why)};
    }
    std::sort(took.begin(), took.end());
    const double alone = std::max(took[took.size() / 2], 1e-6);
    view_.rule.request_s = alone;
    view_.rule.requests_per_s = 1 / alone;
    view_.rule.start = options_.start().value_or(options_.over_rate() ? 1 / alone : 1);
    return Done{};
  }

  Status step(StepRunner& runner, decide::SaturationSearch& searching) {
    const decide::StepAsk ask = *searching.next();
    const std::string load = report::load_text(view_.rule, ask.load);
    const std::size_t number = view_.runs.size() + 1;
    if (!is_quiet_)
      std::fprintf(stderr, "%s\n",
                   say(Msg::saturate_progress, number, load, ask.requests, report::purpose_text(ask.purpose)).c_str());
    StepLoad wanted;
    wanted.requests = ask.requests;
    wanted.is_constant = view_.is_constant;
    if (options_.over_rate()) {
      wanted.rate = ask.load;
    } else {
      wanted.users = static_cast<std::size_t>(ask.load);
    }
    const Result<Measured> measured = runner.run(wanted, !is_quiet_);
    if (!measured) return measured.error();
    if (measured->result.was_interrupted) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
    take(*measured, searching);
    const decide::SaturationStep& done = searching.result().steps.back();
    const decide::SloFigure& all = done.judgement.joint;
    if (!is_quiet_)
      std::fprintf(stderr, "%s\n",
                   say(Msg::saturate_progress_done, number, load, report::verdict_text(done), all.n - all.misses, all.n)
                       .c_str());
    return Done{};
  }

  void take(const Measured& measured, decide::SaturationSearch& searching) {
    const analyse::Analysis& analysis = measured.analysis;
    view_.runs.push_back({measured.subject.run_id, std::string(analyse::name_of(analysis.instrument.verdict)),
                          std::string(analyse::name_of(analysis.validity.verdict))});
    analyse::Records records;
    for (const event::RequestRecord& each : measured.result.records) records.push_back(&each);
    const bool is_bottleneck = analysis.instrument.verdict == analyse::Verdict::bottleneck;
    searching.take(analyse::slo_sample(records, view_.rule.slos), is_bottleneck);
  }

  Status keep(Session& session) const {
    store::RunStore* const store = session.store();
    if (!store || view_.result.steps.empty()) return Done{};
    return store->add_finding({new_run_id(), kSaturation, view_.set, {}, report::saturation_json(view_)});
  }

  Exit report(Session& session, const Status& sound) const {
    if (view_.result.steps.empty()) return stop_requested() ? Exit::interrupted : Exit::failed;
    std::fputs(as_json_ ? pretty(report::saturation_json(view_)).c_str() : report::saturation_table(view_).c_str(),
               stdout);
    if (!as_json_ && !view_.set.empty()) std::printf("%s\n", say(Msg::saturate_stored, view_.set).c_str());
    if (const Status kept = keep(session); !kept) {
      complain(kept.error().message);
      return Exit::failed;
    }
    if (stop_requested()) return Exit::interrupted;
    if (!sound) return Exit::failed;
    switch (view_.result.outcome) {
      case decide::SearchOutcome::found:
        return Exit::fine;
      case decide::SearchOutcome::none:
        return Exit::gate;
      case decide::SearchOutcome::at_least:
      case decide::SearchOutcome::cannot_tell:
        break;
    }
    return Exit::cannot_tell;
  }

  TargetOptions target_;
  LaunchOptions launch_;
  SystemOptions system_;
  PriceOptions price_;
  LoadOptions load_;
  SaturateOptions options_;
  StoreOptions store_;
  report::SaturationView view_;
  bool as_json_ = false, is_quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_saturate() { return std::make_unique<Saturate>(); }

}  // namespace scoville::cli
