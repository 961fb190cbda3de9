#pragma once

#include <functional>
#include <string>
#include <vector>

#include "operators/case_result.hpp"
#include "probe/session.hpp"

namespace scoville::operators {

/// Asks a probe with these parameters: in tests, a script.
using Asker = std::function<probe::Outcome(json::object params)>;

/// What came of one operator; a fault where the whole undertaking makes no sense any more: no such probe, no such
/// device, interrupted.
struct Asked {
  std::vector<CaseResult> cases;
  std::optional<probe::Fault> end;
};

/// All cases of an operator in one question. A case that kills the probe is noted as what it is, and the question is
/// put again for those after it: a crash costs one case. After three dead probes the rest is skipped.
Asked ask(const Table& table, const Operator& op, const std::vector<Case>& cases, const std::string& device,
          const std::vector<std::string>& warns, const Asker& asker);

/// Those of `cases` that ran are asked again where falling back is not allowed: what is refused now was computed on the
/// CPU.
void confirm(const Table& table, const Operator& op, std::vector<CaseResult>& cases, const Asker& strict);

}  // namespace scoville::operators
