#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyse/latencies.hpp"
#include "load/loader.hpp"
#include "stats/counting_histogram.hpp"

namespace scoville::analyse {

enum class Verdict { ok, suspect, bottleneck };
std::string_view name_of(Verdict verdict);

/// What made the verdict worse than ok. The names are codes in the JSON.
enum class Doubt { drops, send_lag, loop_busy, late_merged, steal, client_resource, not_recorded };
std::string_view name_of(Doubt doubt);

/// P50, P99 (nearest rank) and maximum of a lag; empty where there was nothing to measure.
struct Lag {
  std::optional<Nanos> p50, p99, largest;
};

/// How the client itself did: whether the figures are the server's or ours.
struct Instrument {
  Verdict verdict = Verdict::ok;
  std::vector<Doubt> reasons;
  Lag send_lag;                             ///< due (or taken up, where no schedule exists) → written
  Lag read_lag;                             ///< kernel receive stamp → read
  std::optional<double> late_merged_share;  ///< events that share a stamp in a read later than half their stream's gap
  std::optional<double> merged_share;       ///< events that share a stamp for any reason: transport, TLS, engine
  std::optional<double> loop_busy_share;    ///< of the busiest second of any load thread
  std::optional<double> loop_busy_mean;
  std::optional<double> steal_share;
  std::size_t queue_depth = 0;  ///< most requests that waited in the client for a connection
  std::size_t drops = 0;        ///< records lost
  bool has_kernel_stamps = true;
  int clock_steps = 0;
  std::size_t connections_opened = 0;
  Nanos cpu{};
};

/// What the client recorded of itself during the run.
struct ClientAccount {
  const std::vector<load::LoaderReport>& loaders;  ///< empty: it was cut off before it could
  std::optional<double> steal_share;
  std::size_t drops = 0;
};

/// What token events say about the client: gathered from request after request.
class ReadingPool {
 public:
  /// `gaps`: event::chunk_gaps(record).
  void add(const event::RequestRecord& record, const std::vector<Nanos>& gaps);
  Lag read_lag() const;  ///< to 1 µs; the maximum to 1 ns
  std::optional<double> late_merged_share() const;
  std::optional<double> merged_share() const;

 private:
  std::size_t late_ = 0, merged_ = 0;
  stats::CountingHistogram lags_;
  std::uint32_t largest_ = 0;
  std::vector<Nanos> scratch_;
};

/// `median_ttft` sets the scale of the send lag that matters: bottleneck above max(1 ms, 5 % of it), suspect at half.
Instrument judge_instrument(const Records& records, const ReadingPool& reading, const ClientAccount& client,
                            std::optional<Nanos> median_ttft);

/// The largest send lag (P99) that leaves a figure alone.
Nanos tolerable_send_lag(std::optional<Nanos> median_ttft);

}  // namespace scoville::analyse
