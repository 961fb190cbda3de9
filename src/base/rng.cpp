#include "base/rng.hpp"

#include <cmath>
#include <numbers>

namespace scoville {
namespace {

constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
    : state_(mix(mix(mix(seed + kGamma) ^ (stream + kGamma)) ^ (index + kGamma))) {}

std::uint64_t Rng::operator()() { return mix(state_ += kGamma); }

double Rng::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>((*this)()) * bound) >> 64);
}

double Rng::exponential() { return -std::log1p(-uniform()); }

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Rng::gamma(double shape) {
  if (shape < 1.0) {  // boosted: Gamma(a) = Gamma(a + 1) · U^(1/a)
    const double boosted = gamma(shape + 1.0);
    return boosted * std::pow(1.0 - uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double v = std::pow(1.0 + c * x, 3);
    if (v <= 0.0) continue;
    if (std::log1p(-uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t basis) {
  for (const char c : bytes) {
    basis ^= static_cast<unsigned char>(c);
    basis *= 0x100000001b3ULL;
  }
  return basis;
}

}  // namespace scoville
