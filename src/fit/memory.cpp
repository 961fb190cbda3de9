#include "fit/memory.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::fit {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

/// Layers whose cache grows with every token, and those whose cache ends with their window.
struct Layers {
  double full = 0, windowed = 0;
};

std::optional<Layers> layers_of(const ModelShape& shape) {
  if (!shape.layers) return std::nullopt;
  const double all = as_double(*shape.layers) - as_double(std::min(shape.linear_layers, *shape.layers));
  const double windowed = std::min(as_double(shape.window_layers), all);
  return Layers{all - windowed, windowed};
}

}  // namespace

std::optional<double> kv_bytes_per_layer(const ModelShape& shape, std::size_t devices, double bytes_per_value) {
  if (shape.latent) return as_double(shape.latent->kv_rank + shape.latent->rope_dim) * bytes_per_value;
  if (!shape.kv_heads || !shape.head_dim) return std::nullopt;
  const double heads = std::ceil(as_double(*shape.kv_heads) / static_cast<double>(devices));
  return 2 * heads * as_double(*shape.head_dim) * bytes_per_value;
}

std::optional<double> kv_bytes_per_token(const ModelShape& shape, std::size_t devices, double bytes_per_value) {
  const std::optional<double> layer = kv_bytes_per_layer(shape, devices, bytes_per_value);
  const std::optional<Layers> layers = layers_of(shape);
  if (!layer || !layers) return std::nullopt;
  return *layer * (layers->full + layers->windowed);
}

std::optional<double> kv_bytes_of_sequence(const ModelShape& shape, std::size_t devices, double bytes_per_value,
                                           double tokens) {
  const std::optional<double> layer = kv_bytes_per_layer(shape, devices, bytes_per_value);
  const std::optional<Layers> layers = layers_of(shape);
  if (!layer || !layers) return std::nullopt;
  return *layer * (layers->full * tokens + layers->windowed * std::min(tokens, as_double(shape.window)));
}

bool can_be_split(const ModelShape& shape, std::size_t devices) {
  return devices == 1 || !shape.heads || *shape.heads % devices == 0;
}

double left_for_cache(double device_memory, const Allowance& allowance, double weight_bytes, std::size_t devices) {
  return device_memory * allowance.share - allowance.overhead - weight_bytes / static_cast<double>(devices);
}

std::optional<double> longest_sequence(const ModelShape& shape, std::size_t devices, double bytes_per_value,
                                       double room) {
  const std::optional<double> layer = kv_bytes_per_layer(shape, devices, bytes_per_value);
  const std::optional<Layers> layers = layers_of(shape);
  if (!layer || !layers || *layer <= 0) return std::nullopt;
  if (room <= 0) return 0;
  const double window = as_double(shape.window), all = layers->full + layers->windowed;
  if (all <= 0) return std::nullopt;
  const double within = room / (*layer * all);
  if (layers->windowed == 0 || within <= window) return std::floor(within);
  if (layers->full == 0) return std::nullopt;
  return std::floor((room - *layer * layers->windowed * window) / (*layer * layers->full));
}

}  // namespace scoville::fit
