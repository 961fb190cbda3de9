#pragma once

#include <atomic>
#include <cstdint>

namespace scoville::load {

/// What a load thread lets others see while it runs. Written by that thread alone, once a request; read at leisure.
struct alignas(64) LiveCounters {
  std::atomic<std::uint64_t> issued{0}, succeeded{0}, failed{0}, output_tokens{0}, in_flight{0};
};

}  // namespace scoville::load
