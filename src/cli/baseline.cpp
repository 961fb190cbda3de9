#include <cstdio>

#include "cli/bench_run.hpp"
#include "cli/calibrate_machine.hpp"
#include "cli/stop.hpp"
#include "cli/stored_calibration.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr const char* kTag = "baseline";

/// `scoville baseline`: what to compare with later. The environment, the instrument's own error if this machine has
/// none yet, five runs of one load under one tag, and one report.
class Baseline final : public Command {
 public:
  Baseline() {
    target_.declare(parameters_);
    launch_.declare(parameters_);
    parameters_.under(Group::system);
    system_.declare(parameters_);
    price_.declare(parameters_);
    load_.declare(parameters_);
    parameters_.under(Group::load);
    parameters_.count("--repeats", Msg::flag_repeats, repeats_, 2, 100);
    parameters_.under(Group::output);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
    parameters_.add({"--tag", "NAME", Msg::flag_tag, kTag, [this](std::string_view given) -> Status {
                       if (given.empty()) return Error{ErrorCode::invalid_argument, say(Msg::expected_text)};
                       store_.set_tag(std::string(given));
                       return Done{};
                     }});
    outputs_.declare(parameters_);
    parameters_.toggle("--quick", Msg::flag_baseline_quick, is_quick_);
    store_.set_tag(kTag);
  }

  std::string name() const override { return "baseline"; }
  Msg summary() const override { return Msg::baseline_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville baseline --base-url http://127.0.0.1:8000 --max-concurrency 16 --num-prompts 200 --ignore-eos",
            "scoville baseline --base-url http://gpu01:8000 --system gpu01.json --request-rate 20 --tag h800-week48"};
  }

  Exit run() override {
    catch_stop_signals();
    if (launch_.lists_presets()) {
      std::fputs(as_json_ ? pretty(preset_json()).c_str() : preset_table().c_str(), stdout);
      return Exit::fine;
    }
    for (const Status& settled : {launch_.settle(target_, repeats_), target_.settle(), system_.settle(), load_.settle(),
                                  price_.settle(), outputs_.settle(), outputs_.fits_repeats()}) {
      if (settled) continue;
      complain(settled.error().message);
      return Exit::usage;
    }
    if (const Result<wire::Url> base = target_.base(); !base) {  // before the minute of calibration, not after it
      complain(base.error().message);
      return Exit::usage;
    }
    if (const Status calibrated = calibrate_if_missing(); !calibrated) {
      complain(calibrated.error().message);
      return stop_requested() ? Exit::interrupted : Exit::failed;
    }
    BenchRun run{target_, load_, store_, system_, price_, outputs_, as_json_, false, repeats_};
    run.shows_checklist = true;
    run.launch = &launch_;
    return run.run();
  }

 private:
  Status calibrate_if_missing() const {
    Result<store::RunStore> store = store_.open();
    if (!store) return store.error();
    if (newest_calibration(*store)) return Done{};
    std::fprintf(stderr, "%s\n", say(Msg::baseline_calibrates).c_str());
    const Result<analyse::Calibration> made = calibrate_machine(*store, is_quick_);
    return made ? Status(Done{}) : Status(made.error());
  }

  TargetOptions target_;
  LaunchOptions launch_;
  LoadOptions load_;
  StoreOptions store_;
  SystemOptions system_;
  PriceOptions price_;
  OutputOptions outputs_;
  std::size_t repeats_ = 5;
  bool as_json_ = false, is_quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_baseline() { return std::make_unique<Baseline>(); }

}  // namespace scoville::cli
