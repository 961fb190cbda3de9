#include <fmt/format.h>
#include <dnnl.hpp>

#include <cstdlib>

#include "base/version.hpp"
#include "handlers.hpp"
#include "machine.hpp"
#include "stream_kernels.hpp"

namespace scoville::cpu_probe {
namespace {

std::string isa_name() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
      return "sse41";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
      return "avx2_vnni";
    case dnnl::cpu_isa::avx512_core:
      return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_core_bf16";
    case dnnl::cpu_isa::avx512_core_amx:
      return "avx512_core_amx";
    default:
      return "default";
  }
}

json::value variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? json::value(value) : json::value(nullptr);
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::array caches() {
  json::array all;
  for (const Cache& each : machine().caches) {
    all.push_back(json::object{{"level", each.level}, {"bytes", each.bytes}, {"shared_by", each.shared_by}});
  }
  return all;
}

}  // namespace

json::object describe() {
  const Machine& here = machine();
  const dnnl_version_t* const library = dnnl_version();
  const auto known = [](std::size_t bytes) { return bytes > 0 ? json::value(bytes) : json::value(nullptr); };
  json::object device{{"id", "cpu"},
                      {"kind", "cpu"},
                      {"name", text_or_null(here.name)},
                      {"vendor", text_or_null(here.vendor)},
                      {"pci", nullptr},
                      {"memory_bytes", known(here.memory_bytes)},
                      {"processors", here.processors},
                      {"quota_processors", here.quota ? json::value(*here.quota) : json::value(nullptr)},
                      {"numa_nodes", here.numa_nodes},
                      {"caches", caches()},
                      {"llc_bytes", here.caches.empty() ? json::value(nullptr) : json::value(here.last_cache_bytes())}};
  return {{"probe", "scoville-cpu"},
          {"version", std::string(version())},
          {"stack",
           {{"onednn", fmt::format("{}.{}.{}", library->major, library->minor, library->patch)},
            {"onednn_isa", isa_name()},
            {"stream_isa", stream_kernels().isa},
            {"compiler", "g++ " __VERSION__},
            {"omp_proc_bind", variable("OMP_PROC_BIND")},
            {"omp_wait_policy", variable("OMP_WAIT_POLICY")},
            {"gomp_spincount", variable("GOMP_SPINCOUNT")}}},
          {"devices", json::array{std::move(device)}},
          {"dtypes", json::array{"fp32", "bf16", "int8"}},
          {"threads", here.threads()},
          {"threads_of", here.is_by_quota() ? "cgroup" : "affinity"}};
}

}  // namespace scoville::cpu_probe
