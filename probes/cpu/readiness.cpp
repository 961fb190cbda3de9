#include <fmt/format.h>

#include <cstring>

#include "handlers.hpp"
#include "machine.hpp"
#include "matmul.hpp"
#include "stream_kernels.hpp"

namespace scoville::cpu_probe {
namespace {

constexpr std::size_t kElements = 1 << 20;

json::object check(const char* name, bool is_yes, const std::string& evidence, json::value version = nullptr) {
  return {{"check", name}, {"verdict", is_yes ? "yes" : "no"}, {"evidence", evidence}, {"version", std::move(version)}};
}

bool adds_right(Array<double>& to, const Array<double>& one, const Array<double>& other) {
  stream_kernels().add[0](to.get(), one.get(), other.get(), kElements);
  for (std::size_t i = 0; i < kElements; ++i) {
    if (to[i] != one[i] + other[i]) return false;
  }
  return true;
}

}  // namespace

probe::Answer readiness(const probe::Question&, probe::Speaker& speaker) {
  const Machine& here = machine();
  speaker.row(check("visible", true, here.name.empty() ? "a processor" : here.name));
  speaker.row(check("count", true, fmt::format("{} logical processors", here.processors)));
  Array<double> one = make_array<double>(kElements), other = make_array<double>(kElements),
                to = make_array<double>(kElements);
  for (std::size_t i = 0; i < kElements; ++i) {
    one[i] = static_cast<double>(i);
    other[i] = 0.5;
  }
  speaker.row(check("allocate", true, fmt::format("{} bytes", 3 * kElements * sizeof(double))));
  std::memcpy(to.get(), one.get(), kElements * sizeof(double));
  const bool is_same = std::memcmp(to.get(), one.get(), kElements * sizeof(double)) == 0;
  speaker.row(check("copy", is_same, fmt::format("{} bytes, compared", kElements * sizeof(double))));
  speaker.row(check("add", adds_right(to, one, other), fmt::format("{} sums, each compared", kElements)));
  Matmul product({"", 64, 64, 64, 1}, Type::fp32, 1);
  product.run();
  product.wait();
  speaker.row(check("synchronise", true, "oneDNN's stream has ended"));
  const double error = product.distance().rel_l2;
  speaker.row(check("read_back", product.still_poisoned() == 0 && error < 1e-5,
                    fmt::format("64 x 64 x 64 fp32 product, relative error {:.1e}", error)));
  const dnnl_version_t* const library = dnnl_version();
  speaker.row(check("operator_library", true, "oneDNN, " + product.kernel(),
                    json::value(fmt::format("{}.{}.{}", library->major, library->minor, library->patch))));
  return json::object{};
}

}  // namespace scoville::cpu_probe
