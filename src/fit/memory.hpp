#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "fit/model.hpp"

namespace scoville::fit {

/// Devices that are tried for the smallest number that holds the model.
inline constexpr std::array<std::size_t, 5> kTensorParallel{1, 2, 4, 8, 16};

/// What an engine takes of a device's memory.
struct Allowance {
  double share = 0.9;     ///< of the memory that an engine may use: vLLM's default
  double overhead = 2e9;  ///< bytes a device for activations, graphs, communication buffers and the runtime: assumed
};

/// Bytes of the key-value cache for one token in one layer that looks back on everything, on each of `devices`: keys
/// and values of the KV heads, spread over the devices, a whole head at the least; with MLA the latent vector, on each.
std::optional<double> kv_bytes_per_layer(const ModelShape& shape, std::size_t devices, double bytes_per_value);

/// The same for one token in all layers, windows aside.
std::optional<double> kv_bytes_per_token(const ModelShape& shape, std::size_t devices, double bytes_per_value);

/// One sequence of `tokens`, on each device: layers with a window keep no more than that.
std::optional<double> kv_bytes_of_sequence(const ModelShape& shape, std::size_t devices, double bytes_per_value,
                                           double tokens);

/// Whether attention heads can be spread evenly over so many devices.
bool can_be_split(const ModelShape& shape, std::size_t devices);

/// What is left for the cache on each device once weights are there; negative: not even they fit.
double left_for_cache(double device_memory, const Allowance& allowance, double weight_bytes, std::size_t devices);

/// Tokens of the longest single sequence within `room` bytes a device; empty where its cache never grows.
std::optional<double> longest_sequence(const ModelShape& shape, std::size_t devices, double bytes_per_value,
                                       double room);

}  // namespace scoville::fit
