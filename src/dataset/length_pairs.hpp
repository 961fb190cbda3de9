#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::dataset {

/// Input and output lengths that belong together, each pair drawn by its weight: a mixture of short questions and long
/// documents, say.
class LengthPairs {
 public:
  struct Pair {
    std::uint32_t input = 0, output = 0;  ///< in tokens, above 0
    double weight = 0;                    ///< above 0; of all together, it need not be 100
  };

  /// `pairs` has one at least.
  explicit LengthPairs(std::vector<Pair> pairs);

  const Pair& draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) const;
  std::uint32_t shortest_input() const;
  /// As parse_length_pairs() reads it.
  std::string to_string() const;

 private:
  std::vector<Pair> pairs_;
  double total_ = 0;
};

/// Reads "256,128:40;4096,256:60": input,output:weight.
Result<LengthPairs> parse_length_pairs(std::string_view text);

}  // namespace scoville::dataset
