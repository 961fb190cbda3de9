#include "dataset/length_distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kNames{"constant", "uniform", "normal", "lognormal"};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_length(double value) { return value >= 1 && value <= LengthDistribution::kLongest; }
bool is_whole(double value) { return value == std::floor(value); }

}  // namespace

std::uint32_t LengthDistribution::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                                       std::uint32_t floor) const {
  Rng rng(seed, stream, index);
  double length = a_;
  if (kind_ == Kind::uniform) {
    length += static_cast<double>(rng.below(static_cast<std::uint64_t>(b_ - a_) + 1));
  } else if (kind_ == Kind::normal) {
    length += b_ * rng.normal();
  } else if (kind_ == Kind::lognormal) {  // moments of the lengths to those of the logarithm
    const double variance = std::log1p((b_ / a_) * (b_ / a_));
    length = std::exp(std::log(a_) - variance / 2 + std::sqrt(variance) * rng.normal());
  }
  length = std::clamp(std::round(length), 1.0, double(kLongest));
  return std::max(static_cast<std::uint32_t>(length), floor);
}

std::optional<std::uint32_t> LengthDistribution::least() const {
  if (kind_ != Kind::constant && kind_ != Kind::uniform) return std::nullopt;
  return static_cast<std::uint32_t>(a_);
}

std::string LengthDistribution::to_string() const {
  if (kind_ == Kind::constant) return fmt::format("{:.0f}", a_);
  return fmt::format("{}:{:.10g}:{:.10g}", kNames[static_cast<std::size_t>(kind_)], a_, b_);
}

Result<LengthDistribution> parse_lengths(std::string_view text) {
  const auto refuse = [&](Msg reason) {
    return Error{ErrorCode::invalid_argument, say(Msg::lengths_bad, text, say(reason))};
  };
  const auto parts = split(text);
  if (parts.size() == 1) {
    const auto tokens = number(parts[0]);
    if (!tokens) return refuse(Msg::lengths_form);
    if (!is_length(*tokens) || !is_whole(*tokens)) return refuse(Msg::lengths_whole);
    return LengthDistribution::constant(static_cast<std::uint32_t>(*tokens));
  }
  const bool is_uniform = parts[0] == "uniform", is_normal = parts[0] == "normal", is_log = parts[0] == "lognormal";
  if (parts.size() != 3 || !(is_uniform || is_normal || is_log)) return refuse(Msg::lengths_form);
  const auto a = number(parts[1]), b = number(parts[2]);
  if (!a || !b) return refuse(Msg::lengths_form);
  if (is_uniform) {
    if (!is_length(*a) || !is_length(*b) || !is_whole(*a) || !is_whole(*b)) return refuse(Msg::lengths_whole);
    if (*a > *b) return refuse(Msg::lengths_order);
    return LengthDistribution::uniform(static_cast<std::uint32_t>(*a), static_cast<std::uint32_t>(*b));
  }
  if (!is_length(*a) || *b < 0 || *b > LengthDistribution::kLongest) return refuse(Msg::lengths_moments);
  return is_normal ? LengthDistribution::normal(*a, *b) : LengthDistribution::lognormal(*a, *b);
}

}  // namespace scoville::dataset
