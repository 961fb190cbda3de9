#include "named_call.hpp"

#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

c10::OperatorHandle find(const std::string& name, const std::string& overload) {
  const auto found = c10::Dispatcher::singleton().findSchema({name, overload});
  if (found) return *found;
  const std::string full = overload.empty() ? name : name + "." + overload;
  throw Trouble(probe::Reason::absent_in_torch, "torch " TORCH_VERSION " has no " + full);
}

}  // namespace

bool has_operator(const std::string& name, const std::string& overload) {
  return c10::Dispatcher::singleton().findSchema({name, overload}).has_value();
}

NamedCall::NamedCall(const std::string& name, const std::string& overload, Values arguments, const NamedValues& named)
    : operator_(find(name, overload)), arguments_(std::move(arguments)) {
  operator_.schema().checkAndNormalizeInputs(arguments_, named);
}

Values NamedCall::operator()() const {
  Values stack = arguments_;
  operator_.callBoxed(&stack);
  return stack;
}

}  // namespace scoville::torch_probe
