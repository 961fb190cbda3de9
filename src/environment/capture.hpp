#pragma once

#include <string>

#include "environment/command.hpp"
#include "environment/pci_names.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

struct Options {
  std::string root = "/";                   ///< where the machine's files are; tests have a folder of their own
  Variables variables;                      ///< the environment block; secrets in it are dropped here
  Nanos timeout = std::chrono::seconds(1);  ///< for each vendor tool; all of them run at once
  const ToolRunner* tools = nullptr;        ///< null: this machine's programs, found by the PATH of `variables`
  PciNames pci_names = PciNames::embedded();
  bool is_redacted = false;  ///< without what tells this machine from another of its make
};

/// What this machine is: the fields of docs/formats/fingerprint.md.
///
/// Needs no root and never fails: what could not be learnt is a field that says why. Takes the time-out and half a
/// second at the most, whatever the tools do.
event::Fingerprint capture(const Options& options);

}  // namespace scoville::environment
