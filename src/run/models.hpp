#pragma once

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

/// The first of them.
Result<std::string> first_model(const wire::Target& target, const plan::RequestShape& shape);

}  // namespace scoville::run
