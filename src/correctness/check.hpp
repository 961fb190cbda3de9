#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "correctness/accuracy_gate.hpp"
#include "correctness/agreement.hpp"
#include "correctness/gate.hpp"
#include "correctness/logprob_distance.hpp"
#include "correctness/prompt_set.hpp"
#include "correctness/score.hpp"
#include "dataset/warning.hpp"
#include "event/fingerprint.hpp"

namespace scoville::correctness {

/// One of the servers asked. The first is the reference.
struct Arm {
  std::string url, model;
  event::Fingerprint system;
  std::size_t asked = 0, failed = 0;
  std::optional<Score> score;
};

/// How both were asked.
struct Asking {
  std::string dialect;
  std::uint64_t seed = 0;
  std::uint32_t max_tokens = 0, logprobs = 0;
  std::size_t concurrency = 1;
};

/// One whole check, as it is reported and stored.
struct Check {
  std::string id, tag;
  std::vector<Arm> arms;  ///< one or two
  Asking asking;
  std::string prompts_name, prompts_hash;              ///< empty: no prompts were asked
  std::optional<Agreement> agreement, self_agreement;  ///< candidate, and the reference a second time
  std::optional<LogprobDistance> logprobs;
  std::string tasks_name, tasks_sha256;  ///< empty: no tasks
  std::vector<std::string> task_ids;
  std::optional<ScoreComparison> scores;
  Gate gate;
  double accuracy_target = 0;
  std::optional<double> agreement_target;
  std::vector<dataset::Warning> warnings;

  bool has_candidate() const { return arms.size() > 1; }
};

}  // namespace scoville::correctness
