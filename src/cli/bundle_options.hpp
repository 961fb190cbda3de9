#pragma once

#include <cstdint>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "store/bundle.hpp"

namespace scoville::cli {

// What `runs export`, `runs import` and `runs verify` share.

/// --max-bytes SIZE
void declare_max_bytes(Parameters& parameters, store::BundleLimits& limits);

/// How far the reading or writing has come, on standard error; Ctrl-C ends it.
class BundleLine {
 public:
  BundleLine();
  store::BundleProgress progress();

 private:
  LiveLine line_;
};

/// Prints the error; how the command ends.
Exit bundle_failed(const Error& error);

}  // namespace scoville::cli
