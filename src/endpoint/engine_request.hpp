#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "endpoint/generation_request.hpp"

namespace scoville::endpoint {

/// A client's request for text in the engine's terms: one line for each choice, without its id
/// (docs/formats/engine.md). `body` was read by read_generation() already; `number`: of the request, for draws where
/// the client gave no seed.
std::variant<std::vector<json::object>, ApiError> engine_lines(const GenerationRequest& request,
                                                               const std::string& body, std::uint64_t number);

/// Of POST /tokenize in vLLM's shape.
std::variant<json::object, ApiError> tokenize_line(const std::string& body);

/// The engine's refusal as the API words it.
ApiError api_error_of(const json::object& error);

}  // namespace scoville::endpoint
