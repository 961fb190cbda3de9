#include "product.hpp"

#include <algorithm>

#include "named_call.hpp"
#include "shim.hpp"
#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

constexpr std::int64_t kCheckedRows = 24, kCheckedBatches = 4;
constexpr std::int64_t kColumns = 2048;  // of the reference at a time: double precision takes room

at::ScalarType drawn_in(Precision precision) { return precision == Precision::fp64 ? at::kDouble : at::kFloat; }

/// Up to `most` of `count` places, evenly spread, first and last among them.
at::Tensor spread(std::int64_t count, std::int64_t most) {
  if (count <= most) return at::arange(count, at::kLong);
  return at::linspace(0, static_cast<double>(count - 1), most, at::kDouble).round().to(at::kLong);
}

void refuse_batch(const ProductShape& shape, const char* name) {
  if (shape.batch > 1 && has_operator(name, "out")) {
    throw Trouble(probe::Reason::absent_in_torch, std::string(name) + " multiplies two matrices, not batches of them");
  }
}

}  // namespace

Float32Precision::Float32Precision(bool is_tf32) : before_(float32_precision()) {
  set_float32_precision(is_tf32 ? "high" : "highest");
}
Float32Precision::~Float32Precision() { set_float32_precision(before_); }

Product::Product(const ProductShape& shape, Precision precision, const c10::Device& device, std::uint64_t seed)
    : shape_(shape),
      precision_(precision),
      left_(gaussian({shape.batch, shape.m, shape.k}, seed, drawn_in(precision))),
      right_(gaussian({shape.batch, shape.k, shape.n}, seed + 1, drawn_in(precision))) {
  switch (precision) {
    case Precision::int8:
      make_int8(device);
      break;
    case Precision::fp8_e4m3:
    case Precision::fp8_e5m2:
      make_float8(device);
      break;
    default:
      make_plain(device);
  }
  poison(output_);
}

void Product::make_plain(const c10::Device& device) {
  const auto type = type_of(precision_);
  const auto moved = [&](const at::Tensor& tensor) { return tensor.to(type).to(device); };
  output_ = at::empty({shape_.batch, shape_.m, shape_.n}, at::TensorOptions().dtype(type).device(device));
  if (shape_.batch == 1) {
    output_ = output_[0];
    call_ = [a = moved(left_[0]), b = moved(right_[0]), out = output_]() mutable { at::mm_out(out, a, b); };
  } else {
    call_ = [a = moved(left_), b = moved(right_), out = output_]() mutable { at::bmm_out(out, a, b); };
  }
}

void Product::make_int8(const c10::Device& device) {
  refuse_batch(shape_, "aten::_int_mm");
  const Quantized left = quantize_rows(left_[0]), right = quantize_rows(right_[0].t().contiguous());
  row_scale_ = left.scales;
  column_scale_ = right.scales.t();
  output_ = at::empty({shape_.m, shape_.n}, at::TensorOptions().dtype(at::kInt).device(device));
  const at::Tensor right_of_device = right.values.to(device).t();
  call_ = [run = NamedCall("aten::_int_mm", "out", {left.values.to(device), right_of_device}, {{"out", output_}})] {
    run();
  };
}

void Product::make_float8(const c10::Device& device) {
  const at::ScalarType type = type_of(precision_);
  refuse_batch(shape_, "aten::_scaled_mm");
  // The vendors' libraries take e5m2 on one side only; the other is e4m3 then.
  const Scaled left = scale_to_float8(left_[0], type);
  const Scaled right = scale_to_float8(right_[0].t().contiguous(), *kFloat8E4m3);
  output_ = at::empty({shape_.m, shape_.n}, at::TensorOptions().dtype(at::kBFloat16).device(device));
  NamedValues named{{"scale_a", left.scale.to(device)},
                    {"scale_b", right.scale.to(device)},
                    {"out_dtype", static_cast<std::int64_t>(at::kBFloat16)},
                    {"out", output_}};
  if (scaled_product_returns_largest())
    named["out_amax"] = at::empty({}, at::TensorOptions().dtype(at::kFloat).device(device));
  call_ = [run = NamedCall("aten::_scaled_mm", "out", {left.values.to(device), right.values.to(device).t()}, named)] {
    run();
  };
}

at::Tensor Product::rows(const at::Tensor& chosen, std::int64_t batch) const {
  const at::Tensor whole = output_.dim() == 3 ? output_[batch] : output_;
  at::Tensor result = whole.index_select(0, chosen.to(whole.device())).to(at::kCPU).to(at::kDouble);
  if (row_scale_.defined()) result = result * row_scale_.index_select(0, chosen) * column_scale_;
  return result;
}

Difference Product::difference() const {
  Difference difference;
  const at::Tensor chosen = spread(shape_.m, kCheckedRows), batches = spread(shape_.batch, kCheckedBatches);
  for (std::int64_t i = 0; i < batches.numel(); ++i) {
    const auto batch = batches[i].item<std::int64_t>();
    const at::Tensor result = rows(chosen, batch);
    const at::Tensor left = left_[batch].index_select(0, chosen).to(at::kDouble);
    for (std::int64_t from = 0; from < shape_.n; from += kColumns) {
      const std::int64_t count = std::min(kColumns, shape_.n - from);
      const at::Tensor right = right_[batch].narrow(1, from, count).to(at::kDouble);
      difference.add(result.narrow(1, from, count), left.mm(right));
    }
  }
  return difference;
}

}  // namespace scoville::torch_probe
