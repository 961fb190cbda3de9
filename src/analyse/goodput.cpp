#include "analyse/goodput.hpp"

#include "stats/attainment.hpp"

namespace scoville::analyse {
namespace {

std::optional<double> seconds(std::optional<Nanos> span) {
  if (!span) return std::nullopt;
  return to_seconds(*span);
}

std::optional<double> between(Moment from, Moment to) {
  if (!from || !to) return std::nullopt;
  return to_seconds(*to - *from);
}

}  // namespace

std::optional<GoodputFigure> goodput(const Records& records, const plan::Limits& limits, Nanos issuing) {
  if (!limits.any()) return std::nullopt;
  std::vector<stats::Attempt> attempts;
  attempts.reserve(records.size());
  for (const event::RequestRecord* record : records) {
    stats::Attempt attempt;
    attempt.ok = record->succeeded();
    attempt.ttft = between(record->zero(), record->first_token);
    attempt.e2e = between(record->zero(), record->end);
    if (is_streamed(*record)) attempt.tpot = seconds(event::tpot(*record));
    if (!attempt.tpot && record->n_out == 1) attempt.tpot = 0;
    attempts.push_back(attempt);
  }
  const stats::ServiceLimits service{seconds(limits.ttft), seconds(limits.tpot), seconds(limits.e2e)};
  const auto counts = stats::measure_goodput(attempts, service, to_seconds(issuing));
  if (!counts) return std::nullopt;
  return GoodputFigure{limits, *counts, stats::attainment_interval(counts->good, counts->attempted),
                       stats::attainment_at_least(counts->good, counts->attempted)};
}

}  // namespace scoville::analyse
