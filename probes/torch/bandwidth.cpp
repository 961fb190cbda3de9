#include <array>
#include <cmath>
#include <stdexcept>

#include "bench.hpp"
#include "questions.hpp"
#include "tensors.hpp"

namespace scoville::torch_probe {
namespace {

/// The three arrays of STREAM, of fp32: c = a, b = 3 c, c = a + b, a = b + 3 c; reading alone and writing alone.
struct Arrays {
  at::Tensor a, b, c, sum;
};

struct Operation {
  const char* name;
  int arrays;  ///< that STREAM's convention counts as moved
  void (*call)(Arrays&);
  /// What an element of the result must be, from those of the inputs before; `result` picks it.
  double (*expected)(double a, double b);
  at::Tensor (*result)(const Arrays&);
};

const std::array<Operation, 6> kOperations{{
    {"copy", 2, [](Arrays& x) { x.c.copy_(x.a); }, [](double a, double) { return a; },
     [](const Arrays& x) { return x.c; }},
    {"mul", 2, [](Arrays& x) { at::mul_out(x.c, x.a, x.sum); }, [](double a, double) { return 3 * a; },
     [](const Arrays& x) { return x.c; }},
    {"add", 3, [](Arrays& x) { at::add_out(x.c, x.a, x.b); }, [](double a, double b) { return a + b; },
     [](const Arrays& x) { return x.c; }},
    {"triad", 3, [](Arrays& x) { at::add_out(x.c, x.a, x.b, 3); }, [](double a, double b) { return a + 3 * b; },
     [](const Arrays& x) { return x.c; }},
    {"read", 1, [](Arrays& x) { at::sum_out(x.sum, x.a, at::IntArrayRef{0}); }, nullptr,
     [](const Arrays& x) { return x.sum; }},
    {"write", 1, [](Arrays& x) { x.c.fill_(5); }, [](double, double) { return 5.0; },
     [](const Arrays& x) { return x.c; }},
}};

const Operation& operation_named(const std::string& name) {
  for (const Operation& each : kOperations) {
    if (name == each.name) return each;
  }
  throw std::invalid_argument("operations: none is called \"" + name + "\"");
}

Arrays make_arrays(const Bench& bench, std::int64_t bytes) {
  const std::int64_t count = std::max<std::int64_t>(1, bytes / 4);
  const auto drawn = [&](std::uint64_t more) { return gaussian({count}, bench.seed() + more).to(bench.device()); };
  Arrays arrays{drawn(0), drawn(1), {}, {}};
  arrays.c = at::empty_like(arrays.a);
  arrays.sum = at::full({}, 3.0F, arrays.a.options());  // mul's factor; where read leaves its sum
  return arrays;
}

/// First, last and some elements between, and for a sum its distance from one in double precision.
bool is_right(const Operation& operation, const Arrays& arrays) {
  const std::int64_t count = arrays.a.numel();
  if (!operation.expected) {
    const at::Tensor exact = arrays.a.to(at::kCPU).to(at::kDouble);
    const double allowed = 1e-4 * exact.abs().sum().item<double>();
    return std::abs(arrays.sum.item<double>() - exact.sum().item<double>()) <= allowed;
  }
  const at::Tensor result = operation.result(arrays);
  for (int i = 0; i < 64; ++i) {
    const std::int64_t at = (count - 1) * i / 63;
    const double a = arrays.a[at].item<double>(), b = arrays.b[at].item<double>(), got = result[at].item<double>();
    if (!(std::abs(got - operation.expected(a, b)) <= 1e-5 * (1 + std::abs(a) + 3 * std::abs(b)))) return false;
  }
  return true;
}

void measure(Bench& bench, const Operation& operation, std::int64_t bytes, json::object& row) {
  Arrays arrays = make_arrays(bench, bytes);
  poison(arrays.c);
  operation.call(arrays);
  bench.synchronise(operation.result(arrays));
  row["checked"] = is_right(operation, arrays);
  if (!row["checked"].as_bool())
    row["fault"] = {{"reason", "wrong_result"}, {"message", "the array holds something else"}};
  bench.time([&] { operation.call(arrays); }, operation.result(arrays), row);
}

}  // namespace

probe::Answer bandwidth(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const auto operations = texts_in(question, "operations", {"copy", "mul", "add", "triad", "read", "write"});
  const auto sizes = sizes_in(question, "bytes", {std::int64_t{256} << 20});
  const auto stores = texts_in(question, "stores", {"regular"});
  std::size_t done = 0;
  for (const std::string& name : operations) {
    const Operation& operation = operation_named(name);
    for (const std::string& kind : stores) {
      for (const std::int64_t bytes : sizes) {
        speaker.progress(done++, operations.size() * stores.size() * sizes.size(),
                         name + " " + std::to_string(bytes) + " B");
        json::object row{
            {"operation", name}, {"stores", kind}, {"array_bytes", bytes}, {"moved_bytes", bytes * operation.arrays}};
        if (kind != "regular") {
          row["fault"] = {{"reason", "absent_in_torch"},
                          {"message", "torch's operators choose their stores themselves"}};
          speaker.row(std::move(row));
          continue;
        }
        tell(speaker, std::move(row), [&](json::object& into) { measure(bench, operation, bytes, into); });
      }
    }
  }
  return json::object{{"device", bench.device().str()}};
}

}  // namespace scoville::torch_probe
