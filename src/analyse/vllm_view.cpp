#include "analyse/vllm_view.hpp"

#include <algorithm>
#include <utility>

#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::analyse {
namespace {

NumpyStatistics numpy(std::vector<double> values) {
  NumpyStatistics out;
  out.n = values.size();
  out.mean = stats::mean(values);
  std::sort(values.begin(), values.end());
  out.median = stats::linear_quantile(values, 0.5);
  out.p99 = stats::linear_quantile(values, 0.99);
  return out;
}

}  // namespace

VllmView vllm_view(const Records& records) {
  std::vector<double> ttft, tpot, itl, e2el;
  for (const event::RequestRecord* record : records) {
    if (!record->succeeded() || !record->dequeued || !record->first_chunk) continue;
    const auto since = [&](Moment at) { return static_cast<double>((*at - *record->dequeued).count()); };
    const double first = since(record->first_chunk), last = since(record->last_chunk);
    ttft.push_back(first);
    e2el.push_back(last);
    const std::int64_t n = record->n_out.value_or(0);
    if (n > 1) tpot.push_back((last - first) / static_cast<double>(n - 1));
    // A first chunk without text opens a gap to the first token; one after the last token closes with another.
    Moment before = record->first_chunk;
    bool is_first_chunk = record->first_chunk == record->first_token;
    for (const event::TokenEvent& each : record->tokens) {
      if (std::exchange(is_first_chunk, false)) continue;
      itl.push_back(static_cast<double>((each.at - *before).count()));
      before = each.at;
    }
    if (record->last_chunk != before) itl.push_back(static_cast<double>((*record->last_chunk - *before).count()));
  }
  return {numpy(std::move(ttft)), numpy(std::move(tpot)), numpy(std::move(itl)), numpy(std::move(e2el))};
}

}  // namespace scoville::analyse
