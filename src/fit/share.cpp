#include "fit/share.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace scoville::fit {
namespace {

using event::Fingerprint;

Share none(NoShare reason) {
  Share out;
  out.reason = reason;
  return out;
}

/// The names of its devices, each once, and how many are seen. What a person stated counts alone, and is no number.
std::set<std::string> devices_in(const Fingerprint& system, std::size_t& count) {
  std::set<std::string> names;
  count = 0;
  if (const std::string stated = system.text("device.stated.name"); !stated.empty()) return {stated};
  for (const event::FingerprintField& field : system.fields()) {
    if (!field.key.starts_with("device.") || !field.key.ends_with(".name") || !field.value.is_string()) continue;
    names.insert(std::string(field.value.get_string()));
    ++count;
  }
  return names;
}

std::size_t parallelism_of(const Fingerprint& system) {
  for (const char* name : {"tensor_parallel_size", "tp_size", "tp"}) {
    const std::string text = system.text(std::string("engine.flags.") + name);
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 6)
      return static_cast<std::size_t>(std::stoul(text));
  }
  return 0;
}

double kv_bytes_of(const Fingerprint& system) {
  const std::string type = system.text("engine.flags.kv_cache_dtype");
  return type.find("8") != std::string::npos ? 1 : 2;
}

}  // namespace

std::string_view name_of(NoShare reason) {
  constexpr std::array<std::string_view, 7> kNames{"none",
                                                   "the fingerprint names no device, or several kinds",
                                                   "the device is not in the catalogue",
                                                   "not said how many devices worked",
                                                   "the catalogue has no bandwidth for this device",
                                                   "the sizes of the model or its weight files are not known",
                                                   "no TPOT or no token rates"};
  return kNames[static_cast<std::size_t>(reason)];
}

Share share_of(const ModelShape& shape, const Device& device, std::size_t devices, double kv_bytes_per_value,
               const Measured& measured) {
  if (devices == 0) return none(NoShare::devices_not_said);
  if (!device.bandwidth) return none(NoShare::bandwidth_unknown);
  if (!measured.tpot_s || *measured.tpot_s <= 0 || !measured.output_tokens_per_s || !measured.prompt_tokens ||
      !measured.output_tokens)
    return none(NoShare::not_measured);
  const double n = static_cast<double>(devices), rate = *measured.output_tokens_per_s;
  const double cached = *measured.prompt_tokens + *measured.output_tokens / 2;
  const double sequences = std::max(rate * *measured.tpot_s, 1.0);
  const std::optional<StepWork> step =
      shape.weight_bytes ? decode_work(shape, *shape.weight_bytes, devices, kv_bytes_per_value, {sequences, cached})
                         : std::nullopt;
  const std::optional<double> cache = kv_bytes_of_sequence(shape, devices, kv_bytes_per_value, cached);
  if (!step || !cache) return none(NoShare::model_unknown);
  Share out;
  out.device = device.id;
  out.devices = devices;
  out.mbu = (step->weight_bytes / *measured.tpot_s + *cache * rate) / device.bandwidth->value;
  const Roof roof = roof_of(device, shape.format);
  const auto decoding = operations_per_token(shape, cached, Phase::decode);
  const auto reading = operations_per_token(shape, *measured.prompt_tokens / 2, Phase::prefill);
  if (roof.peak && decoding && reading)
    out.mfu = (*decoding * rate + *reading * measured.prompt_tokens_per_s.value_or(0)) / (n * *roof.peak);
  return out;
}

Share share_of_run(const Fingerprint& system, std::size_t devices, const Catalogue& catalogue,
                   const Measured& measured) {
  std::size_t seen = 0;
  const std::set<std::string> names = devices_in(system, seen);
  if (names.size() != 1) return none(NoShare::device_unknown);
  const Device* const device = catalogue.find(*names.begin());
  if (!device) return none(NoShare::device_not_listed);
  if (devices == 0) devices = parallelism_of(system);
  if (devices == 0 && seen == 1) devices = 1;
  return share_of(shape_of(system), *device, devices, kv_bytes_of(system), measured);
}

}  // namespace scoville::fit
