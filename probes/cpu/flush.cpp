#include "flush.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machine.hpp"

namespace scoville::cpu_probe {

void flush_caches() {
  static std::vector<std::uint64_t> buffer(std::max<std::size_t>(64 << 20, 2 * machine().last_cache_bytes()) /
                                           sizeof(std::uint64_t));
  const auto count = static_cast<std::ptrdiff_t>(buffer.size());
  std::uint64_t* const words = buffer.data();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i) words[i] += 1;
}

}  // namespace scoville::cpu_probe
