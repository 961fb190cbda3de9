#include "endpoint/api_answers.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "endpoint/generation.hpp"

namespace scoville::endpoint {
namespace {

std::string_view model_of(const plan::Script& script) { return script.model.empty() ? kAnyModel : script.model; }

void metric(std::string& out, std::string_view name, std::string_view kind, std::string_view labels, double value) {
  out += fmt::format("# TYPE {0} {1}\n{0}{{{2}}} {3}\n", name, kind, labels, value);
}

}  // namespace

std::string models_body(const plan::Script& script, std::int64_t created) {
  const std::string id(model_of(script));
  return json::serialize(json::object{{"object", "list"},
                                      {"data", json::array{json::object{{"id", id},
                                                                        {"object", "model"},
                                                                        {"created", created},
                                                                        {"owned_by", "scoville"},
                                                                        {"root", id},
                                                                        {"max_model_len", script.context}}}}});
}

std::string tokenize_body(const plan::Script& script, const TokenizeRequest& request) {
  // Token 1 stands for BOS and template alike: they come first, as in real chat templates most of them do.
  const std::uint64_t added = request.is_chat ? script.template_tokens : request.add_special_tokens ? script.bos : 0;
  const std::uint64_t count = added + request.tokens.size();
  std::string out = fmt::format(R"({{"count":{},"max_model_len":{},"tokens":[)", count, script.context);
  for (std::uint64_t i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", i < added ? 1 : request.tokens[i - added]);
  }
  return out + "]}";
}

std::string metrics_body(const plan::Script& script, const EndpointStats& stats) {
  const std::string model = fmt::format("model_name=\"{}\"", model_of(script));
  const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
  std::string out;
  metric(out, "vllm:num_requests_running", "gauge", model, count(stats.running));
  metric(out, "vllm:num_requests_waiting", "gauge", model, count(stats.waiting));
  metric(out, "vllm:request_success_total", "counter", model, count(stats.answered));
  metric(out, "vllm:prompt_tokens_total", "counter", model, count(stats.prompt_tokens));
  metric(out, "vllm:generation_tokens_total", "counter", model, count(stats.tokens));
  metric(out, "scoville:requests_total", "counter", model, count(stats.requests));
  metric(out, "scoville:requests_failed_total", "counter", model, count(stats.failed));
  metric(out, "scoville:requests_refused_total", "counter", model, count(stats.refused));
  metric(out, "scoville:requests_abandoned_total", "counter", model, count(stats.abandoned));
  metric(out, "scoville:connections", "gauge", model, count(stats.connections));
  if (!stats.lag_max) return out;
  out += "# TYPE scoville:emit_lag_seconds summary\n";
  const auto lag = [&](const char* quantile, Nanos value) {
    out += fmt::format("scoville:emit_lag_seconds{{{},quantile=\"{}\"}} {}\n", model, quantile, to_seconds(value));
  };
  if (stats.lag_p50) lag("0.5", *stats.lag_p50);
  if (stats.lag_p99) lag("0.99", *stats.lag_p99);
  lag("1", *stats.lag_max);
  out += fmt::format("scoville:emit_lag_seconds_count{{{}}} {}\n", model, stats.writes);
  return out;
}

std::optional<ApiError> refusal_of(const plan::Script& script, const GenerationRequest& request) {
  if (!script.model.empty() && request.model != script.model) {
    return unknown_model(request.model);
  }
  const std::uint64_t prompt = prompt_tokens_of(script, request), answer = request.max_tokens.value_or(0);
  if (prompt > script.context || answer > script.context - prompt) {
    return ApiError{
        400,
        fmt::format("This model's maximum context length is {} tokens. However, you requested {} tokens ({} in "
                    "the prompt, {} in the completion).",
                    script.context, prompt + answer, prompt, answer),
        "invalid_request_error", "", "context_length_exceeded"};
  }
  return std::nullopt;
}

ApiError queue_full(const plan::Script& script) {
  return {static_cast<int>(script.queue_status), "The queue is full", "overloaded_error", {}, {}};
}

ApiError unknown_model(std::string_view name) {
  return {404, fmt::format("The model `{}` does not exist.", name), "NotFoundError", "model", "model_not_found"};
}

ApiError no_such_path(std::string_view method, std::string_view path) {
  return {404, fmt::format("There is nothing at {} {}", method, path), "NotFoundError", {}, {}};
}

std::string_view web_page() {
  return "<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n";
}

}  // namespace scoville::endpoint
