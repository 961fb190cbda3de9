#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

/// A flag as engines write it, as part of a key: "--Tensor-Parallel-Size" → "tensor_parallel_size". "" if none is left.
std::string flag_key(std::string_view name);
/// Numbers and booleans become such (also Python's "True"), all else stays text.
json::value flag_value(std::string_view text);

/// Splits K=V; the error says what is expected.
Result<std::pair<std::string, std::string>> parse_engine_arg(std::string_view text);

/// What the user says of the engine's settings: `engine.flags.K`, source "--engine-arg". A secret becomes "***".
event::Fingerprint engine_arg_fields(const std::vector<std::pair<std::string, std::string>>& arguments);

/// The long flags of a command line, its secrets already masked: `engine.flags.NAME`. "--name value" and "--name=value"
/// give a value, "--name" alone true, several values one text. "--" and what follows it is left out.
event::Fingerprint command_line_flags(const std::vector<std::string>& arguments, std::string_view source);

/// What we started an engine with: `engine.flags.*` of its command, short flags ("-c 4096") too, and `engine.env.NAME`
/// of what was added to its environment; `engine.launch.command` holds the words as they are, places like {port}
/// unfilled. Secrets are masked.
event::Fingerprint launch_fields(const std::vector<std::string>& words,
                                 const std::vector<std::pair<std::string, std::string>>& environment);

/// Whether two engines of the same kind may well differ in this flag and be equal in speed: ports, host names, paths,
/// log levels, seeds, counts taken from the memory that happened to be free.
bool is_incidental_flag(std::string_view key);

}  // namespace scoville::environment
