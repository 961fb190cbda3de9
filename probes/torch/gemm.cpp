#include "bench.hpp"
#include "product.hpp"
#include "questions.hpp"

namespace scoville::torch_probe {
namespace {

ProductShape shape_of(const json::object& given) {
  return {size_in(given, "m"), size_in(given, "n"), size_in(given, "k"), size_in(given, "batch", 1)};
}

std::string words_of(const ProductShape& shape, const std::string& dtype) {
  std::string words =
      dtype + " " + std::to_string(shape.m) + " x " + std::to_string(shape.n) + " x " + std::to_string(shape.k);
  if (shape.batch > 1) words += " x " + std::to_string(shape.batch);
  return words;
}

void measure(Bench& bench, const ProductShape& shape, Precision precision, bool is_verified, json::object& row) {
  const Float32Precision scope(precision == Precision::tf32);
  const Product product(shape, precision, bench.device(), bench.seed());
  product.call();
  bench.synchronise(product.output());
  row["poisoned"] = count_poison(product.output());
  row["rel_l2"] = nullptr;
  row["max_abs"] = nullptr;
  if (is_verified) {
    const Difference difference = product.difference();
    row["finite"] = difference.is_finite;
    if (difference.is_finite) {
      row["rel_l2"] = difference.rel_l2();
      row["max_abs"] = difference.max_abs;
    }
  }
  row["kernel"] = nullptr;
  bench.time([&] { product.call(); }, product.output(), row);
}

}  // namespace

probe::Answer gemm(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const bool is_verified = question.flag("verify", true);
  const std::vector<json::object> shapes = objects_in(question, "shapes");
  const std::vector<std::string> dtypes = texts_in(question, "dtypes", {"fp32"});
  std::size_t done = 0;
  for (const std::string& dtype : dtypes) {
    const Precision precision = precision_named(dtype);
    for (const json::object& given : shapes) {
      const ProductShape shape = shape_of(given);
      speaker.progress(done++, shapes.size() * dtypes.size(), words_of(shape, dtype));
      json::object row{{"label", label_of(given)}, {"m", shape.m},  {"n", shape.n}, {"k", shape.k},
                       {"batch", shape.batch},     {"dtype", dtype}};
      tell(speaker, std::move(row), [&](json::object& into) { measure(bench, shape, precision, is_verified, into); });
    }
  }
  return json::object{{"device", bench.device().str()}};
}

}  // namespace scoville::torch_probe
