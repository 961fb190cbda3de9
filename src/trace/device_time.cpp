#include "trace/device_time.hpp"

#include <algorithm>

namespace scoville::trace {
namespace {

/// The length of a union of intervals that come in the order of their begins.
class Union {
 public:
  void add(std::uint64_t begin, std::uint64_t length) {
    const std::uint64_t end = begin + length;
    if (end <= end_) return;
    total_ += end - std::max(begin, end_);
    end_ = end;
  }
  Nanos total() const { return Nanos(static_cast<std::int64_t>(total_)); }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0, total_ = 0;
};

}  // namespace

void DeviceTime::widen(std::int64_t begin, std::int64_t length) {
  first_ = is_empty_ ? begin : std::min(first_, begin);
  last_ = is_empty_ ? begin + length : std::max(last_, begin + length);
  is_empty_ = false;
}

void DeviceTime::add(std::uint32_t device, std::int64_t begin, std::int64_t length, Work work) {
  widen(begin, length);
  devices_ = std::max(devices_, device + 1);
  work_.add({device, as_key(begin), static_cast<std::uint64_t>(length) << 2 | static_cast<std::uint64_t>(work)});
}

void DeviceTime::add_host(std::int64_t begin, std::int64_t length) {
  widen(begin, length);
  host_.add({as_key(begin), static_cast<std::uint64_t>(length)});
}

void DeviceTime::close() {
  work_.close();
  host_.close();
}

DeviceTime::Device DeviceTime::swept(std::uint32_t device, SortedRuns<3>::Reader& work,
                                     const SortedRuns<3>::Record*& next) const {
  Device out;
  Union compute, communication, moving, busy, any;  // moving: compute or communication
  SortedRuns<2>::Reader host(host_);
  const SortedRuns<2>::Record* busy_host = host.next();
  std::uint64_t first = 0;
  const auto take_host = [&](std::uint64_t until) {
    for (; busy_host && (*busy_host)[0] <= until; busy_host = host.next()) any.add((*busy_host)[0], (*busy_host)[1]);
  };
  for (; next && (*next)[0] == device; next = work.next()) {
    const std::uint64_t begin = (*next)[1], length = (*next)[2] >> 2, kind = (*next)[2] & 3;
    take_host(begin);
    if (busy.end() == 0) first = begin;
    if (kind == static_cast<std::uint64_t>(Work::compute)) compute.add(begin, length);
    if (kind == static_cast<std::uint64_t>(Work::communication)) communication.add(begin, length);
    if (kind != static_cast<std::uint64_t>(Work::memory)) {
      moving.add(begin, length);
      out.kernel_time += Nanos(static_cast<std::int64_t>(length));
    }
    busy.add(begin, length);
    any.add(begin, length);
  }
  take_host(~std::uint64_t{0});
  out.busy = busy.total();
  out.gap = busy.end() == 0 ? Nanos(0) : Nanos(static_cast<std::int64_t>(busy.end() - first)) - busy.total();
  out.compute = compute.total();
  out.communication = moving.total() - compute.total();
  out.memory = busy.total() - moving.total();
  out.host = any.total() - busy.total();
  out.hidden_communication = communication.total() - out.communication;
  return out;
}

DeviceTime::Sums DeviceTime::sums() const {
  Sums out;
  out.span = Nanos(last_ - first_);
  SortedRuns<3>::Reader work(work_);
  const SortedRuns<3>::Record* next = work.next();
  for (std::uint32_t device = 0; device < devices_; ++device) out.devices.push_back(swept(device, work, next));
  return out;
}

std::optional<StepShares> DeviceTime::Sums::shares() const {
  if (devices.empty() || span.count() <= 0) return std::nullopt;
  const double whole = to_seconds(span) * static_cast<double>(devices.size());
  StepShares out;
  for (const Device& each : devices) {
    out.compute += to_seconds(each.compute) / whole;
    out.communication += to_seconds(each.communication) / whole;
    out.memory += to_seconds(each.memory) / whole;
    out.host += to_seconds(each.host) / whole;
    out.hidden_communication += to_seconds(each.hidden_communication) / whole;
  }
  out.idle = std::max(0.0, 1 - out.compute - out.communication - out.memory - out.host);
  return out;
}

}  // namespace scoville::trace
