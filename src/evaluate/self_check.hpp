#pragma once

#include <string>
#include <vector>

#include "evaluate/findings.hpp"
#include "matrix/matrix.hpp"
#include "text/catalogue.hpp"

namespace scoville::evaluate {

/// One question that an evaluation asks of itself, with its answer.
struct SelfCheck {
  std::string code;
  bool holds = false;
  text::Phrase sentence;
};

/// The judgements that go wrong most often when hardware is chosen: by headline, by one card, by peak figures, without
/// a trial, without regard to reliability. And what a decision wants besides: a model of one's own and a public one,
/// two or three pilot scenarios, an instrument that was not in the way, a known noise floor.
std::vector<SelfCheck> check_oneself(const Plan& plan, const Findings& findings, const matrix::Matrix& matrix);

}  // namespace scoville::evaluate
