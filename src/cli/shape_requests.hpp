#pragma once

#include <string>
#include <vector>

#include "cli/target_options.hpp"
#include "probe/dynamic_shapes.hpp"

namespace scoville::cli {

/// What is asked of a server: these lengths, one request each, one after the other, three times over.
struct ShapeQuestion {
  std::vector<std::size_t> lengths;
  std::uint32_t max_tokens = 1;
  std::uint64_t seed = 1;
};

struct ShapeAnswer {
  std::string url, model;
  std::vector<probe::LengthTimes> times;  ///< nanoseconds until the first token, in the order of the lengths
  std::vector<std::string> warnings;
};

/// Makes prompts of exactly these lengths and times each from its last byte written to the first token of its answer,
/// connection set-up left out. No two prompts begin alike, so that a prefix cache saves nothing the second time: what a
/// length cost and no longer costs is then the server's preparation for it. A request that fails ends it.
Result<ShapeAnswer> ask_lengths(const TargetOptions& target, const ShapeQuestion& question);

}  // namespace scoville::cli
