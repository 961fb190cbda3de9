#include "observer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <string_view>

namespace scoville::torch_probe {
namespace {

std::atomic<Observer*> watching = nullptr;

/// The records open on this thread, outermost first.
struct Open {
  const char* name;
  bool is_on_device;  ///< it, or one around it, had inputs on the device
  bool is_counted;    ///< it, or one around it, is a call that counted, or a copy that somebody asked for
};
constexpr std::size_t kDeepest = 256;  // deeper ones are not looked at
struct Stack {
  std::array<Open, kDeepest> open;
  std::size_t depth = 0;
};
thread_local Stack stack;

enum class Sort { other, to_cpu, copy, copy_from, copy_back, item };

Sort sort_of(const char* name) {
  if (std::strncmp(name, "aten::", 6) != 0) return Sort::other;
  const std::string_view rest(name + 6);
  if (rest.empty() || (rest[0] != '_' && rest[0] != 'c')) return Sort::other;
  if (rest == "copy_") return Sort::copy;
  if (rest == "_to_cpu") return Sort::to_cpu;
  if (rest == "_copy_from") return Sort::copy_from;
  if (rest == "_copy_from_and_resize") return Sort::copy_back;
  if (rest == "_local_scalar_dense") return Sort::item;
  return Sort::other;
}

bool is_on(const at::Tensor& tensor, c10::DeviceType device) {
  return tensor.defined() && tensor.device().type() == device;
}

/// Bytes of the tensors among the inputs that are on the device; -1: none is.
std::int64_t bytes_on(c10::ArrayRef<const c10::IValue> inputs, c10::DeviceType device, bool stops_at_first) {
  std::int64_t bytes = -1;
  const auto add = [&](const at::Tensor& tensor) {
    if (is_on(tensor, device)) bytes = std::max<std::int64_t>(bytes, 0) + static_cast<std::int64_t>(tensor.nbytes());
  };
  for (const c10::IValue& input : inputs) {
    if (input.isTensor()) {
      add(input.toTensor());
    } else if (input.isTensorList()) {
      for (const at::Tensor& each : input.toTensorVector()) add(each);
    } else if (input.isOptionalTensorList()) {
      for (const auto& each : input.toOptionalTensorVector()) {
        if (each) add(*each);
      }
    }
    if (stops_at_first && bytes >= 0) break;
  }
  return bytes;
}

/// Is input `from` on the device and input `to` on the CPU?
bool goes_to_host(c10::ArrayRef<const c10::IValue> inputs, std::size_t from, std::size_t to, c10::DeviceType device) {
  if (inputs.size() < 2 || !inputs[from].isTensor() || !inputs[to].isTensor()) return false;
  return is_on(inputs[from].toTensor(), device) && is_on(inputs[to].toTensor(), c10::DeviceType::CPU);
}

/// Bytes that this call brings to the CPU; -1: it is no such call.
std::int64_t bytes_to_host(Sort sort, c10::ArrayRef<const c10::IValue> inputs, c10::DeviceType device) {
  switch (sort) {
    case Sort::other:
      return -1;
    case Sort::to_cpu:
      return bytes_on(inputs, device, false);
    case Sort::copy:
      return goes_to_host(inputs, 1, 0, device) ? bytes_on(inputs, device, false) : -1;
    case Sort::copy_from:
      return goes_to_host(inputs, 0, 1, device) ? bytes_on(inputs, device, false) : -1;
    case Sort::copy_back:
      return goes_to_host(inputs, 1, 0, device) ? 0 : -1;  // a result on its way back
    case Sort::item:
      return !inputs.empty() && inputs[0].isTensor() && is_on(inputs[0].toTensor(), device)
                 ? static_cast<std::int64_t>(inputs[0].toTensor().element_size())
                 : -1;
  }
  return -1;
}

/// The outermost operator that had inputs on the device.
const char* outermost() {
  for (std::size_t i = 0; i < stack.depth; ++i) {
    if (stack.open[i].is_on_device) return stack.open[i].name;
  }
  return "";
}

std::unique_ptr<at::ObserverContext> began(const at::RecordFunction& record) {
  Observer* const observer = watching.load(std::memory_order_relaxed);
  const std::size_t place = stack.depth++;
  if (!observer || place >= kDeepest) return nullptr;
  observer->count();
  const Open around = place ? stack.open[place - 1] : Open{"", false, false};
  Open& own = stack.open[place];
  own = {record.name(), around.is_on_device, around.is_counted};
  if (!own.is_on_device) own.is_on_device = bytes_on(record.inputs(), observer->device(), true) >= 0;
  const Sort sort = sort_of(own.name);
  if (sort == Sort::other || own.is_counted) return nullptr;
  const std::int64_t bytes = bytes_to_host(sort, record.inputs(), observer->device());
  if (bytes < 0) return nullptr;
  own.is_counted = true;
  if (around.is_on_device) observer->note(own.name, outermost(), bytes);
  return nullptr;
}

void ended(const at::RecordFunction&, at::ObserverContext*) {
  if (stack.depth > 0) --stack.depth;
}

}  // namespace

Observer::Observer(c10::DeviceType device) : device_(device) {
  stack.depth = 0;
  watching = this;
  handle_ = at::addGlobalCallback(at::RecordFunctionCallback(began, ended)
                                      .needsInputs(true)
                                      .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

Observer::~Observer() {
  at::removeCallback(handle_);
  watching = nullptr;
}

std::vector<HostCall> Observer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void Observer::note(const char* call, const char* inside, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  for (HostCall& one : seen_) {
    if (one.call != call || one.inside != inside) continue;
    one.bytes += bytes;
    ++one.calls;
    return;
  }
  seen_.push_back({call, inside, bytes, 1});
}

}  // namespace scoville::torch_probe
