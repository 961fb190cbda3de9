#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/warning.hpp"

namespace scoville::correctness {

/// The prompts whose answers are compared word by word.
struct PromptSet {
  std::string name;  ///< the file, or the name and version of the built-in set
  std::string hash;  ///< of all its prompts, 16 digits; also of those that are not used
  std::vector<dataset::Prompt> prompts;
  std::vector<dataset::Warning> warnings;  ///< lines that could not be used
};

/// `path` empty: the built-in ones (data/correctness_prompts.jsonl). `most`: no more than that many, from the
/// beginning. `takes_messages`: a chat dialect.
Result<PromptSet> read_prompts(const std::string& path, std::size_t most, bool takes_messages);

}  // namespace scoville::correctness
