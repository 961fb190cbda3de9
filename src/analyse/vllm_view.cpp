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

constexpr std::int64_t kUnit = 1000;  // ns

std::optional<double> scaled(std::optional<double> value, double factor) {
  if (!value) return std::nullopt;
  return *value * factor;
}

}  // namespace

void VllmPool::add_gap(Nanos gap) {
  itl_.add((gap.count() + kUnit / 2) / kUnit);
  itl_sum_ += static_cast<double>(gap.count());
}

void VllmPool::add(const event::RequestRecord& record) {
  if (!record.succeeded() || !record.dequeued || !record.first_chunk) return;
  const auto since = [&](Moment at) { return static_cast<double>((*at - *record.dequeued).count()); };
  const double first = since(record.first_chunk), last = since(record.last_chunk);
  ttft_.push_back(first);
  e2el_.push_back(last);
  const std::int64_t n = record.n_out.value_or(0);
  if (n > 1) tpot_.push_back((last - first) / static_cast<double>(n - 1));
  // A first chunk without text opens a gap to the first token; one after the last token closes with another.
  Moment before = record.first_chunk;
  bool is_first_chunk = record.first_chunk == record.first_token;
  for (const event::TokenEvent& each : record.tokens) {
    if (std::exchange(is_first_chunk, false)) continue;
    add_gap(each.at - *before);
    before = each.at;
  }
  if (record.last_chunk != record.last_token) add_gap(*record.last_chunk - *before);
}

VllmView VllmPool::view() const {
  NumpyStatistics itl;
  itl.n = itl_.count();
  if (itl.n > 0) itl.mean = itl_sum_ / static_cast<double>(itl.n);
  itl.median = scaled(itl_.linear_quantile(0.5), kUnit);
  itl.p99 = scaled(itl_.linear_quantile(0.99), kUnit);
  return {numpy(ttft_), numpy(tpot_), itl, numpy(e2el_)};
}

}  // namespace scoville::analyse
