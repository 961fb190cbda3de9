#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scoville::torch_probe::model {

/// How the next token is chosen.
struct Sampling {
  double temperature = 0;  ///< 0: the likeliest, the lowest id of several
  double top_p = 1;        ///< of the smallest set of likeliest tokens that have this probability together
  std::uint64_t seed = 0;
};

/// Chooses tokens of one sequence. The draw of token `index` depends on (seed, index) alone, not on what else is
/// decoded.
class Sampler {
 public:
  /// `allowed` empty: all tokens. It must outlive the sampler.
  Sampler(const Sampling& how, std::span<const std::int64_t> allowed) : how_(how), allowed_(allowed) {}

  /// `forbidden`: never chosen.
  std::int64_t choose(std::span<const float> logits, std::span<const std::int64_t> forbidden, std::uint64_t index);

 private:
  struct Candidate {
    std::int64_t id;
    double weight;
  };
  void collect(std::span<const float> logits, std::span<const std::int64_t> forbidden);
  std::int64_t draw(std::uint64_t index);

  Sampling how_;
  std::span<const std::int64_t> allowed_;
  std::vector<Candidate> candidates_;
};

}  // namespace scoville::torch_probe::model
