#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "endpoint/endpoint_stats.hpp"
#include "endpoint/generation_request.hpp"
#include "plan/script.hpp"

namespace scoville::endpoint {

/// The id that /v1/models lists where the script names none.
inline constexpr std::string_view kAnyModel = "scripted";

std::string models_body(const plan::Script& script, std::int64_t created);

/// {"count", "max_model_len", "tokens"}, as vLLM answers.
std::string tokenize_body(const plan::Script& script, const TokenizeRequest& request);

/// Prometheus text: vLLM's names for what vLLM counts too, ours for the emit lag.
std::string metrics_body(const plan::Script& script, const EndpointStats& stats);

/// Whether the script refuses the request: unknown model, or prompt and answer longer than the context.
std::optional<ApiError> refusal_of(const plan::Script& script, const GenerationRequest& request);
/// Of a request beyond the queue.
ApiError queue_full(const plan::Script& script);
ApiError unknown_model(std::string_view name);
ApiError no_such_path(std::string_view method, std::string_view path);

/// The page that a wrong base URL or a captive proxy answers with.
std::string_view web_page();

}  // namespace scoville::endpoint
