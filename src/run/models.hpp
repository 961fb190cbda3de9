#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "plan/bench_plan.hpp"
#include "wire/fetch.hpp"
#include "wire/target.hpp"

namespace scoville::run {

/// Headers that every request of ours carries beside its own: the key, and what the user added.
std::vector<wire::Header> common_headers(const plan::RequestShape& shape);

/// A GET below the base URL of `target`.
Result<wire::Response> get(const wire::Target& target, const plan::RequestShape& shape, std::string_view api_path);

/// The ids of the models that the server lists, never none: /v1/models, for Ollama /api/tags, for TGI /info.
Result<std::vector<std::string>> list_models(const wire::Target& target, const plan::RequestShape& shape);

/// Tokens that fit its context, prompt and answer together, where the server tells: /v1/models of vLLM and SGLang
/// (max_model_len), /props of llama.cpp (n_ctx).
std::optional<std::uint32_t> context_of(const wire::Target& target, const plan::RequestShape& shape);

/// The first model that it lists.
Result<std::string> first_model(const wire::Target& target, const plan::RequestShape& shape);

}  // namespace scoville::run
