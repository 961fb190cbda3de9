#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/launch_options.hpp"
#include "cli/load_options.hpp"
#include "cli/price_options.hpp"
#include "cli/store_options.hpp"
#include "cli/sweep_plan.hpp"
#include "cli/sweep_words.hpp"
#include "cli/system_options.hpp"
#include "cli/target_options.hpp"

namespace scoville::cli {

/// The flags of `sweep`: what is varied, and what all of its points share.
///
/// target, launch and the load are not settled: each combination, and each point, settles a copy with its own values.
class SweepOptions {
 public:
  void declare(Parameters& parameters);

  /// An error where --resume cannot be followed. First of all.
  Status check_resume() const;
  /// What the command line does not say is taken from the sweep that --resume names. Before settle().
  Status go_on_with(const SweepPlan& begun, const std::string& set) { return words_.go_on_with(begun.options, set); }
  /// An error for what can be known before anybody is asked; plan() from then on. Every value of every axis is tried.
  Status settle();

  const SweepPlan& plan() const { return plan_; }
  /// The load of a point, ready to be run; its address is what a session keeps.
  Result<std::unique_ptr<LoadOptions>> load_of(const decide::Choices& load) const;
  /// The engine of a combination, and where it is asked. Settled.
  Status settle_engine(const decide::Choices& settings, LaunchOptions& launch, TargetOptions& target) const;

  bool finds_bad_shapes() const { return finds_bad_; }
  /// Lengths to try, ascending, each once.
  std::vector<std::uint32_t> lengths() const;
  /// Of each length; 0: nobody said.
  std::size_t per_length() const { return per_length_; }
  /// A load of so many requests, one at a time.
  Result<std::unique_ptr<LoadOptions>> load_of_shapes(std::size_t requests) const;

  const TargetOptions& target() const { return target_; }
  const LaunchOptions& launch() const { return launch_; }
  const SystemOptions& system() const { return system_; }
  const PriceOptions& price() const { return price_; }
  const StoreOptions& store() const { return store_; }
  const std::string& resume() const { return resume_; }
  const std::string& show() const { return show_; }
  const std::vector<double>& at() const { return at_; }
  bool as_json() const { return as_json_; }
  bool is_quiet() const { return is_quiet_; }

 private:
  void declare_grid(Parameters& parameters);
  void declare_shapes(Parameters& parameters);
  void declare_load(Parameters& parameters);
  void declare_output(Parameters& parameters);
  Status take_at(std::string_view given);
  Status take_around(std::string_view given);
  Status check_company() const;
  Status check_axes() const;
  Status check_loads() const;

  TargetOptions target_;
  LaunchOptions launch_;
  SystemOptions system_;
  PriceOptions price_;
  LoadOptions load_;
  StoreOptions store_;
  SweepWords words_;
  std::vector<Axis> loads_, settings_;
  SweepPlan plan_;
  std::vector<double> at_;
  std::vector<std::uint32_t> around_{16, 64, 128, 256, 512, 1024};
  std::size_t repeats_ = 1, span_ = 2, per_length_ = 0, seed_ = 0, users_ = 0;
  std::string resume_, show_;
  bool is_in_order_ = false, finds_bad_ = false, as_json_ = false, is_quiet_ = false;
};

}  // namespace scoville::cli
