#pragma once

#include <functional>

#include "portability/scan.hpp"
#include "portability/tree.hpp"

namespace scoville::portability {

struct SurveyedFile {
  File file;
  std::string kind;  ///< the language's name, or "notebook"
  Scan scan;
};

/// What a tree holds.
struct Survey {
  std::vector<std::string> paths;   ///< as they were named
  std::vector<SurveyedFile> files;  ///< by path
  std::vector<Skipped> skipped;
  std::size_t links = 0;
};

/// How many files of how many have been read.
using SurveyProgress = std::function<void(std::size_t done, std::size_t all)>;

/// Reads every file of the tree, on up to `threads` threads; the result does not depend on how many. `told` is called
/// from this one.
Survey survey(const Matcher& matcher, const std::vector<std::string>& paths, Tree tree, std::size_t threads,
              const SurveyProgress& told = {});

}  // namespace scoville::portability
