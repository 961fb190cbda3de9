#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "shim.hpp"

namespace scoville::torch_probe {

using Values = std::vector<c10::IValue>;
using NamedValues = std::unordered_map<std::string, c10::IValue>;

bool has_operator(const std::string& name, const std::string& overload = "");

/// A call of an ATen operator by its name: what this build of torch lacks is found out while running, and a signature
/// that changed between versions is met by naming the arguments.
///
/// Arguments are settled once, so that a call that is timed costs what the dispatcher costs.
class NamedCall {
 public:
  /// Throws Trouble (absent_in_torch) where there is no such operator, c10::Error where it does not take these.
  NamedCall(const std::string& name, const std::string& overload, Values arguments, const NamedValues& named = {});

  /// What it returns. Throws what torch throws.
  Values operator()() const;
  /// The first of them, where it is a tensor.
  at::Tensor tensor() const { return (*this)().at(0).toTensor(); }

 private:
  c10::OperatorHandle operator_;
  Values arguments_;
};

}  // namespace scoville::torch_probe
