#pragma once

#include <string>
#include <vector>

#include "cli/parameter.hpp"

namespace scoville::cli {

/// Gives parameters these words, as a command line would: "--launch", "engine --port {port}", "--launch-set", "tp=2".
/// A flag that is not among them is our own bug; the error of a value names its flag.
Status set_words(Parameters& parameters, const std::vector<std::string>& words);

}  // namespace scoville::cli
