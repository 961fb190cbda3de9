#pragma once

#include <cstdint>
#include <dnnl.hpp>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace scoville::cpu_probe {

/// What oneDNN can multiply on a CPU.
enum class Type { fp32, bf16, int8 };

struct Shape {
  std::string label;
  std::size_t m = 1, n = 1, k = 1, batch = 1;
};

/// How far a product is from what it should be, on some of its rows.
struct Distance {
  double rel_l2 = 0, max_abs = 0;
};

/// One matrix multiplication by oneDNN: random inputs, weights in the layout that it likes best, its result poisoned.
///
/// fp32 gives fp32, bf16 gives bf16, int8 (values of each row and each column scaled to ±127) gives int32. Throws
/// dnnl::error where oneDNN cannot, std::bad_alloc where memory is short.
class Matmul {
 public:
  Matmul(const Shape& shape, Type type, std::uint64_t seed);

  void run() { primitive_.execute(stream_, arguments_); }
  void wait() { stream_.wait(); }
  /// Elements of the result that nobody has written since it was made. Before the second run.
  std::size_t still_poisoned() const;
  /// Against a product in double precision of the inputs as they were before they were rounded.
  Distance distance() const;
  std::string kernel() const { return kernel_; }

  /// Bytes that it will hold.
  static double bytes_of(const Shape& shape, Type type);

 private:
  using Dims = dnnl::memory::dims;

  void draw(std::uint64_t seed);
  void prepare();
  void load_inputs();
  void poison();
  double result_at(std::size_t batch, std::size_t row, std::size_t column) const;

  Shape shape_;
  Type type_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Array<float> rows_, columns_;                    // the inputs, unrounded: [batch][m][k] and [batch][k][n]
  std::vector<float> row_scales_, column_scales_;  // int8: what 1 stands for
  dnnl::memory source_, weights_, result_;
  dnnl::matmul primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
  std::string kernel_;
};

}  // namespace scoville::cpu_probe
