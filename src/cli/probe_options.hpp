#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/parameter.hpp"
#include "probe/session.hpp"

namespace scoville::cli {

/// Who is asked about which device: the flags that all `probe` commands share.
class ProbeOptions {
 public:
  /// `usual`: who measures where --probe is not given: "cpu" or "torch"; a device other than the CPU is always torch's.
  /// `instead`: who measures the CPU where the usual one is not built; "": nobody.
  explicit ProbeOptions(std::string usual = "torch", std::string instead = "")
      : usual_(std::move(usual)), instead_(std::move(instead)) {}

  void declare(Parameters& parameters);
  /// A session with that probe: not started yet, its progress shown on standard error, ended by Ctrl-C. An error where
  /// the program is not there.
  Result<std::unique_ptr<probe::Session>> open() const;

  const std::string& device() const { return device_; }
  Nanos silence() const { return silence_; }
  /// 0: the probe's own default.
  std::size_t threads() const { return threads_; }
  /// A request about the device, with `threads` where it was given.
  probe::Request request(std::string ask, json::object params) const;

 private:
  Result<std::vector<std::string>> words() const;

  std::string usual_, instead_, probe_, device_ = "cpu";
  std::vector<std::string> load_;
  std::size_t threads_ = 0;
  Nanos silence_ = std::chrono::seconds(120);
};

/// The path of an executable that is built with this one: beside it, else in PATH. An error says how to come by it.
Result<std::string> sibling(const std::string& name);

}  // namespace scoville::cli
