#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "shim.hpp"

namespace scoville::torch_probe {

/// A call that brought tensors of the device to the CPU from within an operator.
struct HostCall {
  std::string call;    ///< "aten::_to_cpu"
  std::string inside;  ///< the outermost operator around it whose inputs were on the device
  std::int64_t bytes = 0;
  std::int64_t calls = 0;
};

/// Watches the dispatcher while it lives: what do operators with inputs on the device bring to the CPU by themselves?
///
/// A backend that lacks a kernel has torch's cpu_fallback compute it on the CPU, and everything looks fine but for the
/// time. That function, the one that MPS, XPU, Ascend and XLA call, copies its arguments by `aten::_to_cpu` and results
/// of out= variants by `aten::_copy_from_and_resize`; the CPU's kernel itself is not recorded. So these calls, and
/// copies from the device, count when they are nested in an operator that had inputs on the device. A nested operator
/// of the same name is no sign: backends implement operators by others. Copies within a call that counted already do
/// not count again.
///
/// One at a time; costs well under 2 µs an operator (bench/torch_observer.cpp). Calls from any thread are seen: the
/// backward direction of a device runs on a thread of its own.
class Observer {
 public:
  explicit Observer(c10::DeviceType device);
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// What was seen so far; the same call in the same operator is one entry.
  std::vector<HostCall> seen() const;
  std::uint64_t calls() const { return calls_; }

  c10::DeviceType device() const { return device_; }
  void note(const char* call, const char* inside, std::int64_t bytes);
  void count() { ++calls_; }

 private:
  c10::DeviceType device_;
  at::CallbackHandle handle_;
  std::atomic<std::uint64_t> calls_ = 0;
  mutable std::mutex mutex_;
  std::vector<HostCall> seen_;
};

}  // namespace scoville::torch_probe
