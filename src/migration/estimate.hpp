#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/money.hpp"
#include "migration/log.hpp"
#include "migration/plan.hpp"

namespace scoville::migration {

/// What the sum comes to: 10, 50 and 90 of 100 draws are below these.
struct Spread {
  double p10 = 0, p50 = 0, p90 = 0, mean = 0;
};

struct ItemEstimate {
  Item item;
  /// estimated: the range stands. in_progress: days are booked, and the sum is never below them. logged: the booked
  /// days replace the range, because the item is done, or because the first token has come. first_token: as before, and
  /// no days were booked: the days until the first token times the engineers, shared out among such items by their
  /// likely values.
  enum class State { estimated, in_progress, logged, first_token };
  State state = State::estimated;
  double booked = 0;
  double days = 0;          ///< mean of what it adds to the sum
  double spread_share = 0;  ///< part of the variance of the sum, were the items independent; 0 to 1
};

struct Estimate {
  std::vector<ItemEstimate> items;
  Spread person_days, engineer_months;
  std::optional<Money> cost_p10, cost_p50, cost_p90;  ///< none where nobody said what a person costs
  std::optional<Log::FirstToken> first_token;
  double booked_days = 0;                     ///< of all items, those that the plan lacks too
  std::size_t assumed = 0;                    ///< items that still rest on an assumption
  std::vector<std::string> booked_elsewhere;  ///< booked items that the plan does not have; their days are in the sum
};

/// Pure: the plan's seed is the only chance in it. `log` may be null.
Estimate work_out(const Plan& plan, const Log* log = nullptr);

/// The u-quantile of an item's range, u in [0, 1].
double quantile_of(const Item& item, Shape shape, double u);

}  // namespace scoville::migration
