#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/load_options.hpp"
#include "cli/store_options.hpp"
#include "cli/target_options.hpp"

namespace scoville::cli {

/// One measured load from its flags to its report: what `bench` does, and `quickstart` with a server of its own.
struct BenchRun {
  const TargetOptions& target;
  LoadOptions& load;
  const StoreOptions& store;
  bool as_json = false;
  std::string output_file;  ///< the JSON goes there too; empty: nowhere
  bool fails_on_instrument = false;

  Exit run() const;
};

}  // namespace scoville::cli
