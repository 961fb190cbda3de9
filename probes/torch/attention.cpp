#include <stdexcept>

#include "attend.hpp"
#include "bench.hpp"
#include "product.hpp"
#include "questions.hpp"

namespace scoville::torch_probe {
namespace {

AttentionShape shape_of(const json::object& given) {
  AttentionShape shape;
  shape.batch = size_in(given, "batch", 1);
  shape.heads = size_in(given, "heads");
  shape.kv_heads = size_in(given, "kv_heads", shape.heads);
  shape.head_dim = size_in(given, "head_dim");
  shape.query_len = size_in(given, "query_len");
  shape.kv_len = size_in(given, "kv_len", shape.query_len);
  const json::value* const causal = given.if_contains("causal");
  shape.is_causal = causal && causal->is_bool() && causal->as_bool();
  if (shape.heads % shape.kv_heads != 0) throw std::invalid_argument("kv_heads: a divisor of heads expected");
  if (shape.is_causal && shape.query_len > shape.kv_len) {
    throw std::invalid_argument("query_len: where it is causal, at most kv_len expected");
  }
  return shape;
}

json::object row_of(const json::object& given, const AttentionShape& shape, const std::string& dtype) {
  return {{"label", label_of(given)},   {"batch", shape.batch},       {"heads", shape.heads},
          {"kv_heads", shape.kv_heads}, {"head_dim", shape.head_dim}, {"query_len", shape.query_len},
          {"kv_len", shape.kv_len},     {"causal", shape.is_causal},  {"dtype", dtype}};
}

void measure(Bench& bench, const AttentionShape& shape, Precision precision, bool is_verified, json::object& row) {
  const Float32Precision scope(precision == Precision::tf32);
  Attend attend(shape, type_of(precision), bench.device(), bench.seed());
  attend.call();
  bench.synchronise(attend.output());
  row["poisoned"] = nullptr;  // the operator makes its own output
  row["rel_l2"] = nullptr;
  row["max_abs"] = nullptr;
  if (is_verified) {
    const Difference difference = attend.difference();
    row["finite"] = difference.is_finite;
    if (difference.is_finite) {
      row["rel_l2"] = difference.rel_l2();
      row["max_abs"] = difference.max_abs;
    }
  }
  row["kernel"] = attend.kernel();
  row["grouping"] = attend.grouping();
  bench.time([&] { attend.call(); }, attend.output(), row);
}

}  // namespace

probe::Answer attention(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const bool is_verified = question.flag("verify", true);
  const std::vector<json::object> shapes = objects_in(question, "shapes");
  const std::vector<std::string> dtypes = texts_in(question, "dtypes", {"fp32"});
  std::size_t done = 0;
  for (const std::string& dtype : dtypes) {
    const Precision precision = precision_named(dtype);
    for (const json::object& given : shapes) {
      const AttentionShape shape = shape_of(given);
      speaker.progress(done++, shapes.size() * dtypes.size(), dtype + " " + std::to_string(shape.kv_len) + " keys");
      tell(speaker, row_of(given, shape, dtype),
           [&](json::object& into) { measure(bench, shape, precision, is_verified, into); });
    }
  }
  return json::object{{"device", bench.device().str()}};
}

}  // namespace scoville::torch_probe
