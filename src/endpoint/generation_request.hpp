#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace simdjson::dom {
class parser;
}

namespace scoville::endpoint {

enum class Api { chat, completions, responses, embeddings };

/// A refusal in the shape that OpenAI's API gives it. These are protocol, read by clients: English, not in the
/// catalogue.
struct ApiError {
  int status = 400;
  std::string message;
  std::string type = "invalid_request_error";
  std::string param;  ///< the parameter at fault; empty: null
  std::string code;   ///< empty: the status
};

/// What the scripted endpoint needs to know of a request for text.
struct GenerationRequest {
  Api api = Api::chat;
  std::string model;
  std::uint64_t words = 0;  ///< of the prompt, or its token ids; template and BOS not counted
  bool is_token_ids = false;
  std::uint64_t choices = 1;  ///< of embeddings: vectors
  std::optional<std::uint64_t> max_tokens;
  bool ignore_eos = false;
  bool stream = false;
  bool include_usage = false, continuous_usage = false;
};

/// `body` needs no padding, but may be given more capacity.
std::variant<GenerationRequest, ApiError> read_generation(simdjson::dom::parser& parser, Api api, std::string& body);

/// What POST /tokenize asks for, in vLLM's shape.
struct TokenizeRequest {
  std::vector<std::uint64_t> tokens;  ///< of the text alone
  bool is_chat = false;
  bool add_special_tokens = true;
};
std::variant<TokenizeRequest, ApiError> read_tokenize(simdjson::dom::parser& parser, std::string& body);

}  // namespace scoville::endpoint
