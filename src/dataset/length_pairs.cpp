#include "dataset/length_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/check.hpp"
#include "base/rng.hpp"
#include "dataset/length_distribution.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

/// All of `text` as a number.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<LengthPairs::Pair> pair_of(std::string_view part) {
  const std::size_t comma = part.find(','), colon = part.find(':');
  if (comma == std::string_view::npos || colon == std::string_view::npos || colon < comma) return std::nullopt;
  const auto input = number_of<std::uint32_t>(part.substr(0, comma));
  const auto output = number_of<std::uint32_t>(part.substr(comma + 1, colon - comma - 1));
  const auto weight = number_of<double>(part.substr(colon + 1));
  const auto is_length = [](const std::optional<std::uint32_t>& tokens) {
    return tokens && *tokens > 0 && *tokens <= LengthDistribution::kLongest;
  };
  if (!is_length(input) || !is_length(output) || !weight || !(*weight > 0) || !std::isfinite(*weight))
    return std::nullopt;
  return LengthPairs::Pair{*input, *output, *weight};
}

}  // namespace

LengthPairs::LengthPairs(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
  SCOVILLE_CHECK(!pairs_.empty(), "there is a pair of lengths");
  for (const Pair& each : pairs_) total_ += each.weight;
}

const LengthPairs::Pair& LengthPairs::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) const {
  double at = Rng(seed, stream, index).uniform() * total_;
  for (const Pair& each : pairs_) {
    if (at < each.weight) return each;
    at -= each.weight;
  }
  return pairs_.back();
}

std::uint32_t LengthPairs::shortest_input() const {
  const auto least =
      std::min_element(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.input < b.input; });
  return least->input;
}

std::string LengthPairs::to_string() const {
  std::string text;
  for (const Pair& each : pairs_) {
    text += fmt::format("{}{},{}:{}", text.empty() ? "" : ";", each.input, each.output, each.weight);
  }
  return text;
}

Result<LengthPairs> parse_length_pairs(std::string_view text) {
  std::vector<LengthPairs::Pair> pairs;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const auto pair = pair_of(part);
    if (!pair) return Error{ErrorCode::invalid_argument, say(Msg::pairs_form)};
    pairs.push_back(*pair);
  }
  if (pairs.empty()) return Error{ErrorCode::invalid_argument, say(Msg::pairs_form)};
  return LengthPairs(std::move(pairs));
}

}  // namespace scoville::dataset
