#include "trace/links.hpp"

#include <algorithm>
#include <limits>

namespace scoville::trace {
namespace {

constexpr std::uint64_t kLongest = std::uint64_t{1} << 62;

/// Kind, direction and bytes of device work in one number.
std::uint64_t code_of(const DeviceWork& work) {
  const std::uint64_t bytes = std::min<std::uint64_t>(work.bytes, 1 << 20);
  return bytes << 3 | static_cast<std::uint64_t>(work.is_to_host) << 2 | static_cast<std::uint64_t>(work.work);
}
bool is_to_host(std::uint64_t code) { return (code & 4) != 0; }
std::uint64_t bytes_of(std::uint64_t code) { return code >> 3; }
bool is_kernel(std::uint64_t code) { return (code & 3) != static_cast<std::uint64_t>(Work::memory); }

/// What the sweep asks of a name, answered once a name.
struct NameRole {
  bool moves_to_cpu = false, copies = false, reads = false;
};

/// A call of an operator that is not over yet.
struct Open {
  std::uint32_t name = 0;
  std::int64_t begin = 0, end = 0, in_children = 0, device_total = 0, device_self = 0;
  std::uint64_t kernels = 0;
  bool moved_to_cpu = false, copied_to_host = false;
};

/// One host thread after the other, from its first event to its last.
class Sweep {
 public:
  Sweep(const Names& names, const Rules& rules, DeviceTime& time, Links::Sums& sums)
      : rules_(rules), time_(time), sums_(sums), roles_(names.size()) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const std::string name = names.text(i);
      roles_[i] = {rules.moves_to_cpu(name), rules.copies_on_purpose(name), rules.reads_scalars(name)};
    }
  }

  void leave_lane() {
    while (!stack_.empty()) close();
    busy_until_ = std::numeric_limits<std::int64_t>::min();
  }
  void close_until(std::int64_t at) {
    while (!stack_.empty() && stack_.back().end <= at) close();
  }

  void host(std::int64_t begin, std::int64_t length, bool is_runtime, std::uint32_t name) {
    close_until(begin);
    if (begin + length > busy_until_) {
      time_.add_host(begin, length);
      busy_until_ = begin + length;
    }
    if (is_runtime) return;
    if (!stack_.empty()) {
      stack_.back().in_children += std::min(begin + length, stack_.back().end) - begin;
      if (roles_[name].moves_to_cpu) stack_.back().moved_to_cpu = true;
    }
    Open call;
    call.name = name;
    call.begin = begin;
    call.end = begin + length;
    stack_.push_back(call);
  }

  void work(std::int64_t at, std::uint32_t name, std::int64_t length, std::uint64_t code) {
    while (!stack_.empty() && stack_.back().end < at) close();
    if (stack_.empty()) {
      KernelSum& sum = sums_.unlinked[name];
      ++sum.calls;
      sum.time += length;
      return;
    }
    for (Open& each : stack_) {
      each.device_total += length;
      if (is_kernel(code)) ++each.kernels;
    }
    stack_.back().device_self += length;
    KernelSum& sum = sums_.operators[stack_.back().name].kernels[name];
    ++sum.calls;
    sum.time += length;
    if (is_to_host(code)) blame(bytes_of(code));
  }

 private:
  /// A copy to the host is laid to the innermost operator that is no copy itself.
  void blame(std::uint64_t bytes) {
    const auto found =
        std::find_if(stack_.rbegin(), stack_.rend(), [&](const Open& each) { return !roles_[each.name].copies; });
    if (found == stack_.rend()) return;
    // bytes 0: the trace does not say how many; a read of scalars gets the benefit of the doubt
    const bool is_read = roles_[found->name].reads && bytes <= rules_.scalar_bytes();
    if (!is_read) found->copied_to_host = true;
  }

  void close() {
    const Open call = stack_.back();
    stack_.pop_back();
    OperatorSum& sum = sums_.operators[call.name];
    ++sum.calls;
    const std::int64_t length = call.end - call.begin;
    const bool is_recursive =
        std::any_of(stack_.begin(), stack_.end(), [&](const Open& each) { return each.name == call.name; });
    if (!is_recursive) {
      sum.host_total += length;
      sum.device_total += call.device_total;
    }
    sum.host_self += std::max<std::int64_t>(0, length - call.in_children);
    sum.device_self += call.device_self;
    if (call.kernels > 0) ++sum.calls_with_kernel;
    const bool fell_back = call.moved_to_cpu || (call.copied_to_host && call.kernels == 0);
    if (!fell_back) return;
    ++(call.moved_to_cpu ? sum.moved_to_cpu : sum.copied_to_host);
    sum.fallback_time += length;
  }

  const Rules& rules_;
  DeviceTime& time_;
  Links::Sums& sums_;
  std::vector<NameRole> roles_;
  std::vector<Open> stack_;
  std::int64_t busy_until_ = std::numeric_limits<std::int64_t>::min();
};

std::int64_t as_time(std::uint64_t key) { return static_cast<std::int64_t>(key - kTraceZero); }

}  // namespace

void Links::add_operator(std::uint32_t lane, std::int64_t begin, std::int64_t length, std::uint32_t name,
                         std::optional<std::uint64_t> external_id) {
  host_.add({lane, as_key(begin), kLongest - static_cast<std::uint64_t>(length), 0, name});
  if (external_id) by_external_id_.add({*external_id, 0, lane, as_key(begin), 0, 0});
}

void Links::add_runtime(std::uint32_t lane, std::int64_t begin, std::int64_t length,
                        std::optional<std::uint64_t> correlation) {
  host_.add({lane, as_key(begin), kLongest - static_cast<std::uint64_t>(length), 1, 0});
  if (correlation) by_correlation_.add({*correlation, 0, lane, as_key(begin), 0, 0});
}

void Links::add_work(const DeviceWork& work, std::optional<std::uint64_t> external_id,
                     std::optional<std::uint64_t> correlation) {
  const std::uint64_t length = static_cast<std::uint64_t>(work.length);
  if (external_id && *external_id != 0) {
    by_external_id_.add({*external_id, 1, work.name, length, code_of(work), correlation ? *correlation + 1 : 0});
  } else if (correlation) {
    by_correlation_.add({*correlation, 1, work.name, length, code_of(work), 0});
  } else {
    add_unlinked(work.name, work.length);
  }
}

void Links::add_unlinked(std::uint32_t name, std::int64_t length) {
  KernelSum& sum = sums_.unlinked[name];
  ++sum.calls;
  sum.time += length;
}

void Links::add_work_at(const DeviceWork& work, std::uint32_t lane, std::int64_t begin) {
  points_.add({lane, as_key(begin), 1, work.name, static_cast<std::uint64_t>(work.length), code_of(work)});
}

void Links::add_flow_start(std::uint64_t id, std::uint32_t lane, std::int64_t at) {
  by_flow_.add({id, 0, lane, as_key(at), 0, 0});
}

void Links::add_flow_end(std::uint64_t id, std::uint32_t lane, std::int64_t at) {
  points_.add({lane, as_key(at), 0, id, 0, 0});
}

/// Work at the point where a flow ends belongs to that flow.
void Links::follow_flows() {
  points_.close();
  SortedRuns<6>::Reader reader(points_);
  std::uint64_t lane = 0, begin = 0, flow = 0;
  bool has_flow = false;
  while (const SortedRuns<6>::Record* const point = reader.next()) {
    const auto& record = *point;
    if (record[0] != lane || record[1] != begin) has_flow = false;
    lane = record[0];
    begin = record[1];
    if (record[2] == 0) {
      flow = record[3];
      has_flow = true;
    } else {
      by_flow_.add({has_flow ? flow : ~std::uint64_t{0}, 1, record[3], record[4], record[5], 0});
    }
  }
  points_.clear();
}

/// Work finds the place with its id; what finds none is tried again in `unresolved`, or is nobody's.
void Links::join(Joined& list, Joined* unresolved) {
  list.close();
  Joined::Reader reader(list);
  std::uint64_t id = 0, lane = 0, begin = 0;
  bool has_place = false;
  while (const Joined::Record* const found = reader.next()) {
    const auto& record = *found;
    if (record[0] != id) has_place = false;
    id = record[0];
    if (record[1] == 0) {
      lane = record[2];
      begin = record[3];
      has_place = true;
    } else if (has_place) {
      placed_.add({lane, begin, record[2], record[3], record[4]});
    } else if (unresolved && record[5] != 0) {
      unresolved->add({record[5] - 1, 1, record[2], record[3], record[4], 0});
    } else {
      add_unlinked(static_cast<std::uint32_t>(record[2]), static_cast<std::int64_t>(record[3]));
    }
  }
  list.clear();
}

void Links::sweep(const Names& names, const Rules& rules, DeviceTime& time) {
  host_.close();
  placed_.close();
  Sweep sweep(names, rules, time, sums_);
  SortedRuns<5>::Reader host_reader(host_), work_reader(placed_);
  const SortedRuns<5>::Record* host = host_reader.next();
  const SortedRuns<5>::Record* work = work_reader.next();
  std::uint64_t lane = 0;
  while (host || work) {
    // at the same instant the operator opens first
    const bool is_host =
        host && (!work || (*host)[0] < (*work)[0] || ((*host)[0] == (*work)[0] && (*host)[1] <= (*work)[1]));
    const SortedRuns<5>::Record& record = is_host ? *host : *work;
    if (record[0] != lane) sweep.leave_lane();
    lane = record[0];
    if (is_host) {
      sweep.host(as_time(record[1]), static_cast<std::int64_t>(kLongest - record[2]), record[3] == 1,
                 static_cast<std::uint32_t>(record[4]));
      host = host_reader.next();
    } else {
      sweep.work(as_time(record[1]), static_cast<std::uint32_t>(record[2]), static_cast<std::int64_t>(record[3]),
                 record[4]);
      work = work_reader.next();
    }
  }
  sweep.leave_lane();
}

Links::Sums Links::solve(const Names& names, const Rules& rules, DeviceTime& time) {
  follow_flows();
  join(by_external_id_, &by_correlation_);
  join(by_flow_, nullptr);
  join(by_correlation_, nullptr);
  sweep(names, rules, time);
  return std::move(sums_);
}

}  // namespace scoville::trace
