#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "probe/reason.hpp"

namespace scoville::probe {

/// Times of one call as a row tells them, in nanoseconds.
struct Times {
  double median = 0, p5 = 0, p95 = 0, min = 0;
  std::optional<double> first_call;
  std::size_t samples = 0;
  bool is_noisy = false, is_steady = true;
};

/// What is common to all rows.
struct Point {
  std::optional<Times> hot, cold;
  std::optional<int> threads;
  bool is_oversubscribed = false;
  std::optional<Fault> fault;

  /// Measured, and what was measured is right.
  bool is_good() const { return hot && !fault; }
};

struct GemmPoint : Point {
  std::string label;  ///< "square", "off tile", "llm", "roofline": the group of shapes that it belongs to
  std::string note;   ///< "h 4096 qkv"
  double m = 0, n = 0, k = 0, batch = 1;
  std::string dtype, kernel;  ///< empty kernel: not told
  std::optional<double> rel_l2, max_abs;
  std::optional<double> poisoned;
};

struct BandwidthPoint : Point {
  std::string operation, stores;
  double array_bytes = 0, moved_bytes = 0;
};

struct LatencyPoint : Point {
  double working_set_bytes = 0;
};

struct CopyPoint : Point {
  std::string direction;
  std::optional<bool> is_pinned;
  double bytes = 0;
};

struct LaunchPoint : Point {
  std::string kind;
};

struct AttentionPoint : Point {
  std::string label;
  double batch = 1, heads = 1, kv_heads = 1, head_dim = 1, query_len = 1, kv_len = 1;
  bool is_causal = false;
  std::string dtype, kernel;
  std::optional<double> rel_l2;
};

/// A row of a probe, read: what it does not tell, or tells as something else than docs/formats/probe.md has it, is
/// empty. A row without times and without a fault has the fault `failed`.
GemmPoint gemm_point(const json::object& row);
BandwidthPoint bandwidth_point(const json::object& row);
LatencyPoint latency_point(const json::object& row);
CopyPoint copy_point(const json::object& row);
LaunchPoint launch_point(const json::object& row);
AttentionPoint attention_point(const json::object& row);

}  // namespace scoville::probe
