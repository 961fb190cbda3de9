#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "numerics/baseline.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::correctness {

/// Which operators ran on the host while a part of the model was computed on the device: nested copies to the CPU
/// within an operator whose inputs are on the device (docs/method.md, "Fallback").
class HostWatch {
 public:
  explicit HostWatch(c10::Device device) : device_(device) {}

  /// Runs the work and keeps what was seen under the part's name.
  at::Tensor watch(const std::string& part, const std::function<at::Tensor()>& work);
  /// Once for each part and operator, in the order in which they were first seen.
  std::vector<numerics::HostRun> runs() const { return runs_; }

 private:
  void note(const std::string& part, const std::string& op, std::size_t times);

  c10::Device device_;
  std::vector<numerics::HostRun> runs_;
};

}  // namespace scoville::torch_probe::correctness
