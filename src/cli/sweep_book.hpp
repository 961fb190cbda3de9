#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/measured.hpp"
#include "cli/sweep_plan.hpp"
#include "decide/arm.hpp"
#include "report/sweep.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// Kinds of finding: the plan of a sweep, what became of each of its runs, and the lengths that a run of
/// --find-bad-shapes tried. Their subject is the set's id.
inline constexpr const char* kSweep = "sweep";
inline constexpr const char* kSweepRun = "sweep_run";
inline constexpr const char* kShapes = "shapes";

/// What became of one run of a sweep.
struct SweepEntry {
  SweepStep step;
  decide::PointState state = decide::PointState::measured;
  std::string run;  ///< of a measured one
  std::string why;  ///< of the others
};

/// A sweep as far as it has come: its plan, and what was measured. Each entry is kept in the store as soon as it is
/// known, so that a sweep can be gone on with after kill -9.
class SweepBook {
 public:
  explicit SweepBook(SweepPlan plan);

  /// Puts down the plan of a new sweep.
  static Status begin(store::RunStore& store, const std::string& set, const SweepPlan& plan);
  /// The sweep that is meant: its set, or "last". Its runs are analysed anew.
  static Result<SweepBook> open(const store::RunStore& store, const std::string& name);

  const SweepPlan& plan() const { return plan_; }
  const std::string& set() const { return set_; }
  void set_set(std::string set) { set_ = std::move(set); }

  /// Measured, and not to be measured again.
  bool has(const SweepStep& step) const;
  std::size_t done() const { return done_.size(); }
  /// The engine did not live through this point since the program was started.
  bool is_lost(std::size_t point) const;

  /// `measured`: of a measured run. `store` null: kept in memory alone.
  Status take(const SweepEntry& entry, const Measured* measured, store::RunStore* store);

  /// `store` is asked which precisions may be ranked together; null: none is known to. `at` empty: the plan's.
  Result<report::SweepView> view(const store::RunStore* store, const std::vector<double>& at) const;

 private:
  void note(const SweepEntry& entry, const Measured* measured);
  Result<std::vector<decide::SettingsPair>> pairs(const store::RunStore* store) const;

  SweepPlan plan_;
  std::string set_, url_, model_;
  std::vector<decide::SweepPoint> points_;
  std::map<std::pair<std::size_t, std::size_t>, bool> done_;
  std::vector<bool> lost_;
  std::vector<std::optional<decide::Setup>> setups_;  ///< of each combination that was measured
  bool has_limits_ = false;
};

}  // namespace scoville::cli
