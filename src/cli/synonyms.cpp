#include "cli/synonyms.hpp"

#include <fmt/format.h>

#include <array>

#include "base/json.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Error expected(std::string what) { return {ErrorCode::invalid_argument, std::move(what)}; }

/// genai-bench counts minutes.
Result<std::string> minutes(std::string_view given) {
  const Result<double> value = parse_number(given, 1e-6, 1e6);
  if (!value) return value.error();
  return fmt::format("{}s", *value * 60);
}

/// AIPerf takes an address without a scheme.
Result<std::string> url(std::string_view given) {
  return given.find("://") == std::string_view::npos ? "http://" + std::string(given) : std::string(given);
}

/// EvalScope: −1 for no limit.
Result<std::string> rate(std::string_view given) { return std::string(given == "-1" ? "inf" : given); }

/// AIPerf's concurrency_burst is what we do without a schedule.
Result<std::string> arrivals(std::string_view given) {
  if (given == "concurrency_burst") return expected(say(Msg::word_burst));
  return std::string(given);
}

/// AIPerf's endpoint types, EvalScope's APIs.
Result<std::string> backend(std::string_view given) {
  if (given == "chat" || given == "openai") return std::string("openai-chat");
  if (given == "completions") return std::string("openai");
  if (given == "embeddings") return std::string("openai-embeddings");
  if (given == "responses") return std::string("openai-responses");
  return expected(say(Msg::expected_choice, "chat, completions, embeddings, responses, openai"));
}

/// AIPerf: a JSON object, or name:value with the value as JSON where it is some.
Result<std::string> members(std::string_view given) {
  if (given.starts_with('{')) return std::string(given);
  const std::size_t colon = given.find(':');
  if (colon == 0 || colon == std::string_view::npos) return expected(say(Msg::expected_members));
  json::error_code fault;
  const std::string_view text = given.substr(colon + 1);
  json::value value = json::parse(text, fault);
  if (fault) value = json::string(text);
  return compact(json::object{{json::string_view(given.substr(0, colon)), value}});
}

/// genai-bench's backends are asked over their chat API.
Result<std::string> chat_backend(std::string_view given) {
  if (given == "openai" || given == "vllm" || given == "sglang") return std::string("openai-chat");
  return expected(say(Msg::expected_choice, "openai, vllm, sglang"));
}

/// EvalScope: fewest tokens to generate, a member of vLLM's request.
Result<std::string> min_tokens(std::string_view given) {
  const Result<std::size_t> value = parse_count(given, 0, 100000000);
  if (!value) return value.error();
  return fmt::format("{{\"min_tokens\":{}}}", *value);
}

constexpr std::array kSynonyms{
    Synonym{"-u,--url", "AIPerf, EvalScope", "--base-url", url},
    Synonym{"--target", "guidellm", "--base-url", url},
    Synonym{"--api-base", "genai-bench", "--base-url", url},
    Synonym{"-m", "AIPerf", "--model"},
    Synonym{"--api-model-name", "genai-bench", "--model"},
    Synonym{"--endpoint-type", "AIPerf", "--backend", backend},
    Synonym{"--api", "EvalScope", "--backend", backend},
    Synonym{"--api-backend", "genai-bench", "--backend", chat_backend},
    Synonym{"--headers", "EvalScope", "--header"},
    Synonym{"--request-count", "AIPerf", "--num-prompts"},
    Synonym{"-n,--number", "EvalScope", "--num-prompts"},
    Synonym{"--max-requests", "guidellm", "--num-prompts"},
    Synonym{"--max-requests-per-run", "genai-bench", "--num-prompts"},
    Synonym{"--benchmark-duration", "AIPerf", "--duration"},
    Synonym{"--max-seconds", "guidellm", "--duration"},
    Synonym{"--max-time-per-run", "genai-bench", "--duration", minutes},
    Synonym{"--rate", "EvalScope, guidellm", "--request-rate", rate},
    Synonym{"--arrival-pattern", "AIPerf", "--arrivals", arrivals},
    Synonym{"--arrival-smoothness", "AIPerf", "--burstiness"},
    Synonym{"--vllm-burstiness", "AIPerf", "--burstiness"},
    Synonym{"--concurrency", "AIPerf", "--max-concurrency"},
    Synonym{"--parallel", "EvalScope", "--max-concurrency"},
    Synonym{"--num-concurrency", "genai-bench", "--max-concurrency"},
    Synonym{"--warmup-requests", "SGLang", "--num-warmups"},
    Synonym{"--warmup-request-count", "AIPerf", "--num-warmups"},
    Synonym{"--num-warmup-requests", "AIPerf", "--num-warmups"},
    Synonym{"--random-seed", "AIPerf", "--seed"},
    Synonym{"--input-len", "vLLM", "--random-input-len"},
    Synonym{"--isl", "AIPerf", "--random-input-len"},
    Synonym{"--synthetic-input-tokens-mean", "AIPerf", "--random-input-len"},
    Synonym{"--output-len", "vLLM", "--random-output-len"},
    Synonym{"--osl", "AIPerf", "--random-output-len"},
    Synonym{"--output-tokens-mean", "AIPerf", "--random-output-len"},
    Synonym{"--max-tokens", "EvalScope", "--random-output-len"},
    Synonym{"--dataset", "EvalScope", "--dataset-name"},
    Synonym{"--custom-dataset-type", "AIPerf", "--dataset-name"},
    Synonym{"--input-file", "AIPerf", "--dataset-path"},
    Synonym{"--sharegpt-context-len", "SGLang", "--context-limit"},
    Synonym{"--gsp-num-groups", "SGLang", "--prefix-repetition-num-prefixes"},
    Synonym{"--gsp-system-prompt-len", "SGLang", "--prefix-repetition-prefix-len"},
    Synonym{"--gsp-question-len", "SGLang", "--prefix-repetition-suffix-len"},
    Synonym{"--gsp-output-len", "SGLang", "--prefix-repetition-output-len"},
    Synonym{"--lora-name", "SGLang", "--lora-modules"},
    Synonym{"--request-cancellation-rate", "AIPerf", "--cancel-share"},
    Synonym{"--request-cancellation-delay", "AIPerf", "--cancel-after"},
    Synonym{"--extra-request-body", "SGLang", "--extra-body"},
    Synonym{"--extra-inputs", "AIPerf", "--extra-body", members},
    Synonym{"--extra-args", "EvalScope", "--extra-body"},
    Synonym{"--min-tokens", "EvalScope", "--extra-body", min_tokens},
    Synonym{"--additional-request-params", "genai-bench", "--extra-body"},
    Synonym{"--ready-check-timeout-sec", "vLLM", "--ready-check-timeout"},
};

}  // namespace

void declare_synonyms(Parameters& parameters) {
  for (const Synonym& each : kSynonyms) parameters.add(each);
}

}  // namespace scoville::cli
