#include "fit/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fit/parameters.hpp"

namespace scoville::fit {
namespace {

/// The model as if its weights were stored in `format`.
ModelShape stored_as(ModelShape shape, const WeightFormat& format) {
  const std::optional<Parameters> counted = parameters_of(shape);
  shape.format = format;
  const bool is_plain = format.name == "bf16" || format.name == "fp16" || format.name == "fp32";
  shape.quantisation = is_plain ? "none" : format.name == "int8" ? "w8a8" : format.name;
  shape.weights_from = WeightsFrom::shape;
  shape.weight_bytes.reset();
  const double bits = *format.bits, table_bits = std::max(bits, 16.0);
  if (counted) {
    const double tables = counted->embedding + (counted->ties ? 0 : counted->head);
    shape.weight_bytes = (tables * table_bits + (counted->total() - tables) * bits) / 8;
  } else if (shape.parameters) {
    shape.weight_bytes = *shape.parameters * bits / 8;
  } else {
    shape.weights_from = WeightsFrom::nothing;
  }
  return shape;
}

/// Whether so many devices hold weights and cache; empty where something is not known.
std::optional<bool> holds(const Answer& answer, std::size_t devices) {
  const std::optional<double> sequence =
      kv_bytes_of_sequence(answer.shape, devices, answer.ask.kv_bytes_per_value, answer.ask.context);
  if (!answer.device.memory || !answer.shape.weight_bytes || !sequence) return std::nullopt;
  const double room =
      left_for_cache(answer.device.memory->value, answer.ask.allowance, *answer.shape.weight_bytes, devices);
  return room >= *sequence * answer.ask.concurrency;
}

void find_devices(Answer& out) {
  std::size_t most = 1;
  for (const std::size_t devices : kTensorParallel) {
    if (!can_be_split(out.shape, devices)) continue;
    most = devices;
    if (holds(out, devices) != true) continue;
    out.smallest_devices = devices;
    break;
  }
  const bool is_known = holds(out, 1).has_value();
  out.devices = out.ask.devices.value_or(out.smallest_devices.value_or(is_known ? most : 1));
}

void work_out_memory(Answer& out) {
  const double kv = out.ask.kv_bytes_per_value;
  out.weight_bytes = out.shape.weight_bytes;
  out.kv_bytes_per_token = kv_bytes_per_token(out.shape, 1, kv);
  out.kv_bytes_per_device_token = kv_bytes_per_token(out.shape, out.devices, kv);
  if (out.device.memory)
    out.usable_bytes = out.device.memory->value * out.ask.allowance.share - out.ask.allowance.overhead;
  if (!out.usable_bytes || !out.weight_bytes) return;
  out.room_bytes = left_for_cache(out.device.memory->value, out.ask.allowance, *out.weight_bytes, out.devices);
  out.longest_context = longest_sequence(out.shape, out.devices, kv, *out.room_bytes);
  if (out.longest_context && out.shape.context_trained)
    out.longest_context = std::min(*out.longest_context, static_cast<double>(*out.shape.context_trained));
  const std::optional<double> sequence = kv_bytes_of_sequence(out.shape, out.devices, kv, out.ask.context);
  if (sequence && *sequence > 0) out.largest_concurrency = std::floor(std::max(*out.room_bytes, 0.0) / *sequence);
}

void judge(Answer& out) {
  const auto lack = [&](bool does, Lack which) {
    if (does) out.lacks.push_back(which);
  };
  lack(!out.weight_bytes, Lack::weights_unknown);
  lack(!out.kv_bytes_per_token, Lack::cache_unknown);
  lack(!out.device.memory, Lack::memory_unknown);
  const bool is_known = out.devices == 1 || out.shape.heads;
  out.splits = !can_be_split(out.shape, out.devices) ? Fits::no : is_known ? Fits::yes : Fits::unknown;
  lack(out.splits == Fits::no, Lack::heads_uneven);
  const std::optional<bool> held = holds(out, out.devices);
  lack(held == false, Lack::too_big);
  lack(out.shape.context_trained && out.ask.context > static_cast<double>(*out.shape.context_trained),
       Lack::beyond_training);
  out.fits = !held ? Fits::unknown : *held ? Fits::yes : Fits::no;
}

/// Tokens in the cache halfway through the answer, and before it.
double cached_tokens(const Ask& ask) { return ask.context - ask.output_tokens.value_or(0) / 2; }
double prompt_tokens(const Ask& ask) { return std::max(ask.context - ask.output_tokens.value_or(0), 1.0); }

void work_out_floors(Answer& out) {
  out.roof = roof_of(out.device, out.shape.format);
  if (!out.roof.bandwidth) out.lacks.push_back(Lack::bandwidth_unknown);
  if (!out.roof.peak) out.lacks.push_back(Lack::peak_unknown);
  if (!out.weight_bytes) return;
  const double kv = out.ask.kv_bytes_per_value, weights = *out.weight_bytes;
  out.decode = decode_work(out.shape, weights, out.devices, kv, {out.ask.concurrency, cached_tokens(out.ask)});
  out.prefill = prefill_work(out.shape, weights, out.devices, prompt_tokens(out.ask));
  if (!out.decode && out.kv_bytes_per_token) out.lacks.push_back(Lack::work_unknown);
  const auto scaled = [](std::optional<double> value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
  };
  if (out.decode) {
    out.tpot = floor_of(*out.decode, out.roof);
    out.tpot_twice_compute = floor_of(*out.decode, {out.roof.bandwidth, scaled(out.roof.peak, 2)});
    out.tpot_twice_bandwidth = floor_of(*out.decode, {scaled(out.roof.bandwidth, 2), out.roof.peak});
    out.ridge_batch = fit::ridge_batch(out.shape, weights, out.devices, kv, cached_tokens(out.ask), out.roof);
  }
  if (out.prefill) out.ttft = floor_of(*out.prefill, out.roof);
}

void ask_engine(Answer& out) {
  if (out.ask.engine.empty()) return;
  out.engine = built_in_support().ask(out.ask.engine, out.device, out.shape);
  if (out.engine->loads == Loads::no) out.lacks.push_back(Lack::engine_says_no);
  if (out.engine->loads == Loads::unknown) out.lacks.push_back(Lack::engine_unknown);
}

}  // namespace

std::string_view name_of(Fits fits) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "no", "yes"};
  return kNames[static_cast<std::size_t>(fits)];
}

std::string_view name_of(Lack lack) {
  constexpr std::array<std::string_view, 11> kNames{
      "weights_unknown", "cache_unknown", "memory_unknown",  "bandwidth_unknown", "peak_unknown",  "work_unknown",
      "too_big",         "heads_uneven",  "beyond_training", "engine_says_no",    "engine_unknown"};
  return kNames[static_cast<std::size_t>(lack)];
}

bool Answer::lacks_any(std::initializer_list<Lack> which) const {
  return std::find_first_of(lacks.begin(), lacks.end(), which.begin(), which.end()) != lacks.end();
}

Fits Answer::overall() const {
  if (fits == Fits::no || splits == Fits::no || (engine && engine->loads == Loads::no)) return Fits::no;
  if (fits == Fits::unknown || (engine && engine->loads == Loads::unknown)) return Fits::unknown;
  return Fits::yes;
}

Answer work_out(const ModelShape& shape, const Device& device, const Ask& ask) {
  Answer out;
  out.device = device;
  out.shape = ask.precision ? stored_as(shape, *ask.precision) : shape;
  out.ask = ask;
  find_devices(out);
  work_out_memory(out);
  judge(out);
  work_out_floors(out);
  ask_engine(out);
  return out;
}

}  // namespace scoville::fit
