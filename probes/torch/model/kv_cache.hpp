#pragma once

#include <vector>

#include "model/config.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::model {

/// Keys and values of past tokens: one slot for each sequence, `context` places in each, allocated at once, so that
/// what it takes is known beforehand. The token at position p lies in place p.
class KvCache {
 public:
  KvCache(const Config& config, std::int64_t slots, std::int64_t context, const c10::Device& device,
          at::ScalarType dtype);

  std::int64_t slots() const { return slots_; }
  std::int64_t context() const { return context_; }
  static std::int64_t bytes(const Config& config, std::int64_t slots, std::int64_t context, at::ScalarType dtype);

  /// [slots, kv_heads, context, head_dim]
  const at::Tensor& keys(std::int64_t layer) const { return keys_[static_cast<std::size_t>(layer)]; }
  const at::Tensor& values(std::int64_t layer) const { return values_[static_cast<std::size_t>(layer)]; }

 private:
  std::int64_t slots_, context_;
  std::vector<at::Tensor> keys_, values_;
};

/// The slots from `first` on, as many as a batch has rows.
struct KvRows {
  const KvCache* cache = nullptr;  ///< null: nothing is kept; a query sees the keys of its own batch row
  std::int64_t first = 0;
};

}  // namespace scoville::torch_probe::model
