#pragma once

#include <cstdint>
#include <string_view>

namespace scoville {

/// Seeded random numbers, the same on every machine and for every thread count.
///
/// A generator is made from (seed, stream, index): request 17 draws the same numbers whoever makes it, so one seed
/// means one schedule. SplitMix64 (Steele, Lea, Flood 2014) mixes the three; it passes BigCrush and costs two
/// multiplications.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t index = 0);

  std::uint64_t operator()();
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  /// In [0, 1).
  double uniform();
  /// In [0, bound), without modulo bias that could be seen (Lemire's multiply-shift). bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Mean 1.
  double exponential();
  /// Gamma with this shape and scale 1 (Marsaglia and Tsang 2000). shape > 0.
  double gamma(double shape);
  /// Mean 0, standard deviation 1 (Box and Muller).
  double normal();

 private:
  std::uint64_t state_;
};

/// FNV-1a: a stable 64-bit name for bytes, not a cryptographic hash.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t basis = 0xcbf29ce484222325ULL);

}  // namespace scoville
