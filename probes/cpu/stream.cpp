#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "arrays.hpp"
#include "asked.hpp"
#include "handlers.hpp"
#include "machine.hpp"
#include "stream_kernels.hpp"
#include "threads.hpp"

namespace scoville::cpu_probe {
namespace {

using probe::Fault;
using probe::Reason;

constexpr double kScale = 0.4;
enum class Operation { copy, mul, add, triad, read, write };
constexpr std::array<std::string_view, 6> kNames{"copy", "mul", "add", "triad", "read", "write"};
constexpr std::array<std::size_t, 6> kMoved{2, 2, 3, 3, 1, 1};  // arrays, as STREAM counts

Operation operation_named(const std::string& name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) throw std::invalid_argument("operations: copy, mul, add, triad, read or write expected");
  return static_cast<Operation>(found - kNames.begin());
}

/// Three arrays, each thread's part of them first written by that thread.
class Stream {
 public:
  Stream(std::size_t bytes, int threads)
      : count_(std::max<std::size_t>(8, bytes / sizeof(double) / 8 * 8)),
        threads_(threads),
        to_(make_array<double>(count_)),
        one_(make_array<double>(count_)),
        other_(make_array<double>(count_)),
        sums_(static_cast<std::size_t>(threads) * kApart) {
#pragma omp parallel num_threads(threads_)
    {
      const Part part = mine();
      for (std::size_t i = part.from; i < part.from + part.count; ++i) {
        to_[i] = -1;
        one_[i] = one_at(i);
        other_[i] = other_at(i);
      }
    }
  }

  std::size_t bytes() const { return count_ * sizeof(double); }

  /// `passes` passes by all threads, which wait for each other at the end only.
  void run(Operation operation, bool is_non_temporal, std::size_t passes) {
    const StreamKernels& kernels = stream_kernels();
#pragma omp parallel num_threads(threads_)
    {
      const Part part = mine();
      for (std::size_t i = 0; i < passes; ++i) pass(kernels, operation, is_non_temporal, part);
    }
  }

  /// Whether the last run left what it had to.
  bool is_right(Operation operation) const {
    if (operation == Operation::read) return is_sum_right();
    bool all = true;
#pragma omp parallel for num_threads(threads_) reduction(&& : all)
    for (std::size_t i = 0; i < count_; ++i) {
      const double expected = expected_at(operation, i);
      all = all && std::abs(to_[i] - expected) <= 1e-14 * std::abs(expected);
    }
    return all;
  }

 private:
  static constexpr std::size_t kApart = 8;  // sums of two threads share no line
  struct Part {
    std::size_t from, count;
  };

  static double one_at(std::size_t i) { return 1 + static_cast<double>(i % 1021) / 1024; }
  static double other_at(std::size_t i) { return 2 + static_cast<double>(i % 1019) / 1024; }
  static double expected_at(Operation operation, std::size_t i) {
    switch (operation) {
      case Operation::copy:
        return one_at(i);
      case Operation::mul:
        return kScale * one_at(i);
      case Operation::add:
        return one_at(i) + other_at(i);
      case Operation::triad:
        return one_at(i) + kScale * other_at(i);
      default:
        return kScale;
    }
  }

  bool is_sum_right() const {
    double expected = 0, got = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : expected)
    for (std::size_t i = 0; i < count_; ++i) expected += one_at(i);
    for (int i = 0; i < threads_; ++i) got += sums_[static_cast<std::size_t>(i) * kApart];
    return std::abs(got - expected) <= 1e-9 * expected;
  }

  Part mine() const {
    const auto all = static_cast<std::size_t>(omp_get_num_threads()),
               me = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t lines = count_ / 8;
    const std::size_t from = lines * me / all, to = lines * (me + 1) / all;
    return {from * 8, (to - from) * 8};
  }

  void pass(const StreamKernels& kernels, Operation operation, bool is_non_temporal, const Part& part) {
    double* const to = to_.get() + part.from;
    const double* const one = one_.get() + part.from;
    const double* const other = other_.get() + part.from;
    switch (operation) {
      case Operation::copy:
        return kernels.copy[is_non_temporal](to, one, part.count);
      case Operation::mul:
        return kernels.mul[is_non_temporal](to, one, kScale, part.count);
      case Operation::add:
        return kernels.add[is_non_temporal](to, one, other, part.count);
      case Operation::triad:
        return kernels.triad[is_non_temporal](to, one, other, kScale, part.count);
      case Operation::read:
        sums_[static_cast<std::size_t>(omp_get_thread_num()) * kApart] = kernels.read(one, part.count);
        return;
      case Operation::write:
        return kernels.write[is_non_temporal](to, kScale, part.count);
    }
  }

  std::size_t count_;
  int threads_;
  Array<double> to_, one_, other_;
  std::vector<double> sums_;
};

/// Passes of one call: so many that meeting at its end costs next to nothing.
std::size_t passes_for(std::size_t bytes) {
  constexpr std::size_t kEnough = 16 << 20;
  return std::clamp<std::size_t>(kEnough / std::max<std::size_t>(1, bytes), 1, 4096);
}

struct Point {
  Operation operation;
  bool is_non_temporal;
};

json::object measured(Stream& stream, const Point& point, const AskedTiming& timing, const Threads& threads) {
  const std::string_view name = kNames[static_cast<std::size_t>(point.operation)];
  json::object row{{"operation", std::string(name)},
                   {"stores", point.is_non_temporal ? "non_temporal" : "regular"},
                   {"array_bytes", stream.bytes()},
                   {"moved_bytes", kMoved[static_cast<std::size_t>(point.operation)] * stream.bytes()},
                   {"kernel", stream_kernels().isa}};
  put_threads(row, threads);
  const std::size_t passes = passes_for(stream.bytes());
  stream.run(Operation::write, false, 1);
  put_times(row, {[&] { stream.run(point.operation, point.is_non_temporal, passes); }}, timing,
            static_cast<double>(passes));
  row["checked"] = stream.is_right(point.operation);
  if (!stream.is_right(point.operation)) {
    row["fault"] = {{"reason", std::string(name_of(Reason::wrong_result))},
                    {"message", std::string(name) + " left other values than it had to"}};
  }
  return row;
}

std::vector<Point> points_of(const probe::Question& question) {
  std::vector<bool> stores;
  for (const std::string& name : asked_words(question, "stores", {"regular", "non_temporal"})) {
    if (name != "regular" && name != "non_temporal")
      throw std::invalid_argument("stores: regular or non_temporal expected");
    stores.push_back(name == "non_temporal");
  }
  std::vector<Point> points;
  for (const std::string& name : asked_words(question, "operations", {kNames.begin(), kNames.end()})) {
    const Operation operation = operation_named(name);
    for (const bool is_non_temporal : stores) {
      const bool stores_nothing = operation == Operation::read;
      if (is_non_temporal && (stores_nothing || !stream_kernels().has_non_temporal)) continue;
      points.push_back({operation, is_non_temporal});
    }
  }
  return points;
}

}  // namespace

const StreamKernels& stream_kernels() {
  static const StreamKernels kBest = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return stream_kernels_avx512();
    if (__builtin_cpu_supports("avx")) return stream_kernels_avx();
#endif
    return stream_kernels_base();
  }();
  return kBest;
}

probe::Answer bandwidth(const probe::Question& question, probe::Speaker& speaker) {
  const Threads threads = use_threads(question);
  const AskedTiming timing = asked_timing(question);
  const std::vector<std::size_t> sizes = asked_sizes(question, "bytes", {4 * machine().last_cache_bytes()});
  const std::vector<Point> points = points_of(question);
  std::size_t done = 0;
  for (const std::size_t bytes : sizes) {
    const std::size_t room = memory_room().bytes;
    if (3 * bytes + memory_reserve(room) > room) {
      return Fault{Reason::oom, std::to_string(3 * bytes) + " bytes are asked for, " + std::to_string(room) +
                                    " are available, of which a part is left alone"};
    }
    Stream stream(bytes, threads.count);
    for (const Point& point : points) {
      speaker.progress(done++, sizes.size() * points.size(),
                       std::string(kNames[static_cast<std::size_t>(point.operation)]));
      speaker.row(measured(stream, point, timing, threads));
    }
  }
  return json::object{};
}

}  // namespace scoville::cpu_probe
