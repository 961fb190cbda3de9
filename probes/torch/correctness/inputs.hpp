#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/baseline.hpp"
#include "numerics/safetensors.hpp"
#include "probe/host.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::correctness {

/// One sequence of tokens, and whether it is of those that are also run as a batch: they are equally long.
struct Input {
  std::string name, text;
  std::vector<std::int64_t> tokens;
  bool is_batched = false;
  at::Tensor ids() const;  ///< [1, tokens], int64, on the host
};

/// A baseline that is held against: its manifest and its mapped tensors.
class Baseline {
 public:
  /// Throws std::invalid_argument.
  explicit Baseline(const std::string& folder);
  const numerics::Manifest& manifest() const { return manifest_; }
  /// Undefined where there is none.
  at::Tensor tensor(const std::string& name) const;
  std::vector<Input> inputs() const;

 private:
  numerics::Manifest manifest_;
  numerics::SafetensorsFile file_;
};

/// "seed1" to "seed3": random tokens below `vocabulary`, 24 each, which follow from the seed alone. "text1" …: the
/// bytes of each of `prompts`, at most 48.
std::vector<Input> made_inputs(std::uint64_t seed, std::int64_t vocabulary, const std::vector<std::string>& prompts);

/// A list of texts among the question's parameters. Throws std::invalid_argument.
std::vector<std::string> texts_in(const probe::Question& question, std::string_view key);

}  // namespace scoville::torch_probe::correctness
