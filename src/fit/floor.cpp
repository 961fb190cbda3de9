#include "fit/floor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fit/parameters.hpp"

namespace scoville::fit {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

/// Shares of the stored weights: what is read in every step, and the routed experts.
struct WeightShares {
  double always = 1, experts = 0;
};

/// Without a formula for the architecture everything counts as read in every step: for a model without experts the
/// embedding table is the only thing too many.
std::optional<WeightShares> shares_of(const ModelShape& shape) {
  const std::optional<Parameters> counted = parameters_of(shape);
  if (!counted) return shape.has_experts() ? std::nullopt : std::optional(WeightShares{});
  const double total = counted->total();
  const double experts = counted->expert * counted->expert_layers * counted->expert_count;
  // In bytes a table of 16 bits weighs more than layers of 4: its share is of the bytes, not of the count.
  const double bits = shape.format.bits.value_or(16), table_weight = std::max(bits, 16.0) / bits;
  const double tables = counted->embedding + (counted->ties ? 0 : counted->head);
  const double whole = total - tables + tables * table_weight;
  const double unread = counted->ties ? 0 : counted->embedding * table_weight;
  return WeightShares{(whole - unread - experts) / whole, experts / whole};
}

double touched_share(const ModelShape& shape, double sequences) {
  const double n = as_double(shape.experts->count), k = as_double(shape.experts->per_token);
  return 1 - std::pow(1 - std::min(k / n, 1.0), sequences);
}

/// Of the embedding table; 0 where its size is not known.
double table_of(const ModelShape& shape) {
  return shape.vocabulary && shape.hidden ? as_double(*shape.vocabulary) * as_double(*shape.hidden) : 0;
}

/// Of a prompt only the last token is projected onto the vocabulary.
std::optional<double> weights_per_token(const ModelShape& shape, Phase phase) {
  if (const std::optional<Parameters> counted = parameters_of(shape))
    return counted->active() - (phase == Phase::prefill ? counted->head : 0);
  if (shape.has_experts() || !shape.parameters) return std::nullopt;
  const double tables = (shape.ties_embeddings == false ? 1 : 0) + (phase == Phase::prefill ? 1 : 0);
  return std::max(*shape.parameters - tables * table_of(shape), 0.0);
}

/// Multiplications of one query with one key, and of its weight with one value, times two. MLA decodes on the latent
/// vector itself and reads a prompt with the keys and values made of it, which takes less.
std::optional<double> operations_per_pair(const ModelShape& shape, Phase phase) {
  if (!shape.heads) return std::nullopt;
  const double heads = as_double(*shape.heads);
  if (shape.latent) {
    const LatentAttention& latent = *shape.latent;
    const bool is_short = phase == Phase::prefill && latent.nope_dim && latent.v_dim;
    const double key = as_double(is_short ? latent.nope_dim + latent.rope_dim : latent.kv_rank + latent.rope_dim);
    return 2 * heads * (key + as_double(is_short ? latent.v_dim : latent.kv_rank));
  }
  if (!shape.head_dim) return std::nullopt;
  return 4 * heads * as_double(*shape.head_dim);
}

/// Tokens that a layer with a window sees: for one with so many before it, or in the mean over a prompt of twice as
/// many.
double seen_in_window(double cached_tokens, double window, Phase phase) {
  if (phase == Phase::decode) return std::min(cached_tokens, window);
  const double prompt = 2 * cached_tokens;
  return window >= prompt ? cached_tokens : window - window * window / (2 * prompt);
}

/// In all layers, for a token that has so many before it.
std::optional<double> attention_operations(const ModelShape& shape, double cached_tokens, Phase phase) {
  const std::optional<double> pair = operations_per_pair(shape, phase);
  if (!shape.layers || !pair) return std::nullopt;
  const double layers = as_double(*shape.layers);
  const double windowed = std::min(as_double(shape.window_layers), layers);
  const double linear = std::min(as_double(shape.linear_layers), layers - windowed);
  const double seen = (layers - windowed - linear) * cached_tokens +
                      windowed * seen_in_window(cached_tokens, as_double(shape.window), phase);
  return *pair * seen;
}

std::optional<double> known_peak(const Device& device, Precision precision) {
  const Peak& peak = device.peak(precision);
  return peak.value ? std::optional(peak.value->value) : std::nullopt;
}

std::optional<double> peak_of_16_bits(const Device& device, Precision wanted) {
  const Precision other = wanted == Precision::bf16 ? Precision::fp16 : Precision::bf16;
  if (const std::optional<double> peak = known_peak(device, wanted)) return peak;
  return known_peak(device, other);
}

std::optional<double> peak_for(const Device& device, const std::string& compute) {
  if (compute == "fp32") return known_peak(device, Precision::fp32);
  if (compute == "fp16") return peak_of_16_bits(device, Precision::fp16);
  if (compute == "bf16") return peak_of_16_bits(device, Precision::bf16);
  const Precision wanted = compute == "fp8" ? Precision::fp8 : compute == "fp4" ? Precision::fp4 : Precision::int8;
  if (!device.peak(wanted).is_absent) return known_peak(device, wanted);
  return peak_of_16_bits(device, Precision::bf16);
}

}  // namespace

std::string_view name_of(Bound bound) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "memory", "compute"};
  return kNames[static_cast<std::size_t>(bound)];
}

Floor floor_of(const StepWork& work, const Roof& roof) {
  if (!roof.bandwidth) return {};
  const double moving = work.bytes() / *roof.bandwidth;
  if (!roof.peak) return {moving, Bound::unknown};
  const double computing = work.operations / *roof.peak;
  return {std::max(moving, computing), computing > moving ? Bound::compute : Bound::memory};
}

std::optional<double> operations_per_token(const ModelShape& shape, double cached_tokens, Phase phase) {
  const std::optional<double> weights = weights_per_token(shape, phase),
                              attention = attention_operations(shape, cached_tokens, phase);
  if (!weights || !attention) return std::nullopt;
  return 2 * *weights + *attention;
}

std::optional<StepWork> decode_work(const ModelShape& shape, double weight_bytes, std::size_t devices,
                                    double kv_bytes_per_value, const Batch& batch) {
  const std::optional<WeightShares> shares = shares_of(shape);
  const std::optional<double> cache = kv_bytes_of_sequence(shape, devices, kv_bytes_per_value, batch.cached_tokens);
  const std::optional<double> operations = operations_per_token(shape, batch.cached_tokens, Phase::decode);
  if (!shares || !cache || !operations) return std::nullopt;
  const double n = static_cast<double>(devices);
  const double experts = shares->experts > 0 ? shares->experts * touched_share(shape, batch.sequences) : 0;
  return StepWork{weight_bytes * (shares->always + experts) / n, *cache * batch.sequences,
                  *operations * batch.sequences / n};
}

std::optional<StepWork> prefill_work(const ModelShape& shape, double weight_bytes, std::size_t devices, double tokens) {
  const std::optional<WeightShares> shares = shares_of(shape);
  const double before = tokens / 2;  // on the mean
  const std::optional<double> operations = operations_per_token(shape, before, Phase::prefill);
  if (!shares || !operations) return std::nullopt;
  const double last = 2 * (*weights_per_token(shape, Phase::decode) - *weights_per_token(shape, Phase::prefill));
  const double n = static_cast<double>(devices);
  const double experts = shares->experts > 0 ? shares->experts * touched_share(shape, tokens) : 0;
  return StepWork{weight_bytes * (shares->always + experts) / n, 0, (*operations * tokens + last) / n};
}

std::optional<double> ridge_batch(const ModelShape& shape, double weight_bytes, std::size_t devices,
                                  double kv_bytes_per_value, double cached_tokens, const Roof& roof) {
  if (!roof.bandwidth || !roof.peak) return std::nullopt;
  const auto is_compute_bound = [&](double sequences) {
    const auto work = decode_work(shape, weight_bytes, devices, kv_bytes_per_value, {sequences, cached_tokens});
    return work && work->operations / *roof.peak >= work->bytes() / *roof.bandwidth;
  };
  constexpr double kMost = 1 << 20;
  if (!is_compute_bound(kMost)) return std::nullopt;
  double low = 0, high = kMost;  // more sequences only ever move it towards computing
  while (high - low > 1e-3 * std::max(high, 1.0)) {
    const double middle = (low + high) / 2;
    (is_compute_bound(middle) ? high : low) = middle;
  }
  return high;
}

Roof roof_of(const Device& device, const WeightFormat& format) {
  Roof out;
  if (device.bandwidth) out.bandwidth = device.bandwidth->value;
  out.peak = peak_for(device, format.compute);
  return out;
}

}  // namespace scoville::fit
