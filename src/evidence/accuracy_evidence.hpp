#pragma once

#include <span>
#include <vector>

#include "evidence/msprobe.hpp"
#include "evidence/reader.hpp"
#include "evidence/task_scores.hpp"

namespace scoville::evidence {

/// What other tools found about correctness.
struct AccuracyEvidence {
  std::vector<ProbedRun> layers;
  std::vector<TaskScores> tasks;
};

/// Files are told by what they hold. Of dump.json files two are one comparison: the device's, then the bench's. The
/// error names the file.
Result<AccuracyEvidence> read_accuracy(std::span<const FileText> files);

}  // namespace scoville::evidence
