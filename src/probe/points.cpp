#include "probe/points.hpp"
#include "base/json_text.hpp"

#include <cmath>

namespace scoville::probe {
namespace {

std::optional<double> number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (!value || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

double size_in(const json::object& object, std::string_view key, double fallback) {
  const std::optional<double> number = number_in(object, key);
  return number && *number > 0 ? *number : fallback;
}

std::optional<bool> flag_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_bool() ? std::optional(value->as_bool()) : std::nullopt;
}

std::optional<Times> times_in(const json::object& row, std::string_view key) {
  const json::value* value = row.if_contains(key);
  if (!value || !value->is_object()) return std::nullopt;
  const json::object& object = value->as_object();
  const std::optional<double> median = number_in(object, "median_ns");
  if (!median || !(*median > 0) || !std::isfinite(*median)) return std::nullopt;  // no time at all
  Times times;
  times.median = *median;
  times.p5 = number_in(object, "p5_ns").value_or(*median);
  times.p95 = number_in(object, "p95_ns").value_or(*median);
  times.min = number_in(object, "min_ns").value_or(*median);
  times.first_call = number_in(object, "first_call_ns");
  times.samples = static_cast<std::size_t>(size_in(object, "n", 0));
  times.is_noisy = flag_in(object, "noisy").value_or(false);
  times.is_steady = flag_in(object, "steady").value_or(true);
  return times;
}

template <class P>
P common(const json::object& row) {
  P point;
  point.hot = times_in(row, "hot");
  point.cold = times_in(row, "cold");
  if (const auto threads = number_in(row, "threads")) point.threads = static_cast<int>(*threads);
  point.is_oversubscribed = flag_in(row, "oversubscribed").value_or(false);
  if (const json::value* fault = row.if_contains("fault"); fault && fault->is_object()) {
    const json::object& told = fault->as_object();
    point.fault = {reason_named(text_in(told, "reason")).value_or(Reason::failed), text_in(told, "message")};
  } else if (!point.hot) {
    point.fault = {Reason::failed, "a row without times"};
  }
  return point;
}

}  // namespace

GemmPoint gemm_point(const json::object& row) {
  GemmPoint point = common<GemmPoint>(row);
  const std::string label = text_in(row, "label");
  const std::size_t bar = label.find(": ");
  point.label = label.substr(0, bar);
  if (bar != std::string::npos) point.note = label.substr(bar + 2);
  point.m = size_in(row, "m", 0);
  point.n = size_in(row, "n", 0);
  point.k = size_in(row, "k", 0);
  point.batch = size_in(row, "batch", 1);
  point.dtype = text_in(row, "dtype");
  point.kernel = text_in(row, "kernel");
  point.rel_l2 = number_in(row, "rel_l2");
  point.max_abs = number_in(row, "max_abs");
  point.poisoned = number_in(row, "poisoned");
  if (!point.fault && point.poisoned.value_or(0) > 0) {
    point.fault = {Reason::wrong_result, "elements of the result were never written"};
  }
  return point;
}

BandwidthPoint bandwidth_point(const json::object& row) {
  BandwidthPoint point = common<BandwidthPoint>(row);
  point.operation = text_in(row, "operation");
  point.stores = text_in(row, "stores");
  point.array_bytes = size_in(row, "array_bytes", 0);
  point.moved_bytes = size_in(row, "moved_bytes", 0);
  if (!point.fault && flag_in(row, "checked") == false) {
    point.fault = {Reason::wrong_result, "the arrays hold other values than they have to"};
  }
  return point;
}

LatencyPoint latency_point(const json::object& row) {
  LatencyPoint point = common<LatencyPoint>(row);
  point.working_set_bytes = size_in(row, "working_set_bytes", 0);
  return point;
}

CopyPoint copy_point(const json::object& row) {
  CopyPoint point = common<CopyPoint>(row);
  point.direction = text_in(row, "direction");
  point.is_pinned = flag_in(row, "pinned");
  point.bytes = size_in(row, "bytes", 0);
  return point;
}

LaunchPoint launch_point(const json::object& row) {
  LaunchPoint point = common<LaunchPoint>(row);
  point.kind = text_in(row, "kind");
  return point;
}

AttentionPoint attention_point(const json::object& row) {
  AttentionPoint point = common<AttentionPoint>(row);
  point.label = text_in(row, "label");
  point.batch = size_in(row, "batch", 1);
  point.heads = size_in(row, "heads", 1);
  point.kv_heads = size_in(row, "kv_heads", point.heads);
  point.head_dim = size_in(row, "head_dim", 0);
  point.query_len = size_in(row, "query_len", 0);
  point.kv_len = size_in(row, "kv_len", point.query_len);
  point.is_causal = flag_in(row, "causal").value_or(false);
  point.dtype = text_in(row, "dtype");
  point.kernel = text_in(row, "kernel");
  point.rel_l2 = number_in(row, "rel_l2");
  return point;
}

}  // namespace scoville::probe
