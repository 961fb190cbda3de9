#pragma once

#include "base/json.hpp"
#include "dataset/prompt_source.hpp"
#include "load/chunk.hpp"
#include "load/json_reader.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// What Ollama's two native APIs share: sampling members of a request, and the closing object of an answer.
json::object ollama_request(const dataset::Prompt& prompt, const plan::RequestShape& shape);
void read_ollama_end(const JsonObject& frame, ChoiceDelta& delta, Chunk& out);

}  // namespace scoville::load
