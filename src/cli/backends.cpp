#include "cli/backends.hpp"

#include <array>

namespace scoville::cli {
namespace {

using plan::Dialect;

struct Backend {
  std::string_view name;
  Dialect dialect;
};

/// vLLM's client, SGLang's, and older ones of vLLM. The first name of a dialect is the one written into results.
constexpr std::array kBackends{
    Backend{"openai", Dialect::openai_completions},
    Backend{"openai-chat", Dialect::openai},
    Backend{"vllm", Dialect::openai_completions},
    Backend{"vllm-chat", Dialect::openai},
    Backend{"sglang", Dialect::openai_completions},
    Backend{"sglang-oai", Dialect::openai_completions},
    Backend{"sglang-oai-chat", Dialect::openai},
    Backend{"lmdeploy", Dialect::openai_completions},
    Backend{"lmdeploy-chat", Dialect::openai},
    Backend{"llama.cpp", Dialect::openai_completions},
    Backend{"scalellm", Dialect::openai_completions},
    Backend{"tgi", Dialect::tgi},
    Backend{"tensorrt-llm", Dialect::triton},
    Backend{"trt", Dialect::triton},
    Backend{"ollama", Dialect::ollama_generate},
    Backend{"ollama-chat", Dialect::ollama_chat},
    Backend{"openai-responses", Dialect::openai_responses},
    Backend{"openai-embeddings", Dialect::openai_embeddings},
    Backend{"vllm-pooling", Dialect::openai_embeddings},
    Backend{"mindie", Dialect::mindie},
    Backend{"mindie-chat", Dialect::openai},
    Backend{"lmdeploy-generate", Dialect::lmdeploy},
};

struct Path {
  std::string_view end;
  Dialect dialect;
};

/// The longer end first: each completions path ends with the one of the older API.
constexpr std::array kPaths{
    Path{"/chat/completions", Dialect::openai},    Path{"/completions", Dialect::openai_completions},
    Path{"/responses", Dialect::openai_responses}, Path{"/embeddings", Dialect::openai_embeddings},
    Path{"/pooling", Dialect::openai_embeddings},  Path{"/infer", Dialect::mindie},
    Path{"/api/chat", Dialect::ollama_chat},       Path{"/api/generate", Dialect::ollama_generate},
};

}  // namespace

std::optional<Dialect> dialect_of_backend(std::string_view backend) {
  for (const Backend& each : kBackends) {
    if (each.name == backend) return each.dialect;
  }
  return std::nullopt;
}

std::string_view backend_of(Dialect dialect) {
  for (const Backend& each : kBackends) {
    if (each.dialect == dialect) return each.name;
  }
  return plan::name_of(dialect);
}

std::string backend_names() {
  std::string out;
  for (const Backend& each : kBackends) out += (out.empty() ? "" : ", ") + std::string(each.name);
  return out;
}

std::optional<Dialect> dialect_of_path(std::string_view path) {
  for (const Path& each : kPaths) {
    if (path.ends_with(each.end)) return each.dialect;
  }
  return std::nullopt;
}

bool is_openai(Dialect dialect) {
  return dialect == Dialect::openai || dialect == Dialect::openai_completions || dialect == Dialect::openai_responses;
}

}  // namespace scoville::cli
