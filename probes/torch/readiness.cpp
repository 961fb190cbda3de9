#include "readiness.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "devices.hpp"
#include "explain.hpp"

namespace scoville::torch_probe {
namespace {

constexpr std::int64_t kElements = 1 << 20;

/// What a step saw; throws where the device could not do it. False: it did, and it is wrong.
struct Seen {
  bool is_right = true;
  std::string evidence;
};

void tell(probe::Speaker& speaker, const char* check, const char* verdict, const std::string& evidence,
          const json::value& version = nullptr) {
  speaker.row({{"check", check}, {"verdict", verdict}, {"evidence", evidence}, {"version", version}});
}

void step(probe::Speaker& speaker, const char* check, const std::function<Seen()>& action) {
  try {
    const Seen seen = action();
    tell(speaker, check, seen.is_right ? "yes" : "no", seen.evidence);
  } catch (const std::exception& thrown) {
    tell(speaker, check, "no", explain(thrown).message);
  }
}

/// 0, 1, 2 … on the CPU, exact in fp32.
at::Tensor ramp() { return at::arange(kElements, at::TensorOptions().dtype(at::kFloat)); }

/// Elements that differ from what is expected; both on the CPU.
std::int64_t wrong_elements(const at::Tensor& got, const at::Tensor& expected) {
  return at::ne(got, expected).sum().item<std::int64_t>();
}

Seen count(const c10::Device& device) {
  std::string why;
  const int found = count_of(device.type(), &why);
  return {found > std::max<int>(device.index(), 0),
          found > 0 ? std::to_string(found) + " of type " + c10::DeviceTypeName(device.type(), true) : why};
}

Seen synchronises(const c10::Device& device) {
  synchronise(device);
  return {true, device.is_cpu() ? "the CPU's operators end before they return" : "the current stream was waited for"};
}

Seen read_back(const at::Tensor& sum, const at::Tensor& expected) {
  const std::int64_t wrong = wrong_elements(sum.to(at::kCPU), expected);
  return {wrong == 0, std::to_string(kElements - wrong) + " of " + std::to_string(kElements) + " elements are right"};
}

}  // namespace

probe::Answer answer_readiness(const probe::Question& question, probe::Speaker& speaker) {
  const c10::Device device = device_named(question.device);
  const at::NoGradGuard no_gradients;
  step(speaker, "visible", [&]() -> Seen {
    std::string why;
    const bool is_there = count_of(device.type(), &why) > 0;
    return {is_there, is_there ? "torch reaches " + device.str() : why};
  });
  step(speaker, "count", [&] { return count(device); });
  at::Tensor on_device, sum;
  const at::Tensor host = ramp();
  step(speaker, "allocate", [&]() -> Seen {
    on_device = at::empty({kElements}, at::TensorOptions().dtype(at::kFloat).device(device));
    return {on_device.device().type() == device.type(), "4 MiB on " + on_device.device().str()};
  });
  step(speaker, "copy", [&]() -> Seen {
    if (!on_device.defined()) on_device = at::empty({kElements}, at::TensorOptions().dtype(at::kFloat).device(device));
    on_device.copy_(host);
    return {true, "4 MiB host to device"};
  });
  step(speaker, "add", [&]() -> Seen {
    sum = at::add(on_device, on_device);
    return {sum.device().type() == device.type(), "result on " + sum.device().str()};
  });
  step(speaker, "synchronise", [&] { return synchronises(device); });
  step(speaker, "read_back", [&]() -> Seen {
    if (!sum.defined()) return {false, "there is no result to read"};
    return read_back(sum, host * 2);
  });
  tell(speaker, "framework", "yes", "libtorch of scoville-torch", TORCH_VERSION);
  return json::object();
}

}  // namespace scoville::torch_probe
