#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/load_options.hpp"
#include "decide/saturation.hpp"

namespace scoville::cli {

/// The flags that say what `saturate` looks for, and those of a load that it does not set itself.
class SaturateOptions {
 public:
  void declare(Parameters& parameters, LoadOptions& load);
  /// An error for what one flag alone cannot tell. Before load.settle(): limits go into it, so that the report of each
  /// step shows them.
  Status settle();

  const std::vector<plan::Slo>& slos() const { return slos_; }
  bool over_rate() const { return over_rate_; }
  bool is_constant() const { return arrivals_ == "constant"; }
  const std::optional<double>& start() const { return start_; }
  /// All of it but what is to be measured: start and pace.
  decide::SaturationRule rule() const;

 private:
  void declare_search(Parameters& parameters);
  void declare_load(Parameters& parameters, LoadOptions& load);
  Status take_slos(std::string_view given);
  Status check_users() const;
  Status show_limits() const;

  std::vector<plan::Slo> slos_;
  std::function<Status(std::string_view)> set_limit_;
  std::optional<double> start_, most_;
  double precision_ = 0.02;
  Nanos min_step_ = std::chrono::seconds(10), max_step_ = std::chrono::minutes(5);
  std::string arrivals_, slo_text_;
  bool over_rate_ = true;
};

}  // namespace scoville::cli
