#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville::dataset {

/// Lengths in tokens: constant, uniform, normal or lognormal, drawn by (seed, stream, index).
///
/// A draw below `floor` becomes `floor`, so the mean of a normal distribution whose tail reaches that far is a little
/// above the one asked for; what was really asked is recorded with every request.
class LengthDistribution {
 public:
  enum class Kind { constant, uniform, normal, lognormal };
  static constexpr std::uint32_t kLongest = 100'000'000;

  static LengthDistribution constant(std::uint32_t tokens) { return {Kind::constant, double(tokens), 0}; }
  /// Both ends included. min ≤ max.
  static LengthDistribution uniform(std::uint32_t min, std::uint32_t max) {
    return {Kind::uniform, double(min), double(max)};
  }
  static LengthDistribution normal(double mean, double sd) { return {Kind::normal, mean, sd}; }
  /// `mean` and `sd` are those of the lengths, not of their logarithm.
  static LengthDistribution lognormal(double mean, double sd) { return {Kind::lognormal, mean, sd}; }

  std::uint32_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, std::uint32_t floor = 1) const;

  bool is_constant() const { return kind_ == Kind::constant; }
  /// The shortest length that was asked for in so many words: the constant, or the lower end of uniform; else empty.
  std::optional<std::uint32_t> least() const;
  /// As parse_lengths() reads it: "512", "uniform:256:1024".
  std::string to_string() const;

 private:
  LengthDistribution(Kind kind, double a, double b) : kind_(kind), a_(a), b_(b) {}

  Kind kind_;
  double a_, b_;
};

/// Reads "512", "uniform:256:1024" (min, max), "normal:512:64", "lognormal:512:256" (mean, standard deviation).
Result<LengthDistribution> parse_lengths(std::string_view text);

}  // namespace scoville::dataset
