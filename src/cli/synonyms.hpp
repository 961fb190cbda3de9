#pragma once

#include "cli/parameter.hpp"

namespace scoville::cli {

/// Lets the words of AIPerf, EvalScope, genai-bench, guidellm, SGLang and vLLM stand for ours.
void declare_synonyms(Parameters& parameters);

/// The words of other tools that have no effect here, and those that are refused, each with its reason.
void declare_foreign_words(Parameters& parameters);

}  // namespace scoville::cli
