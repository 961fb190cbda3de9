#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "handlers.hpp"
#include "machine.hpp"

namespace scoville::cpu_probe {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPiece = 64 << 20;

/// Anonymous memory, given back with it.
class Piece {
 public:
  explicit Piece(std::size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  Piece(Piece&& other) noexcept : bytes_(other.bytes_), memory_(std::exchange(other.memory_, MAP_FAILED)) {}
  Piece& operator=(Piece&&) = delete;
  ~Piece() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }

  /// Writes to every page, looking again every 64 MiB at what room is left: others take memory, too. Returns the bytes
  /// touched.
  std::size_t touch(std::size_t reserve, const std::function<void()>& alive) {
    if (memory_ == MAP_FAILED) return 0;
    auto* const bytes = static_cast<volatile char*>(memory_);
    for (std::size_t from = 0; from < bytes_; from += kPiece) {
      if (memory_room().bytes < reserve + kPiece) return from;
      const std::size_t to = std::min(bytes_, from + kPiece);
      for (std::size_t at = from; at < to; at += kPage) bytes[at] = 1;
      alive();
    }
    return bytes_;
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace

/// Never past what would make the machine kill somebody: not MemAvailable, not the control group's rest, less a
/// reserve.
probe::Answer capacity(const probe::Question& question, probe::Speaker& speaker) {
  const Room room = memory_room();
  const auto reserve = static_cast<std::size_t>(
      std::max(question.number("reserve_bytes", 0), static_cast<double>(memory_reserve(room.bytes))));
  const double most = question.number("most_bytes", 1e18);
  const std::size_t free = room.bytes > reserve ? room.bytes - reserve : 0;
  const bool is_asked = most < static_cast<double>(free);
  const std::size_t budget = (is_asked ? static_cast<std::size_t>(std::max(0.0, most)) : free) / kPage * kPage;
  const std::size_t step = std::max(kPiece, static_cast<std::size_t>(question.number("step_bytes", 512 << 20)));
  std::size_t touched = 0, largest = 0, total = 0;
  const auto alive = [&] { speaker.progress(touched += kPiece, 2 * budget, "memory"); };
  if (budget > 0) largest = Piece(budget).touch(reserve, alive);
  std::vector<Piece> pieces;
  while (total < budget) {
    pieces.emplace_back(std::min(step, budget - total));
    const std::size_t got = pieces.back().touch(reserve, alive);
    total += got;
    if (got < step) break;
  }
  return json::object{{"nominal_bytes", machine().memory_bytes},
                      {"free_before_bytes", room.bytes},
                      {"reserve_bytes", reserve},
                      {"largest_single_bytes", largest},
                      {"total_bytes", total},
                      {"pieces", pieces.size()},
                      {"touched", true},
                      {"limit", is_asked           ? "asked"
                                : room.is_by_group ? "cgroup"
                                                   : "available"}};
}

}  // namespace scoville::cpu_probe
