#include "probe/shape_set.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "base/byte_size.hpp"
#include "base/check.hpp"
#include "config/node.hpp"
#include "text/catalogue/device.hpp"

namespace scoville::probe {

const char* embedded_probe_shapes();

namespace {

using config::Node;
using text::DeviceMsg;
using text::say;

constexpr std::array<std::string_view, 3> kLevels{"quick", "standard", "full"};
constexpr config::Range kSize{1, 1e9};

struct Matrix {
  std::string name;
  double n = 1, k = 1;
};

std::vector<double> sizes(const Node& node, const std::string& key) {
  std::vector<double> out;
  for (const Node& each : node.list(key)) out.push_back(each.as_number(kSize));
  return out;
}

double bytes_at(const Node& node) {
  const auto bytes = parse_byte_size(node.as_text());
  if (!bytes || *bytes <= 0) node.fault(say(DeviceMsg::expected_bytes));
  return bytes ? static_cast<double>(*bytes) : 1;
}

std::vector<double> byte_sizes(const Node& node, const std::string& key) {
  std::vector<double> out;
  for (const Node& each : node.list(key)) out.push_back(bytes_at(each));
  return out;
}

json::object product(const std::string& label, double m, double n, double k) {
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::llround(value)); };
  return {{"label", label}, {"m", whole(m)}, {"n", whole(n)}, {"k", whole(k)}};
}

void read_gemm(const Node& set, const std::vector<Matrix>& matrices, std::vector<json::object>& out) {
  for (const double size : sizes(set, "square")) out.push_back(product("square", size, size, size));
  for (const double size : sizes(set, "off_tile")) out.push_back(product("off tile", size, size, size));
  const Node llm = set.map("llm");
  const std::vector<double> rows = sizes(llm, "rows");
  for (const double hidden : sizes(llm, "hidden")) {
    for (const Matrix& each : matrices) {
      for (const double m : rows) {
        out.push_back(product(fmt::format("llm: h {:.0f} {}", hidden, each.name), m, each.n * hidden, each.k * hidden));
      }
    }
  }
  const Node roofline = set.map("roofline");
  const double n = roofline.number("n", kSize), k = roofline.number("k", kSize);
  for (const double m : sizes(roofline, "rows")) out.push_back(product("roofline", m, n, k));
}

void read_attention(const Node& node, std::vector<json::object>& out) {
  const auto whole = [](double value) { return static_cast<std::int64_t>(value); };
  const double batch = node.number("batch", kSize), heads = node.number("heads", kSize);
  const std::vector<double> kv_heads = sizes(node, "kv_heads"), head_dims = sizes(node, "head_dims");
  for (const double length : sizes(node, "lengths")) {
    for (const double few : kv_heads) {
      for (const double head_dim : head_dims) {
        out.push_back({{"label", few == heads ? "MHA"
                                 : few == 1   ? "MQA"
                                              : "GQA"},
                       {"batch", whole(batch)},
                       {"heads", whole(heads)},
                       {"kv_heads", whole(few)},
                       {"head_dim", whole(head_dim)},
                       {"query_len", whole(length)},
                       {"kv_len", whole(length)},
                       {"causal", true}});
      }
    }
  }
}

json::object read_timing(const Node& node) {
  json::object timing;
  for (const char* key : {"warm_up_ms", "sample_ms", "least_samples", "most_samples", "most_time_ms"}) {
    timing[key] = static_cast<std::int64_t>(node.number(key, kSize));
  }
  return timing;
}

ShapeSet read_set(const Node& set, const std::vector<Matrix>& matrices) {
  ShapeSet out;
  read_gemm(set, matrices, out.gemm);
  out.bandwidth_bytes = bytes_at(set.maybe("bandwidth_bytes"));
  out.sweep_bytes = byte_sizes(set, "sweep_bytes");
  out.latency_bytes = byte_sizes(set, "latency_bytes");
  out.copy_bytes = byte_sizes(set, "copy_bytes");
  read_attention(set.map("attention"), out.attention);
  out.timing = read_timing(set.map("timing"));
  return out;
}

}  // namespace

std::string_view name_of(Level level) { return kLevels[static_cast<std::size_t>(level)]; }

Result<ShapeSet> parse_shapes(const std::string& yaml, const std::string& where, std::string_view kind, Level level) {
  const Result<Node> root = Node::parse(yaml, where);
  if (!root) return root.error();
  std::vector<Matrix> matrices;
  for (const Node& each : root->list("matrices")) {
    matrices.push_back({each.text("name"), each.number("n", config::kAboveZero), each.number("k", config::kAboveZero)});
  }
  const std::size_t wanted = kind == "cpu" ? 0 : 1;
  ShapeSet out;
  bool is_there = false;
  for (const Node& each : root->list("sets")) {
    const bool is_kind = each.choice("kind", {"cpu", "accelerator"}) == wanted;
    const bool is_level = each.choice("level", {kLevels.begin(), kLevels.end()}) == static_cast<std::size_t>(level);
    ShapeSet set = read_set(each, matrices);
    if (!is_kind || !is_level) continue;
    out = std::move(set);
    is_there = true;
  }
  if (!is_there) root->fault("sets", say(DeviceMsg::expected_set, kind, name_of(level)));
  return root->finish(std::move(out));
}

const ShapeSet& built_in_shapes(std::string_view kind, Level level) {
  static std::map<std::pair<bool, Level>, ShapeSet> read;
  const auto [place, is_new] = read.try_emplace({kind == "cpu", level});
  if (is_new) {
    Result<ShapeSet> set = parse_shapes(embedded_probe_shapes(), "probe_shapes.yaml", kind, level);
    SCOVILLE_CHECK(set.ok(), "the built-in shapes of probes must be readable");
    place->second = std::move(*set);
  }
  return place->second;
}

}  // namespace scoville::probe
