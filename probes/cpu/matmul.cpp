#include "matmul.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/rng.hpp"

namespace scoville::cpu_probe {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr std::uint32_t kPoisonWord = 0x7fc0dead;  // a NaN, and as an int32 larger than any sum here
constexpr std::uint16_t kPoisonHalf = 0x7fcd;      // a NaN of bf16

memory::data_type in_type(Type type) {
  return type == Type::fp32   ? memory::data_type::f32
         : type == Type::bf16 ? memory::data_type::bf16
                              : memory::data_type::s8;
}
memory::data_type out_type(Type type) {
  return type == Type::fp32   ? memory::data_type::f32
         : type == Type::bf16 ? memory::data_type::bf16
                              : memory::data_type::s32;
}

/// Gaussian, by a table of 2^16 draws: a generator of its own for each element would take longer than the product.
const std::vector<float>& gaussian_table() {
  static const std::vector<float> kTable = [] {
    std::vector<float> table(1 << 16);
    Rng random(20260101);
    for (float& each : table) each = static_cast<float>(random.normal());
    return table;
  }();
  return kTable;
}

void fill_gaussian(float* to, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kBlock = 1 << 14;
  const std::vector<float>& table = gaussian_table();
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < blocks; ++block) {
    Rng random(seed, 1, block);
    const std::size_t end = std::min(count, (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end;) {
      std::uint64_t bits = random();
      for (int j = 0; j < 4 && i < end; ++j, bits >>= 16) to[i++] = table[bits & 0xffff];
    }
  }
}

memory::dims dims_of(std::size_t batch, std::size_t rows, std::size_t columns) {
  const auto b = static_cast<memory::dim>(batch), r = static_cast<memory::dim>(rows),
             c = static_cast<memory::dim>(columns);
  return batch > 1 ? memory::dims{b, r, c} : memory::dims{r, c};
}
Tag plain(std::size_t batch) { return batch > 1 ? Tag::abc : Tag::ab; }

/// One step of a whole number for each row or column: its largest value is 127.
float step_of(float largest) { return largest > 0 ? largest / 127 : 1; }

std::int8_t rounded(float value, float step) {
  return static_cast<std::int8_t>(std::clamp(std::nearbyint(value / step), -127.0F, 127.0F));
}

}  // namespace

double Matmul::bytes_of(const Shape& shape, Type type) {
  const double out = type == Type::bf16 ? 2 : 4, in = type == Type::fp32 ? 4 : type == Type::bf16 ? 2 : 1;
  const auto b = static_cast<double>(shape.batch), m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
             k = static_cast<double>(shape.k);
  return b * ((m * k + k * n) * (4 + in) + k * n * in + m * n * out);
}

Matmul::Matmul(const Shape& shape, Type type, std::uint64_t seed) : shape_(shape), type_(type) {
  prepare();
  draw(seed);
  load_inputs();
  poison();
  arguments_ = {{DNNL_ARG_SRC, source_}, {DNNL_ARG_WEIGHTS, weights_}, {DNNL_ARG_DST, result_}};
}

/// First of all: whether oneDNN can, before memory is filled.
void Matmul::prepare() {
  const memory::desc source(dims_of(shape_.batch, shape_.m, shape_.k), in_type(type_), plain(shape_.batch));
  const memory::desc weights(dims_of(shape_.batch, shape_.k, shape_.n), in_type(type_), Tag::any);
  const memory::desc result(dims_of(shape_.batch, shape_.m, shape_.n), out_type(type_), plain(shape_.batch));
  const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(source, weights, result), engine_);
  kernel_ = description.impl_info_str();
  primitive_ = dnnl::matmul(description);
  source_ = memory(source, engine_);
  weights_ = memory(description.weights_desc(), engine_);
  result_ = memory(result, engine_);
}

void Matmul::draw(std::uint64_t seed) {
  const std::size_t rows = shape_.batch * shape_.m * shape_.k, columns = shape_.batch * shape_.k * shape_.n;
  rows_ = make_array<float>(rows);
  columns_ = make_array<float>(columns);
  fill_gaussian(rows_.get(), rows, seed);
  fill_gaussian(columns_.get(), columns, seed + 1);
}

void Matmul::load_inputs() {
  const Dims row_dims = dims_of(shape_.batch, shape_.m, shape_.k),
             column_dims = dims_of(shape_.batch, shape_.k, shape_.n);
  const auto from = [&](const Dims& dims, memory::data_type type, void* data) {
    return memory(memory::desc(dims, type, plain(shape_.batch)), engine_, data);
  };
  const auto into = [&](memory source, memory& target) {
    dnnl::reorder(source, target).execute(stream_, source, target);
    stream_.wait();
  };
  if (type_ != Type::int8) {
    into(from(row_dims, memory::data_type::f32, rows_.get()), source_);
    return into(from(column_dims, memory::data_type::f32, columns_.get()), weights_);
  }
  const std::size_t b = shape_.batch, m = shape_.m, n = shape_.n, k = shape_.k;
  row_scales_.assign(b * m, 0);
  column_scales_.assign(b * n, 0);
  auto* const source = static_cast<std::int8_t*>(source_.get_data_handle());
  Array<std::int8_t> quantised = make_array<std::int8_t>(b * k * n);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < b * m; ++row) {
    const float* const values = rows_.get() + row * k;
    for (std::size_t i = 0; i < k; ++i) row_scales_[row] = std::max(row_scales_[row], std::abs(values[i]));
    row_scales_[row] = step_of(row_scales_[row]);
    for (std::size_t i = 0; i < k; ++i) source[row * k + i] = rounded(values[i], row_scales_[row]);
  }
  for (std::size_t part = 0; part < b; ++part) {
    float* const steps = column_scales_.data() + part * n;
    for (std::size_t i = 0; i < k; ++i) {
      const float* const values = columns_.get() + (part * k + i) * n;
      for (std::size_t j = 0; j < n; ++j) steps[j] = std::max(steps[j], std::abs(values[j]));
    }
    for (std::size_t j = 0; j < n; ++j) steps[j] = step_of(steps[j]);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t at = (part * k + i) * n;
      for (std::size_t j = 0; j < n; ++j) quantised[at + j] = rounded(columns_[at + j], steps[j]);
    }
  }
  into(from(column_dims, memory::data_type::s8, quantised.get()), weights_);
}

void Matmul::poison() {
  const std::size_t count = shape_.batch * shape_.m * shape_.n;
  if (type_ == Type::bf16) {
    std::fill_n(static_cast<std::uint16_t*>(result_.get_data_handle()), count, kPoisonHalf);
  } else {
    std::fill_n(static_cast<std::uint32_t*>(result_.get_data_handle()), count, kPoisonWord);
  }
}

std::size_t Matmul::still_poisoned() const {
  const auto count = static_cast<std::ptrdiff_t>(shape_.batch * shape_.m * shape_.n);
  if (type_ == Type::bf16) {
    const auto* const halves = static_cast<const std::uint16_t*>(result_.get_data_handle());
    return static_cast<std::size_t>(std::count(halves, halves + count, kPoisonHalf));
  }
  const auto* const words = static_cast<const std::uint32_t*>(result_.get_data_handle());
  return static_cast<std::size_t>(std::count(words, words + count, kPoisonWord));
}

double Matmul::result_at(std::size_t batch, std::size_t row, std::size_t column) const {
  const std::size_t at = (batch * shape_.m + row) * shape_.n + column;
  const void* const data = result_.get_data_handle();
  if (type_ == Type::fp32) return static_cast<double>(static_cast<const float*>(data)[at]);
  if (type_ == Type::bf16) {
    const auto half = static_cast<std::uint32_t>(static_cast<const std::uint16_t*>(data)[at]);
    return static_cast<double>(std::bit_cast<float>(half << 16));
  }
  return static_cast<double>(static_cast<const std::int32_t*>(data)[at]) *
         static_cast<double>(row_scales_[batch * shape_.m + row]) *
         static_cast<double>(column_scales_[batch * shape_.n + column]);
}

Distance Matmul::distance() const {
  constexpr std::size_t kMostRows = 4;
  const std::size_t b = shape_.batch, m = shape_.m, n = shape_.n, k = shape_.k;
  const std::size_t sampled = std::min(b * m, k * n > (64 << 20) ? std::size_t{1} : kMostRows);
  double errors = 0, squares = 0, most = 0;
  for (std::size_t i = 0; i < sampled; ++i) {
    const std::size_t all = sampled > 1 ? i * (b * m - 1) / (sampled - 1) : 0, part = all / m;
    const float* const row = rows_.get() + all * k;
    const float* const columns = columns_.get() + part * k * n;
    std::vector<double> exact(n);
#pragma omp parallel for schedule(static)
    for (std::size_t from = 0; from < n; from += 64) {
      const std::size_t to = std::min(n, from + 64);
      for (std::size_t x = 0; x < k; ++x) {
        const auto value = static_cast<double>(row[x]);
        for (std::size_t j = from; j < to; ++j) exact[j] += value * static_cast<double>(columns[x * n + j]);
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double error = result_at(part, all % m, j) - exact[j];
      errors += error * error;
      squares += exact[j] * exact[j];
      most = std::max(most, std::isnan(error) ? std::numeric_limits<double>::infinity() : std::abs(error));
    }
  }
  return {std::sqrt(errors / squares), most};
}

}  // namespace scoville::cpu_probe
