#pragma once

#include <cstdint>
#include <functional>

#include "tensors.hpp"

namespace scoville::torch_probe {

/// batch × (m × k) · (k × n).
struct ProductShape {
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
};

/// A matrix product on a device in one precision: inputs drawn from the seed on the CPU, rounded, moved; the output
/// poisoned. What of it can be checked is checked against a product in double precision of the unrounded inputs.
class Product {
 public:
  /// Throws Trouble where this build cannot, c10::Error where the device cannot.
  Product(const ProductShape& shape, Precision precision, const c10::Device& device, std::uint64_t seed);

  /// Computes into output(). Does not wait.
  void call() const { call_(); }
  const at::Tensor& output() const { return output_; }
  /// Of a sample of its rows, all of them where they are few.
  Difference difference() const;

 private:
  void make_plain(const c10::Device& device);
  void make_int8(const c10::Device& device);
  void make_float8(const c10::Device& device);
  at::Tensor rows(const at::Tensor& chosen, std::int64_t batch) const;

  ProductShape shape_;
  Precision precision_;
  at::Tensor left_, right_;  ///< on the CPU, unrounded: batch × m × k, batch × k × n
  at::Tensor output_;
  at::Tensor row_scale_, column_scale_;  ///< that turn the output into the product; undefined: as it is
  std::function<void()> call_;
};

/// fp32 products in full precision, or as a matrix unit may shorten them (tf32), for the length of a scope.
class Float32Precision {
 public:
  explicit Float32Precision(bool is_tf32);
  ~Float32Precision();
  Float32Precision(const Float32Precision&) = delete;
  Float32Precision& operator=(const Float32Precision&) = delete;

 private:
  std::string before_;
};

}  // namespace scoville::torch_probe
