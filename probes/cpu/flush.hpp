#pragma once

namespace scoville::cpu_probe {

/// Writes over twice the last-level cache, by all threads, so that nothing that was in it is left.
void flush_caches();

}  // namespace scoville::cpu_probe
