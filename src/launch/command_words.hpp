#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::launch {

/// The words of a command line, quotes and backslashes taken as a POSIX shell takes them; "~/" at the beginning of a
/// word becomes `home`.
///
/// No shell runs the command, so what only a shell can do (pipes, redirection, several commands, variables) is an error
/// that says so, instead of an odd argument to the engine. `sh -c '…'` is there for who wants it.
Result<std::vector<std::string>> split_words(std::string_view line, const std::string& home = "");

/// Every "{name}" of these names replaced by its value; other braces (JSON) stay as they are.
std::vector<std::string> fill(std::vector<std::string> words, const std::map<std::string, std::string>& values);

/// Whether some word holds "{name}".
bool has_place(const std::vector<std::string>& words, std::string_view name);

/// The words as one line that a shell would take apart in the same way.
std::string joined(const std::vector<std::string>& words);

}  // namespace scoville::launch
