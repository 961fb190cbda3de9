#pragma once

#include <string>

#include "base/result.hpp"
#include "plan/bench_plan.hpp"
#include "wire/fetch.hpp"
#include "wire/target.hpp"

namespace scoville::run {

/// Headers that every request of ours carries beside its own: the key, and what the user added.
std::vector<wire::Header> common_headers(const plan::RequestShape& shape);

/// A GET below the base URL of `target`.
Result<wire::Response> get(const wire::Target& target, const plan::RequestShape& shape, std::string_view api_path);

/// The id of the first model that the server lists: /v1/models, for Ollama /api/tags, for TGI /info.
Result<std::string> first_model(const wire::Target& target, const plan::RequestShape& shape);

}  // namespace scoville::run
