#include <algorithm>
#include <cmath>
#include <functional>

#include "bench.hpp"
#include "cores.hpp"
#include "explain.hpp"
#include "questions.hpp"
#include "runtime.hpp"

namespace scoville::torch_probe {
namespace {

constexpr double kPiece = 1024.0 * 1024 * 1024, kGrain = 64.0 * 1024 * 1024;  // of the host; nearest that is looked for
constexpr std::int64_t kPage = 4096;

/// What may be taken at most, and what says so.
struct Bound {
  double bytes = 0;
  std::string limit;
};

/// Takes memory and gives it back, and tells out of memory from other failures.
class Taker {
 public:
  explicit Taker(const Bench& bench) : bench_(bench) {}

  /// `bytes` that were written to; undefined where the device has no room for them.
  at::Tensor take(double bytes) const {
    try {
      const auto size = static_cast<std::int64_t>(bytes);
      at::Tensor piece = at::empty({size}, at::TensorOptions().dtype(at::kByte).device(bench_.device()));
      touch(piece);
      return piece;
    } catch (const std::bad_alloc&) {
      return {};
    } catch (const std::exception& failure) {
      if (explain(failure).reason == probe::Reason::oom) return {};
      throw;
    }
  }
  bool can_take(double bytes) const { return take(bytes).defined(); }

 private:
  /// A byte of each page of the host; all of a device, whose pages are nobody's to know.
  void touch(const at::Tensor& piece) const {
    if (!piece.is_cpu()) {
      piece.fill_(1);
      piece[-1].item();
    } else {
      auto* const bytes = static_cast<char*>(piece.data_ptr());
      for (std::int64_t at = 0; at < piece.numel(); at += kPage) bytes[at] = 1;
    }
    bench_.synchronise();
  }

  const Bench& bench_;
};

/// Largest size that `can_take`, up to `most` and to one `grain`: by doubling from there, then by halves between.
double largest(const std::function<bool(double)>& can_take, double most, double grain) {
  double taken = 0, next = std::min(grain, most);
  while (next > taken && can_take(next)) {
    taken = next;
    next = std::min(2 * next, most);
  }
  for (double refused = next; refused - taken > grain;) {
    const double middle = std::floor((taken + refused) / 2);
    (can_take(middle) ? taken : refused) = middle;
  }
  return taken;
}

/// All the memory there is, in pieces that begin with `piece` and are halved where one no longer fits.
struct Total {
  double bytes = 0;
  std::vector<at::Tensor> pieces;
};
Total take_all(const Taker& taker, double piece, double most, double grain, probe::Speaker& speaker) {
  Total total;
  while (piece >= 1 && total.bytes < most) {
    const double size = std::min(piece, most - total.bytes);
    speaker.progress(static_cast<std::size_t>(total.bytes / 1e6), static_cast<std::size_t>(most / 1e6), "MB in pieces");
    if (at::Tensor taken = taker.take(size); taken.defined()) {
      total.bytes += size;
      total.pieces.push_back(std::move(taken));
    } else {
      if (piece / 2 < grain) break;
      piece = std::floor(piece / 2);
    }
  }
  return total;
}

/// On a host whoever takes the last byte is killed, or somebody else is: something is always left.
Bound bound_of_host(const probe::Question& question) {
  const Room room = memory_room();
  const double left = question.number("reserve_bytes", std::max(kPiece, 0.1 * room.bytes));
  return {std::max(0.0, room.bytes - left), room.from};
}

Bound bound_of(const probe::Question& question, const c10::Device& device, std::optional<double> nominal) {
  constexpr double kAny = 1e13;
  Bound bound = device.is_cpu() ? bound_of_host(question) : Bound{nominal ? 2 * *nominal : kAny, "allocator"};
  const double asked = question.number("most_bytes", 0);
  if (asked > 0 && asked < bound.bytes) bound = {asked, "asked"};
  return bound;
}

json::value number_or_null(const std::optional<double>& bytes) {
  return bytes ? json::value(static_cast<std::int64_t>(*bytes)) : json::value();
}

}  // namespace

probe::Answer capacity(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const c10::Device& device = bench.device();
  const std::optional<double> nominal = facts_of(device).memory;
  empty_cache(device);
  const std::optional<double> before = free_memory(device);
  const Bound bound = bound_of(question, device, nominal);
  const double grain = std::max(1.0, std::min(kGrain, bound.bytes / 256));
  const Taker taker(bench);

  const auto watched = [&](double bytes) {
    speaker.progress(0, 1, "one piece of " + std::to_string(static_cast<std::int64_t>(bytes / 1e6)) + " MB");
    return taker.can_take(bytes);
  };
  const bool takes_it_at_once = device.is_cpu() && watched(bound.bytes);
  const double single = takes_it_at_once ? bound.bytes : largest(watched, bound.bytes, grain);
  const double piece = std::min(question.number("step_bytes", device.is_cpu() ? kPiece : single), single);
  Total total = take_all(taker, piece, bound.bytes, grain, speaker);
  const std::size_t pieces = total.pieces.size();
  total.pieces.clear();
  const bool is_given_back = empty_cache(device);
  const bool is_bounded = total.bytes >= bound.bytes;
  return json::object{{"device", device.str()},
                      {"nominal_bytes", number_or_null(nominal)},
                      {"free_before_bytes", number_or_null(before)},
                      {"largest_single_bytes", static_cast<std::int64_t>(single)},
                      {"total_bytes", static_cast<std::int64_t>(total.bytes)},
                      {"pieces", pieces},
                      {"touched", true},
                      {"given_back", is_given_back},
                      {"limit", is_bounded ? bound.limit : "allocator"}};
}

}  // namespace scoville::torch_probe
