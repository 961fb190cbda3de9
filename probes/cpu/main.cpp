#include <dnnl.h>
#include <fmt/format.h>

#include "base/version.hpp"
#include "probe/host.hpp"

namespace scoville::cpu_probe {
namespace {

json::object describe() {
  const dnnl_version_t* library = dnnl_version();
  return {{"probe", "scoville-cpu"},
          {"stack", {{"onednn", fmt::format("{}.{}.{}", library->major, library->minor, library->patch)}}},
          {"devices", json::array{json::object{{"id", "cpu"}, {"kind", "cpu"}}}}};
}

}  // namespace
}  // namespace scoville::cpu_probe

/// The built-in probe of the CPU: oneDNN's GEMM, loops of our own for memory.
int main() {
  scoville::probe::Host host;
  host.describe(scoville::cpu_probe::describe);
  return host.serve();
}
