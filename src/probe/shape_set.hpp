#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace scoville::probe {

enum class Level { quick, standard, full };
std::string_view name_of(Level level);

/// What is measured of one kind of device at one level: the items of its questions, as the protocol has them.
struct ShapeSet {
  std::vector<json::object> gemm;       ///< label "GROUP: note", m, n, k
  std::vector<json::object> attention;  ///< label, batch, heads, kv_heads, head_dim, query_len, kv_len, causal
  double bandwidth_bytes = 0;           ///< least size of one array
  std::vector<double> sweep_bytes, latency_bytes, copy_bytes;
  json::object timing;
};

/// "cpu", or anything else for an accelerator. Out of data/probe_shapes.yaml, built into the program.
const ShapeSet& built_in_shapes(std::string_view kind, Level level);
/// The same out of a text that came from `where`. Errors name file, line and field.
Result<ShapeSet> parse_shapes(const std::string& yaml, const std::string& where, std::string_view kind, Level level);

}  // namespace scoville::probe
