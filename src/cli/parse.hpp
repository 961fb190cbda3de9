#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace scoville::cli {

/// What the command line asked for.
struct Parsed {
  Command* command = nullptr;      ///< null: nothing to run
  std::string output;              ///< for standard output: help, version
  std::vector<std::string> notes;  ///< "--tokenizer: tokens are counted by the server": what a word given does not do
};

/// Sets the language that --lang asks for, before anything is said in any: defaults and faults are told in it too.
void take_language(int argc, const char* const* argv);

/// Reads argv into the command's parameters. Errors name the flag, its value, and what was expected.
Result<Parsed> parse(int argc, const char* const* argv, const std::vector<std::unique_ptr<Command>>& commands);

/// The commands with their summaries; only those whose names begin with `group`, a word and a blank.
std::string overview(const std::vector<std::unique_ptr<Command>>& commands, const std::string& group = "");

}  // namespace scoville::cli
