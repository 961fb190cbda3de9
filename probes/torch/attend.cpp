#include "attend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "named_call.hpp"

namespace scoville::torch_probe {
namespace {

constexpr const char* kPublic = "aten::scaled_dot_product_attention";
constexpr const char* kPrivate = "aten::_scaled_dot_product_attention";
constexpr std::int64_t kCheckedHeads = 4, kCheckedQueries = 16;

bool takes(const std::string& name, const std::string& argument) {
  const auto found = c10::Dispatcher::singleton().findSchema({name, ""});
  return found && found->schema().argumentIndexWithName(argument).has_value();
}

const char* kernel_here() {
  return has_operator(kPublic) ? kPublic : has_operator(kPrivate) ? kPrivate : "matmul, softmax, matmul";
}

bool is_in_steps(const std::string& kernel) { return kernel != kPublic && kernel != kPrivate; }

at::Tensor in_steps(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& mask) {
  at::Tensor scores = at::matmul(query, key.transpose(-2, -1)) / std::sqrt(static_cast<double>(query.size(-1)));
  if (mask.defined()) scores = scores + mask;
  return at::matmul(scores.softmax(-1), value);
}

/// Zero where query i may see key j, else minus infinity: added to the scores.
at::Tensor late_mask(const AttentionShape& shape) {
  const at::Tensor seen = at::ones({shape.query_len, shape.kv_len}, at::kBool).tril(shape.kv_len - shape.query_len);
  return at::zeros({shape.query_len, shape.kv_len})
      .masked_fill(seen.logical_not(), -std::numeric_limits<double>::infinity());
}

}  // namespace

at::Tensor scaled_dot_product(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) {
  static const std::string kernel = kernel_here();
  return is_in_steps(kernel) ? in_steps(query, key, value, {}) : NamedCall(kernel, "", {query, key, value}).tensor();
}

Attend::Attend(const AttentionShape& shape, at::ScalarType type, const c10::Device& device, std::uint64_t seed)
    : shape_(shape) {
  const at::ScalarType drawn = type == at::kDouble ? at::kDouble : at::kFloat;
  q_ = gaussian({shape.batch, shape.heads, shape.query_len, shape.head_dim}, seed, drawn);
  k_ = gaussian({shape.batch, shape.kv_heads, shape.kv_len, shape.head_dim}, seed + 1, drawn);
  v_ = gaussian({shape.batch, shape.kv_heads, shape.kv_len, shape.head_dim}, seed + 2, drawn);
  query_ = q_.to(type).to(device);
  key_ = k_.to(type).to(device);
  value_ = v_.to(type).to(device);
  kernel_ = kernel_here();
  const bool takes_causal = shape.query_len == shape.kv_len && !is_in_steps(kernel_);
  if (shape.is_causal && shape.query_len > 1 && !takes_causal) mask_ = late_mask(shape).to(type).to(device);
  is_grouped_natively_ = shape.heads != shape.kv_heads && takes(kernel_, "enable_gqa");
}

const char* Attend::grouping() const {
  if (shape_.heads == shape_.kv_heads) return "none";
  return is_grouped_natively_ ? "native" : "expanded";
}

at::Tensor Attend::compute() const {
  const std::int64_t times = shape_.heads / shape_.kv_heads;
  const bool repeats = times > 1 && !is_grouped_natively_;
  const at::Tensor key = repeats ? key_.repeat_interleave(times, 1) : key_;
  const at::Tensor value = repeats ? value_.repeat_interleave(times, 1) : value_;
  if (is_in_steps(kernel_)) return in_steps(query_, key, value, mask_);
  const bool is_square_causal = shape_.is_causal && shape_.query_len == shape_.kv_len && shape_.query_len > 1;
  NamedValues named{{"is_causal", is_square_causal}};
  if (mask_.defined()) named["attn_mask"] = mask_;
  if (is_grouped_natively_) named["enable_gqa"] = true;
  return NamedCall(kernel_, "", {query_, key, value}, named).tensor();
}

at::Tensor Attend::allowed(std::int64_t query) const {
  const std::int64_t last = shape_.is_causal ? query + shape_.kv_len - shape_.query_len : shape_.kv_len - 1;
  return at::arange(std::min(last + 1, shape_.kv_len), at::kLong);
}

Difference Attend::difference() const {
  Difference difference;
  const at::Tensor result = output_.to(at::kCPU);
  const std::int64_t all = shape_.batch * shape_.heads;
  for (std::int64_t i = 0; i < std::min(all, kCheckedHeads); ++i) {
    const std::int64_t place = all <= kCheckedHeads ? i : i * (all - 1) / (kCheckedHeads - 1);
    const std::int64_t batch = place / shape_.heads, head = place % shape_.heads;
    const std::int64_t kv_head = head / (shape_.heads / shape_.kv_heads);
    const at::Tensor keys = k_[batch][kv_head].to(at::kDouble), values = v_[batch][kv_head].to(at::kDouble);
    const std::int64_t queries = std::min(shape_.query_len, kCheckedQueries);
    for (std::int64_t j = 0; j < queries; ++j) {
      const std::int64_t query = queries == shape_.query_len ? j : j * (shape_.query_len - 1) / (queries - 1);
      const at::Tensor seen = allowed(query);
      const at::Tensor scores = keys.index_select(0, seen).mv(q_[batch][head][query].to(at::kDouble)) /
                                std::sqrt(static_cast<double>(shape_.head_dim));
      const at::Tensor expected = values.index_select(0, seen).t().mv(scores.softmax(0));
      difference.add(result[batch][head][query].to(at::kDouble), expected);
    }
  }
  return difference;
}

}  // namespace scoville::torch_probe
