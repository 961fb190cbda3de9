#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "arrays.hpp"
#include "asked.hpp"
#include "base/rng.hpp"
#include "handlers.hpp"
#include "threads.hpp"

namespace scoville::cpu_probe {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kStep = kLine / sizeof(void*);

/// Cache lines, each holding the address of the next of one cycle through all of them, in an order that no prefetcher
/// guesses.
class Chase {
 public:
  Chase(std::size_t bytes, std::uint64_t seed)
      : lines_(std::max<std::size_t>(2, bytes / kLine)), memory_(make_array<void*>(lines_ * kStep)) {
    is_huge_ = madvise(memory_.get(), lines_ * kLine, MADV_HUGEPAGE) == 0;
    std::vector<std::size_t> order(lines_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng random(seed);
    for (std::size_t i = lines_ - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (std::size_t i = 0; i < lines_; ++i) *line(order[i]) = line(order[(i + 1) % lines_]);
    at_ = line(order[0]);
  }

  void walk(std::size_t steps) {
    void** at = at_;
    for (std::size_t i = 0; i < steps; i += 8) {
      for (int j = 0; j < 8; ++j) at = static_cast<void**>(*at);
    }
    at_ = at;
    asm volatile("" : : "r"(at) : "memory");
  }
  std::size_t lines() const { return lines_; }
  /// Whether large pages were asked for, so that misses of the address cache do not hide those of the data caches.
  bool asks_for_huge_pages() const { return is_huge_; }

 private:
  void** line(std::size_t i) { return memory_.get() + i * kStep; }

  std::size_t lines_;
  Array<void*> memory_;
  void** at_ = nullptr;
  bool is_huge_ = false;
};

}  // namespace

probe::Answer latency(const probe::Question& question, probe::Speaker& speaker) {
  constexpr std::size_t kSteps = 1 << 14, kKept = 1 << 20;
  const AskedTiming timing = asked_timing(question);
  const std::vector<std::size_t> sizes =
      asked_sizes(question, "bytes",
                  {4 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20});
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    speaker.progress(i, sizes.size(), std::to_string(sizes[i]) + " bytes");
    Chase chase(sizes[i], static_cast<std::uint64_t>(question.number("seed", 1)));
    chase.walk(std::min(chase.lines(), kKept) / 8 * 8);
    json::object row{
        {"working_set_bytes", sizes[i]}, {"threads", 1}, {"huge_pages_asked", chase.asks_for_huge_pages()}};
    put_times(row, {[&] { chase.walk(kSteps); }}, timing, kSteps);
    speaker.row(std::move(row));
  }
  return json::object{};
}

}  // namespace scoville::cpu_probe
