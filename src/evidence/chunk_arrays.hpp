#pragma once

#include "evidence/figures.hpp"

namespace scoville::evidence {

/// What the arrays of vLLM's and SGLang's detailed files say of single requests: `ttfts`, `itls`, `output_lens`,
/// `errors`, and, where the tool writes them, `latencies`. A failed request (an error, or no first token) keeps its
/// place and has no latency here; `counts` are filled where the file has none. Nothing is done where the arrays are not
/// there.
void put_chunk_arrays(ExternalResult& result, const Members& file, const RequestDefinitions& definitions);

}  // namespace scoville::evidence
