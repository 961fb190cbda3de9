#include "environment/join.hpp"

#include <string_view>

#include "environment/utf8.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;
using event::FingerprintField;

bool is_known(const Fingerprint& in, std::string_view key) {
  const FingerprintField* const field = in.find(key);
  return field && field->status == FieldStatus::ok;
}

void overlay(Fingerprint& out, const Fingerprint& later) {
  for (const FingerprintField& each : later.fields()) {
    if (each.status == FieldStatus::ok || !is_known(out, each.key)) out.set(each);
  }
}

void underlay(Fingerprint& out, const Fingerprint& other) {
  for (const FingerprintField& each : other.fields()) {
    if (!is_known(out, each.key)) out.set(each);
  }
}

void fill(Fingerprint& out, std::string_view key, std::initializer_list<std::string_view> from) {
  for (const std::string_view other : from) {
    const FingerprintField* const field = out.find(other);
    if (is_known(out, key) || !field || field->status != FieldStatus::ok || out.text(other) == "auto") continue;
    FingerprintField copy = *field;
    copy.key = key;
    out.set(std::move(copy));
  }
}

}  // namespace

Fingerprint join(const Observations& observations) {
  Fingerprint out = observations.server;
  underlay(out, observations.process);
  overlay(out, observations.system);
  overlay(out, observations.model_files);
  overlay(out, observations.engine_args);
  fill(out, "model.dtype", {"engine.flags.dtype", "model.weights.dtype"});
  fill(out, "model.quantisation", {"engine.flags.quantization", "model.weights.quantisation"});
  fill(out, "model.context_length", {"engine.flags.max_model_len", "engine.flags.context_length"});
  Fingerprint clean;
  for (FingerprintField each : out.fields()) {
    each.value = texts_as_utf8(each.value);
    clean.set(std::move(each));
  }
  return clean;
}

}  // namespace scoville::environment
