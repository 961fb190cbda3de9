#include "correctness/host_watch.hpp"

#include "observer.hpp"

namespace scoville::torch_probe::correctness {

at::Tensor HostWatch::watch(const std::string& part, const std::function<at::Tensor()>& work) {
  if (device_.is_cpu()) return work();  // there the host is the device
  const Observer observer(device_.type());
  at::Tensor out = work();
  for (const HostCall& each : observer.seen()) note(part, each.inside, static_cast<std::size_t>(each.calls));
  return out;
}

void HostWatch::note(const std::string& part, const std::string& op, std::size_t times) {
  for (numerics::HostRun& each : runs_) {
    if (each.part != part || each.op != op) continue;
    each.times += times;
    return;
  }
  runs_.push_back({part, op, times});
}

}  // namespace scoville::torch_probe::correctness
