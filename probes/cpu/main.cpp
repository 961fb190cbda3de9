#include <unistd.h>

#include <cstdlib>
#include <new>

#include <dnnl.hpp>

#include "handlers.hpp"

namespace scoville::cpu_probe {
namespace {

constexpr const char* kSettled = "SCOVILLE_CPU_SETTLED";

/// OpenMP reads how threads are placed before main(): what the user did not settle is settled, and we begin anew.
/// Threads stay where they are put, one to a processor; what they wait with is left as it is, for there is one pool
/// only, and waiting awake is what the products are quickest with.
void settle_threads(char** words) {
  if (std::getenv(kSettled)) return;
  setenv(kSettled, "1", 1);
  if (std::getenv("OMP_PROC_BIND") || std::getenv("OMP_PLACES") || std::getenv("GOMP_CPU_AFFINITY")) return;
  setenv("OMP_PROC_BIND", "spread", 1);
  setenv("OMP_PLACES", "threads", 1);
  execv("/proc/self/exe", words);  // where it fails: as we are, and `describe` says so
  unsetenv("OMP_PROC_BIND");
  unsetenv("OMP_PLACES");
}

probe::Fault explain(const std::exception& failure) {
  if (const auto* of_library = dynamic_cast<const dnnl::error*>(&failure)) {
    const bool is_missing = of_library->status == dnnl_unimplemented;
    return {is_missing ? probe::Reason::unsupported : probe::Reason::failed, std::string("oneDNN: ") + failure.what()};
  }
  return {probe::Reason::failed, failure.what()};
}

}  // namespace
}  // namespace scoville::cpu_probe

/// The built-in probe of the CPU: oneDNN's GEMM, loops of our own for memory.
int main(int, char** words) {
  using namespace scoville;
  cpu_probe::settle_threads(words);
  probe::Host host;
  host.describe(cpu_probe::describe);
  host.explain(cpu_probe::explain);
  host.on("gemm", cpu_probe::gemm);
  host.on("bandwidth", cpu_probe::bandwidth);
  host.on("latency", cpu_probe::latency);
  host.on("launch", cpu_probe::launch);
  host.on("capacity", cpu_probe::capacity);
  host.on("readiness", cpu_probe::readiness);
  return host.serve();
}
