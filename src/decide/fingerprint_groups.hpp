#pragma once

#include <functional>
#include <string_view>

#include "decide/gate.hpp"

namespace scoville::decide {

/// A field as it stands on both sides.
struct Reading {
  FieldState state = FieldState::unknown;
  std::string base, candidate;
};

/// Equal texts are equal; an empty one is unknown.
Reading read_texts(std::string base, std::string candidate);

/// All comparable keys of both fingerprints that `belongs` takes: unknown where one side knows none of them, different
/// where environment::changed_keys says so of any.
Reading read_group(const Setup& base, const Setup& candidate, const std::function<bool(std::string_view)>& belongs);

// Parts of the engine's settings that have fields of their own: "engine.flags.NAME", whatever the engine calls it.
bool is_precision(std::string_view key);
bool is_parallelism(std::string_view key);
bool is_speculation(std::string_view key);
bool is_prefix_cache(std::string_view key);

/// "whole cards", or what they are slices of (MIG, vGPU, vNPU, a partition); empty where no device is known. A slice is
/// never a card: its memory, caches and neighbours are others.
std::string slice_of(const event::Fingerprint& system);

}  // namespace scoville::decide
