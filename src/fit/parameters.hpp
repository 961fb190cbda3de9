#pragma once

#include <optional>

#include "fit/model.hpp"

namespace scoville::fit {

/// How many weights a model has, by where they are used.
struct Parameters {
  double embedding = 0;  ///< the table that tokens are looked up in: no arithmetic, one row a token
  double head = 0;       ///< the projection onto the vocabulary; the same table again where it is tied
  double body = 0;       ///< what every token passes through: attention, dense MLPs, shared experts, routers, norms
  double expert = 0;     ///< one routed expert in one layer
  double expert_layers = 0, expert_count = 0, experts_per_token = 0;
  bool ties = false;

  double total() const { return embedding + (ties ? 0 : head) + body + expert * expert_layers * expert_count; }
  /// What one token multiplies with.
  double active() const { return head + body + expert * expert_layers * experts_per_token; }
};

/// From the shape alone, for architectures that are built as Llama is: a gated MLP of three matrices, attention with or
/// without groups, MLA, experts. Empty for another, and where a size is missing. Biases are left out (below 0.1 %).
std::optional<Parameters> parameters_of(const ModelShape& shape);

/// Whether the formula holds for this architecture ("LlamaForCausalLM", "llama").
bool is_built_like_llama(const std::string& architecture);

}  // namespace scoville::fit
