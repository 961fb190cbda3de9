#include "endpoint/generation_request.hpp"

#include <doctest/doctest.h>
#include <simdjson.h>

namespace scoville::endpoint {
namespace {

GenerationRequest good(Api api, std::string body) {
  simdjson::dom::parser parser;
  auto read = read_generation(parser, api, body);
  REQUIRE(std::holds_alternative<GenerationRequest>(read));
  return std::get<GenerationRequest>(read);
}

ApiError bad(Api api, std::string body) {
  simdjson::dom::parser parser;
  auto read = read_generation(parser, api, body);
  REQUIRE(std::holds_alternative<ApiError>(read));
  return std::get<ApiError>(read);
}

}  // namespace

TEST_CASE("a chat request: words over all messages and their text parts") {
  const auto request = good(Api::chat, R"({"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":
      [{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"one\ttwo three"},
      {"type":"image_url","image_url":{}}]},{"role":"assistant","content":null}],"max_tokens":9,"ignore_eos":true,"n":2})");
  CHECK(request.model == "m");
  CHECK(request.words == 5);
  CHECK(request.stream);
  CHECK(request.include_usage);
  CHECK_FALSE(request.continuous_usage);
  CHECK(request.max_tokens == 9u);
  CHECK(request.ignore_eos);
  CHECK(request.choices == 2);
}

TEST_CASE("a completion's prompt is text, token ids, or several of either") {
  CHECK(good(Api::completions, R"({"prompt":"a b c"})").words == 3);
  const auto ids = good(Api::completions, R"({"prompt":[1,2,3,4],"max_tokens":null})");
  CHECK(ids.words == 4);
  CHECK(ids.is_token_ids);
  CHECK_FALSE(ids.max_tokens);
  const auto batch = good(Api::completions, R"({"prompt":["a b","c"],"n":3})");
  CHECK(batch.words == 3);
  CHECK(batch.choices == 6);
}

TEST_CASE("max_completion_tokens is the newer name of max_tokens") {
  CHECK(good(Api::chat, R"({"messages":[{}],"max_completion_tokens":5})").max_tokens == 5u);
}

TEST_CASE("a request that cannot be answered names the parameter at fault") {
  CHECK(bad(Api::chat, R"({"messages":[)").message.find("JSON") != std::string::npos);
  CHECK(bad(Api::chat, "").status == 400);
  CHECK(bad(Api::chat, "[1]").status == 400);
  CHECK(bad(Api::chat, R"({"prompt":"a"})").param == "messages");
  CHECK(bad(Api::chat, R"({"messages":[]})").param == "messages");
  CHECK(bad(Api::chat, R"({"messages":["a"]})").param == "messages");
  CHECK(bad(Api::chat, R"({"messages":[{"content":7}]})").param == "messages");
  CHECK(bad(Api::completions, R"({"messages":[]})").param == "prompt");
  CHECK(bad(Api::completions, R"({"prompt":[]})").param == "prompt");
  CHECK(bad(Api::completions, R"({"prompt":"a","max_tokens":0})").param == "max_tokens");
  CHECK(bad(Api::completions, R"({"prompt":"a","max_tokens":"7"})").param == "max_tokens");
  CHECK(bad(Api::completions, R"({"prompt":"a","n":-1})").param == "n");
  CHECK(bad(Api::completions, R"({"prompt":"a","model":7})").param == "model");
}

TEST_CASE("tokenize counts what the same text counts as a prompt") {
  simdjson::dom::parser parser;
  std::string prompt = R"({"model":"m","prompt":"a b a","add_special_tokens":false})";
  const auto text = std::get<TokenizeRequest>(read_tokenize(parser, prompt));
  REQUIRE(text.tokens.size() == 3);
  CHECK(text.tokens[0] == text.tokens[2]);
  CHECK_FALSE(text.add_special_tokens);
  std::string messages = R"({"messages":[{"role":"user","content":"a b"}]})";
  const auto chat = std::get<TokenizeRequest>(read_tokenize(parser, messages));
  CHECK(chat.is_chat);
  CHECK(chat.tokens.size() == 2);
  std::string neither = R"({"model":"m"})";
  CHECK(std::get<ApiError>(read_tokenize(parser, neither)).param == "prompt");
}

}  // namespace scoville::endpoint
