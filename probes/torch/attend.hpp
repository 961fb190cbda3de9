#pragma once

#include <cstdint>
#include <string>

#include "tensors.hpp"

namespace scoville::torch_probe {

/// softmax(q · kᵀ / √d) · v, everything visible, by whichever operator this build has.
at::Tensor scaled_dot_product(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value);

struct AttentionShape {
  std::int64_t batch = 1, heads = 1, kv_heads = 1, head_dim = 64, query_len = 1, kv_len = 1;
  bool is_causal = false;  ///< a query sees what is not later than itself; the last query is as late as the last key
};

/// softmax(q · kᵀ / √d) · v by the build's own operator: aten::scaled_dot_product_attention, before 2.0 the private one
/// with an underscore, else in three steps.
class Attend {
 public:
  Attend(const AttentionShape& shape, at::ScalarType type, const c10::Device& device, std::uint64_t seed);

  void call() { output_ = compute(); }
  const at::Tensor& output() const { return output_; }
  const std::string& kernel() const { return kernel_; }
  /// "native": the operator takes fewer key heads than query heads; "expanded": they are repeated in the call; "none".
  const char* grouping() const;
  /// Against double precision, of a sample of heads and queries.
  Difference difference() const;

 private:
  at::Tensor compute() const;
  at::Tensor allowed(std::int64_t query) const;

  AttentionShape shape_;
  at::Tensor q_, k_, v_;                   ///< on the CPU, unrounded
  at::Tensor query_, key_, value_, mask_;  ///< on the device; mask_ undefined: none
  std::string kernel_;
  bool is_grouped_natively_ = false;
  at::Tensor output_;
};

}  // namespace scoville::torch_probe
