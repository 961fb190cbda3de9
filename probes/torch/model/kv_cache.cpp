#include "model/kv_cache.hpp"

namespace scoville::torch_probe::model {

KvCache::KvCache(const Config& config, std::int64_t slots, std::int64_t context, const c10::Device& device,
                 at::ScalarType dtype)
    : slots_(slots), context_(context) {
  // Zeros, not just any memory: a place that is masked still takes part in the product with its weight of 0.
  const auto made = [&] {
    return at::zeros({slots, config.kv_heads, context, config.head_dim}, at::TensorOptions(dtype)).to(device);
  };
  for (std::int64_t i = 0; i < config.layers; ++i) {
    keys_.push_back(made());
    values_.push_back(made());
  }
}

std::int64_t KvCache::bytes(const Config& config, std::int64_t slots, std::int64_t context, at::ScalarType dtype) {
  return 2 * config.layers * slots * config.kv_heads * context * config.head_dim *
         static_cast<std::int64_t>(c10::elementSize(dtype));
}

}  // namespace scoville::torch_probe::model
