#pragma once

#include "cli/command.hpp"
#include "cli/load_options.hpp"
#include "cli/outputs.hpp"
#include "cli/price_options.hpp"
#include "cli/store_options.hpp"
#include "cli/system_options.hpp"
#include "cli/target_options.hpp"

namespace scoville::cli {

/// One measured load from its flags to its report: what `bench` does, and `quickstart` with a server of its own.
struct BenchRun {
  const TargetOptions& target;
  LoadOptions& load;
  const StoreOptions& store;
  const SystemOptions& system;
  const PriceOptions& price;
  const OutputOptions& outputs;
  bool as_json = false;
  bool fails_on_instrument = false;

  Exit run() const;
};

}  // namespace scoville::cli
