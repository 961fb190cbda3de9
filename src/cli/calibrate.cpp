#include <cstdio>

#include "cli/calibrate_machine.hpp"
#include "cli/command.hpp"
#include "cli/stop.hpp"
#include "cli/stored_calibration.hpp"
#include "report/calibration_table.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville calibrate`: the instrument's own error, against an endpoint that knows when it sent.
class Calibrate final : public Command {
 public:
  Calibrate() {
    parameters_.toggle("--quick", Msg::flag_calibrate_quick, is_quick_);
    parameters_.toggle("--show", Msg::flag_calibrate_show, only_shows_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "calibrate"; }
  Msg summary() const override { return Msg::calibrate_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville calibrate", "scoville calibrate --quick", "scoville calibrate --show --json"};
  }

  Exit run() override {
    catch_stop_signals();
    Result<analyse::Calibration> calibration = only_shows_ ? stored() : measured();
    if (!calibration) {
      complain(calibration.error().message);
      if (stop_requested()) return Exit::interrupted;
      return calibration.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    const std::string out = as_json_ ? pretty(analyse::to_json(*calibration)) : report::calibration_table(*calibration);
    std::fputs(out.c_str(), stdout);
    if (only_shows_) return Exit::fine;
    for (const analyse::CalibrationPoint& each : calibration->points) {
      if (calibration->good_points(each.setting).empty()) return Exit::cannot_tell;
    }
    return Exit::fine;
  }

 private:
  Result<analyse::Calibration> stored() const {
    const Result<store::RunStore> store = store_.open_for_reading();
    return store ? newest_calibration(*store) : store.error();
  }

  Result<analyse::Calibration> measured() const {
    Result<store::RunStore> store = store_.open();  // what is wrong with it shows before the minute, not after it
    if (!store) return store.error();
    return calibrate_machine(*store, is_quick_);
  }

  StoreOptions store_;
  bool is_quick_ = false, only_shows_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_calibrate() { return std::make_unique<Calibrate>(); }

}  // namespace scoville::cli
