#pragma once

#include <optional>

#include "fit/devices.hpp"
#include "fit/memory.hpp"
#include "fit/model.hpp"

namespace scoville::fit {

/// What one step of decoding moves and computes on each device.
struct StepWork {
  double weight_bytes = 0;  ///< read once a step, whatever the batch
  double cache_bytes = 0;   ///< of all sequences
  double operations = 0;    ///< multiplications and additions

  double bytes() const { return weight_bytes + cache_bytes; }
};

/// What a device can do; empty: not known.
struct Roof {
  std::optional<double> bandwidth;  ///< bytes per second
  std::optional<double> peak;       ///< operations per second
};

enum class Bound { unknown, memory, compute };
std::string_view name_of(Bound bound);

/// The least time that `work` takes: the larger of moving and computing, as if both were perfect and overlapped. Empty
/// without a bandwidth. Without a peak the time of moving alone is a floor still; what binds is then not known.
struct Floor {
  std::optional<double> seconds;
  Bound bound = Bound::unknown;
};
Floor floor_of(const StepWork& work, const Roof& roof);

/// A batch of sequences, each with so many tokens in its cache.
struct Batch {
  double sequences = 1;
  double cached_tokens = 0;
};

/// One decoding step. Weights: all but the embedding table (one row of it is read); of routed experts those that a
/// batch may be expected to touch when each token picks its experts evenly, n(1 − (1 − k/n)^b). Empty where the model's
/// size or cache is not known. Communication between devices is left out: it can only add.
std::optional<StepWork> decode_work(const ModelShape& shape, double weight_bytes, std::size_t devices,
                                    double kv_bytes_per_value, const Batch& batch);

/// Reading a prompt of `tokens` in one piece: 2 operations a weight and token, attention to all tokens before.
std::optional<StepWork> prefill_work(const ModelShape& shape, double weight_bytes, std::size_t devices, double tokens);

enum class Phase { prefill, decode };

/// Operations of one token that sees `cached_tokens` before it, all devices together: 2 for each weight that it is
/// multiplied with, and attention. In prefill without the projection onto the vocabulary: only the last token needs it.
std::optional<double> operations_per_token(const ModelShape& shape, double cached_tokens, Phase phase);

/// The batch from which on a step is bound by computing: both sides take as long there. Empty: not known, or never (the
/// cache of each further sequence takes longer to read than the sequence to compute).
std::optional<double> ridge_batch(const ModelShape& shape, double weight_bytes, std::size_t devices,
                                  double kv_bytes_per_value, double cached_tokens, const Roof& roof);

/// The roof for weights stored so: the peak of what is computed in. Where a device does not compute in FP8 or FP4
/// engines compute in 16 bits; where it lacks BF16, in FP16, and the other way round where one of them is not
/// published.
Roof roof_of(const Device& device, const WeightFormat& format);

}  // namespace scoville::fit
