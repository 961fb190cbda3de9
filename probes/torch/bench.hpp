#pragma once

#include <functional>
#include <string>
#include <vector>

#include "devices.hpp"
#include "probe/host.hpp"
#include "probe/timing.hpp"

namespace scoville::torch_probe {

// Parts of a request's parameters. Throw std::invalid_argument where they are of another kind.
std::vector<json::object> objects_in(const probe::Question& question, std::string_view key);
std::vector<std::string> texts_in(const probe::Question& question, std::string_view key,
                                  std::vector<std::string> usual);
std::vector<std::int64_t> sizes_in(const probe::Question& question, std::string_view key,
                                   std::vector<std::int64_t> usual);
/// A whole number of one shape, at least 1.
std::int64_t size_in(const json::object& shape, std::string_view key, std::int64_t fallback = 0);
json::value label_of(const json::object& shape);

/// What all questions share: the device, the threads, how it is timed. Takes `threads`, `seed` and `timing` out of the
/// request.
class Bench {
 public:
  /// Sets torch's threads. Throws Trouble (no_device) where there is no such device.
  explicit Bench(const probe::Question& question);

  const c10::Device& device() const { return device_; }
  std::uint64_t seed() const { return seed_; }
  int threads() const { return threads_; }
  probe::TimingPlan plan(probe::Heat heat = probe::Heat::hot) const;

  /// All queued work is done. `watched`: a lazy device computes it only when it is looked at.
  void synchronise(const at::Tensor& watched = {}) const;
  /// Puts "hot", and "cold" where it was asked for, into `row`. `watched`: as above.
  void time(const std::function<void()>& call, const at::Tensor& watched, json::object& row);
  /// "threads", and what is to be said of them.
  void note_threads(json::object& row) const;

 private:
  void flush();

  c10::Device device_;
  json::object timing_;
  std::uint64_t seed_;
  int threads_;
  bool is_oversubscribed_ = false, is_cold_wanted_ = false;
  at::Tensor ballast_;  ///< larger than any cache; written to make caches cold
};

/// Runs `measure` on a row that says what is measured; a failure becomes the row's "fault". Either way the row is told.
/// A std::invalid_argument is the request's fault and goes through.
void tell(probe::Speaker& speaker, json::object row, const std::function<void(json::object&)>& measure);

}  // namespace scoville::torch_probe
