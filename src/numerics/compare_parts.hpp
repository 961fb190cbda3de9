#pragma once

#include "numerics/judge.hpp"

namespace scoville::numerics {

// The steps of judge(): tensors into figures. Pure but for reading tensors.

/// Every part of the test that the reference has too, in the order in which the test computes them.
std::vector<PartJudgement> compare_parts(const Side& reference, const Side& test, const Tolerance& tolerance);

/// Over all sequences; `run` is that of the test's tensors ("int8"; empty: the plain one). Empty: no logits in common.
std::optional<LogitAgreement> compare_logits(const Side& reference, const Side& test, const std::string& run);

std::vector<GreedyMatch> compare_greedy(const Side& reference, const Side& test);

/// Of the first and the last part whose name begins with "layer."; empty where one is unknown or 0.
std::optional<double> growth_of(const std::vector<PartJudgement>& parts);

}  // namespace scoville::numerics
