#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fit/devices.hpp"
#include "fit/engine_support.hpp"
#include "fit/floor.hpp"
#include "fit/memory.hpp"
#include "fit/model.hpp"

namespace scoville::fit {

/// What is wanted of a model on a device.
struct Ask {
  double context = 0;                     ///< tokens of one sequence, prompt and answer
  std::optional<double> output_tokens;    ///< of these; empty: not said, then the whole context counts as prompt
  double concurrency = 1;                 ///< sequences at a time
  std::optional<std::size_t> devices;     ///< in tensor parallel; empty: the smallest number that holds it
  std::optional<WeightFormat> precision;  ///< weights as if stored so; empty: as they are
  double kv_bytes_per_value = 2;          ///< of the key-value cache: 2, or 1 for FP8 and INT8
  std::string engine;                     ///< empty: none in particular
  Allowance allowance;
};

enum class Fits { unknown, no, yes };
std::string_view name_of(Fits fits);

/// Why something is not known, or does not fit.
enum class Lack {
  weights_unknown,    ///< no weight files, no index, and no formula for this architecture
  cache_unknown,      ///< layers, heads or their size are missing
  memory_unknown,     ///< the catalogue has no memory for this device
  bandwidth_unknown,  ///< nor a bandwidth
  peak_unknown,       ///< nor a peak for what is computed in
  work_unknown,       ///< experts, but no formula for this architecture
  too_big,            ///< weights and cache are more than the devices hold
  heads_uneven,       ///< attention heads cannot be spread evenly over so many devices
  beyond_training,    ///< the context is longer than the model was trained for
  engine_says_no,     ///< a published statement rules it out
  engine_unknown,     ///< nothing published says whether the engine loads it
};
std::string_view name_of(Lack lack);

/// All of it; what is empty is not known, and `lacks` says why. Times are seconds.
struct Answer {
  Device device;
  ModelShape shape;  ///< with the precision asked for
  Ask ask;
  std::size_t devices = 1;      ///< that the figures hold for
  Fits fits = Fits::unknown;    ///< by memory alone
  Fits splits = Fits::unknown;  ///< attention heads can be spread evenly over them
  std::vector<Lack> lacks;

  std::optional<double> weight_bytes;               ///< all devices together
  std::optional<double> kv_bytes_per_token;         ///< one copy of it
  std::optional<double> kv_bytes_per_device_token;  ///< on each device
  std::optional<double> usable_bytes;               ///< a device, for weights and cache
  std::optional<double> room_bytes;                 ///< a device, for the cache
  std::optional<double> longest_context;            ///< of a single sequence; not beyond what it was trained for
  std::optional<double> largest_concurrency;        ///< sequences of the context asked for
  std::optional<std::size_t> smallest_devices;      ///< of 1, 2, 4, 8, 16

  std::optional<StepWork> decode, prefill;  ///< each device
  Roof roof;
  Floor tpot, ttft;
  Floor tpot_twice_compute, tpot_twice_bandwidth;
  std::optional<double> ridge_batch;
  std::optional<SupportAnswer> engine;

  bool lacks_any(std::initializer_list<Lack> which) const;
  /// `fits` and `splits`, and what is known of the engine where one was named.
  Fits overall() const;
};

/// Pure arithmetic on what is published: docs/formats/fit.md has the formulas. Precondition: context ≥ 1.
Answer work_out(const ModelShape& shape, const Device& device, const Ask& ask);

}  // namespace scoville::fit
