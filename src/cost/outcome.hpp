#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cost/break_even.hpp"
#include "cost/rack.hpp"
#include "cost/tornado.hpp"
#include "cost/training.hpp"
#include "cost/uncertainty.hpp"
#include "text/catalogue.hpp"

namespace scoville::cost {

/// A number that nobody stated, and that is asked for.
struct Missing {
  std::string option;  ///< empty: of the study
  std::string path;    ///< as it is written in a file: "port.years"
  std::string unit;
  text::CostMsg what{};
};

/// A number that nobody stated, taken from public data.
struct DefaultUsed {
  std::string path, unit;
  double value = 0;
  std::string source, date;
  std::vector<std::string> options;
};

/// What nobody stated and was counted as nothing, and for which options.
struct Unsaid {
  std::string path;
  double counted_as = 0;
  std::vector<std::string> options;
};

/// What a reader has to know of the figures.
struct Note {
  std::string code;
  std::string option;
  text::Phrase words;
};

struct OptionOutcome {
  std::string name;
  Kind kind = Kind::owned;
  Billing billing = Billing::committed;
  Perf perf;
  Plant plant;
  Fleet fleet;
  Tokens tokens;
  Volumes volumes;  ///< of a year
  Annual annual;
  std::vector<std::pair<Method, UnitCosts>> methods;  ///< all that can be said
  std::optional<Method> used;                         ///< empty: an API's own price list
  UnitCosts unit;                                     ///< by that method
  std::optional<stats::Interval> out_interval;        ///< of unit.out, from the interval of the throughput
  std::optional<double> input_time_share;
  std::optional<double> per_acc_hour, hourly_rule;
  std::optional<double> per_useful_acc_hour;  ///< of training, with the time that interruptions leave
  std::optional<RackCheck> rack;
  std::optional<SpareCheck> spares;
  std::optional<TrainingGoodput> training;
  std::vector<Bar> bars;  ///< of unit.out
};

/// An option against the first one.
struct PairOutcome {
  std::size_t option = 0;
  BreakEven break_even;
  Saving saving;
  double whole_saving = 0;  ///< with whole nodes and spares
  /// Total of the first minus total of the option, with the fleets that they have. Empty where those do not serve the
  /// same volume.
  std::optional<double> saving_of_totals;
  bool has_stated_fleets = false;   ///< every fleet of the two was stated, none was sized for the demand
  bool is_of_other_fleets = false;  ///< `saving` is not of the fleets that the totals are of

  /// The two savings have opposite signs.
  bool is_at_odds() const { return saving_of_totals && *saving_of_totals * saving.value < 0; }
  std::optional<PortingCase> porting;
  std::optional<double> kw_ratio;  ///< throughput for each provisioned kW, option ÷ first
  std::vector<Bar> bars;           ///< of the saving
};

struct Outcome {
  std::string currency;
  TaxRule tax;
  std::vector<std::pair<std::string, Rate>> rates;  ///< that were used to convert, by currency
  double wacc = 0, horizon_years = 0;
  double mtok_out = 0;  ///< of a year, at which options are held against each other
  bool has_demand = false;
  Sizing sizing = Sizing::whole_nodes;
  std::vector<OptionOutcome> options;
  std::vector<PairOutcome> pairs;
  std::vector<DefaultUsed> defaults;
  std::vector<Unsaid> unsaid;
  std::vector<Missing> missing;  ///< if there is any, nothing was worked out
  std::vector<Note> notes;

  bool is_complete() const { return missing.empty(); }
  /// Accelerators that the demand needs of an option, not rounded; 0 of an API.
  double needed(std::size_t option) const;
};

/// All of it. What is missing is in the outcome; an error is a study without a sense.
Result<Outcome> work_out(const Study& study);

}  // namespace scoville::cost
