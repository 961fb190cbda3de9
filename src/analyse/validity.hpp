#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyse/in_flight.hpp"
#include "analyse/token_rate.hpp"
#include "stats/steady.hpp"

namespace scoville::analyse {

/// What is followed through a run to see whether it stayed one run.
enum class Series { ttft, tpot, output_tokens_per_s };
std::string_view name_of(Series series);
std::string_view name_of(stats::SteadyVerdict verdict);
std::string_view name_of(stats::NoWindow reason);

/// The level did not stay: a trend, or a step.
bool drifts(stats::SteadyVerdict verdict);

/// One series through the run.
struct SeriesValidity {
  Series series = Series::ttft;
  std::size_t n = 0;           ///< requests that have the latency; of a rate, bins
  std::size_t per_value = 1;   ///< consecutive requests whose mean is one value of the series judged
  std::size_t values = 0;      ///< that were judged
  Nanos bin{};                 ///< of a rate: the length of one
  stats::SteadyWindow window;  ///< counts values
  std::optional<double> r1;    ///< of the requests (bins) themselves
  std::optional<double> effective_n;
};

/// Whether a run stayed on one level, judged for every run: docs/method.md, "Validity of a run".
struct Validity {
  stats::SteadyVerdict verdict = stats::SteadyVerdict::not_found;  ///< the worst of its series
  stats::NoWindow reason = stats::NoWindow::too_short;
  double significance = 0.05;  ///< of each test: 0.05 shared by the series
  std::vector<SeriesValidity> series;

  const SeriesValidity* find(Series which) const;
};

/// Follows TTFT and TPOT of the successful requests in the order of issue and, in a closed loop, output tokens per
/// second while requests were issued. In an open loop the schedule makes the rate, so it says nothing of the server.
class ValidityJudge {
 public:
  /// `records`: those that count; their token events come with add(). `full` is their window.
  ValidityJudge(const Records& records, const Window& full, bool is_closed_loop);
  void add(const event::RequestRecord& record);
  Validity validity() const;

 private:
  Records in_order_;
  Nanos bin_;
  std::optional<TokenRates> rates_;
};

}  // namespace scoville::analyse
