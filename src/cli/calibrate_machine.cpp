#include "cli/calibrate_machine.hpp"

#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/clock.hpp"
#include "cli/calibration_run.hpp"
#include "cli/machine_key.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "report/calibration_table.hpp"

namespace scoville::cli {

using text::Msg;
using text::say;

Result<analyse::Calibration> calibrate_machine(store::RunStore& store, bool is_quick) {
  analyse::Calibration calibration;
  calibration.machine = machine_key();
  calibration.made = wall_now();
  const std::vector<GridPoint> grid = calibration_grid(is_quick, std::thread::hardware_concurrency());
  const TemporaryFolder folder;
  LiveLine line;
  for (const GridPoint& each : grid) {
    if (line.is_due()) {
      line.show(say(Msg::calibrate_progress, calibration.points.size() + 1, grid.size(), report::describe(each.setting),
                    report::grouped(each.events_per_s)));
    }
    Result<analyse::CalibrationPoint> point = measure_point(each, folder);
    if (stop_requested()) return Error{ErrorCode::aborted, say(Msg::calibrate_stopped)};
    if (!point) return std::move(point.error());
    calibration.points.push_back(std::move(*point));
  }
  if (Status kept = store.add_calibration(calibration.machine, analyse::to_json(calibration)); !kept)
    return kept.error();
  return calibration;
}

}  // namespace scoville::cli
