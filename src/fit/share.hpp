#pragma once

#include <optional>
#include <string_view>

#include "event/fingerprint.hpp"
#include "fit/devices.hpp"
#include "fit/floor.hpp"
#include "fit/model.hpp"

namespace scoville::fit {

/// What a serving run measured, as far as its work can be computed from it.
struct Measured {
  std::optional<double> tpot_s;               ///< median
  std::optional<double> output_tokens_per_s;  ///< all requests together
  std::optional<double> prompt_tokens_per_s;
  std::optional<double> prompt_tokens, output_tokens;  ///< mean of a request
};

enum class NoShare {
  none,
  device_unknown,     ///< the fingerprint names no device, or several kinds
  device_not_listed,  ///< the catalogue does not know it
  devices_not_said,   ///< how many worked
  bandwidth_unknown,
  model_unknown,  ///< no sizes, or no weight files
  not_measured,   ///< no TPOT, no token rates
};
std::string_view name_of(NoShare reason);

/// Shares of a device's published figures that the work of a model takes at what was measured. Model-based: nothing of
/// it was measured on the device, and what an engine reads or computes beyond the model is not in it.
struct Share {
  NoShare reason = NoShare::none;
  std::optional<double> mbu;  ///< (weights a step ÷ TPOT + cache read at the output rate) ÷ bandwidth
  std::optional<double> mfu;  ///< operations of all tokens a second ÷ peak; empty where the peak is not known
  std::string device;         ///< id
  std::size_t devices = 0;
};

/// The weights of a step are read once in every TPOT; the cache of each sequence once for each of its tokens; so many
/// sequences share a step as output rate × TPOT.
Share share_of(const ModelShape& shape, const Device& device, std::size_t devices, double kv_bytes_per_value,
               const Measured& measured);

/// The same for a run: device and model out of its fingerprint (`device.stated.name` before what tools found);
/// `devices` 0: not said, then as many as the engine's tensor parallelism says, or one if just one is seen.
Share share_of_run(const event::Fingerprint& system, std::size_t devices, const Catalogue& catalogue,
                   const Measured& measured);

}  // namespace scoville::fit
