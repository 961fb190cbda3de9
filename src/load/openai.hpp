#pragma once

#include "base/json.hpp"
#include "dataset/prompt_source.hpp"
#include "load/chunk.hpp"
#include "load/json_reader.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// What the two OpenAI dialects share: sampling members of a request, and usage, logprobs and server timings of a
/// frame.
json::object openai_streaming(const plan::RequestShape& shape);
json::object openai_request(const dataset::Prompt& prompt, const plan::RequestShape& shape);
void read_openai_usage(const JsonObject& frame, Chunk& out);
void read_openai_finish(const JsonObject& choice, ChoiceDelta& delta);
/// Tokens of a choice by its token ids, else by the list `member` of its logprobs; -1 where it has neither.
std::int32_t exact_tokens(const JsonObject& choice, const char* member);
std::uint8_t choice_index(const JsonObject& choice);

}  // namespace scoville::load
