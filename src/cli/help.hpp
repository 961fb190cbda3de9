#pragma once

#include <string>

#include "cli/command.hpp"

namespace scoville::cli {

/// What `--help` prints for a command: its flags under their headings, other tools' words, examples.
std::string help_of(Command& command);

}  // namespace scoville::cli
