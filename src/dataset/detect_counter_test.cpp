#include "dataset/detect_counter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/json.hpp"

namespace scoville::dataset {
namespace {

/// A server with one token a word; chat adds 10. It has the paths it is given, each with its own way to answer.
class FakeServer {
 public:
  using Answer = std::function<wire::Response(const json::object& body)>;

  FakeServer& on(const std::string& path, Answer answer) {
    answers_[path] = std::move(answer);
    return *this;
  }
  Post post() {
    return [this](const std::string& path, const std::string& body) -> Result<wire::Response> {
      asked.push_back(path);
      const auto found = answers_.find(path);
      if (found == answers_.end()) return with(404, R"({"detail":"Not Found"})");
      return found->second(json::parse(body).as_object());
    };
  }
  static wire::Response with(int status, std::string body) {
    wire::Response response;
    response.head.status = status;
    response.body = std::move(body);
    return response;
  }

  std::vector<std::string> asked;

 private:
  std::map<std::string, Answer> answers_;
};

std::int64_t words_in(const json::value& text) {
  const auto& s = text.as_string();
  return 1 + std::count(s.begin(), s.end(), ' ');
}

std::string list_of(std::int64_t n, const char* item) {
  std::string list = "[";
  for (std::int64_t i = 0; i < n; ++i) list += (i ? "," : "") + std::string(item);
  return list + "]";
}

wire::Response vllm(const json::object& body) {
  if (const auto* messages = body.if_contains("messages")) {
    const auto& message = messages->as_array().at(0).as_object();
    CHECK(message.at("role") == "user");
    CHECK(body.at("add_generation_prompt") == true);
    return FakeServer::with(200, compact({{"count", 10 + words_in(message.at("content"))}, {"max_model_len", 4096}}));
  }
  return FakeServer::with(200, compact({{"count", 1 + words_in(body.at("prompt"))}, {"max_model_len", 4096}}));
}

wire::Response sglang(const json::object& body) {
  if (!body.contains("prompt")) return FakeServer::with(422, "{}");
  return FakeServer::with(200, compact({{"count", 1 + words_in(body.at("prompt"))}, {"max_model_len", 4096}}));
}

wire::Response llamacpp_template(const json::object& body) {
  const auto& message = body.at("messages").as_array().at(0).as_object();
  return FakeServer::with(200,
                          compact({{"prompt", "a b c d e f g h i " + std::string(message.at("content").as_string())}}));
}

/// Without "content" llama.cpp answers an empty list, which must not pass for a count.
wire::Response llamacpp_tokenize(const json::object& body) {
  if (!body.contains("content")) return FakeServer::with(200, R"({"tokens":[]})");
  CHECK(body.at("add_special") == true);
  CHECK(body.at("parse_special") == true);
  return FakeServer::with(200, R"({"tokens":)" + list_of(1 + words_in(body.at("content")), "7") + "}");
}

wire::Response tgi_chat(const json::object& body) {
  const auto n = 10 + words_in(body.at("messages").as_array().at(0).as_object().at("content"));
  return FakeServer::with(200, R"({"tokenize_response":)" + list_of(n, R"({"id":7})") + R"(,"templated_text":""})");
}

wire::Response tgi(const json::object& body) {
  if (!body.contains("inputs")) return FakeServer::with(422, "missing field `inputs`");
  return FakeServer::with(200, list_of(1 + words_in(body.at("inputs")), R"({"id":7})"));
}

/// Name and count of what is found for chat and completions.
void expect(FakeServer& server, Api api, const char* name, std::int64_t tokens, bool is_whole = true) {
  auto counter = detect_counter(server.post(), "m", api);
  REQUIRE(counter.ok());
  REQUIRE(*counter != nullptr);
  CHECK((*counter)->name() == name);
  CHECK((*counter)->is_whole_request() == is_whole);
  const auto counted = (*counter)->count("The day \"was\"");
  REQUIRE(counted.ok());
  CHECK(*counted == tokens);
}

}  // namespace

TEST_CASE("vLLM counts messages with their template, and plain prompts with BOS") {
  FakeServer server;
  server.on("/tokenize", vllm);
  expect(server, Api::chat, "/tokenize (vLLM)", 13);
  expect(server, Api::completions, "/tokenize (vLLM)", 4);
}

TEST_CASE("SGLang counts text only: for chat the template stays unknown") {
  FakeServer server;
  server.on("/tokenize", sglang).on("/v1/tokenize", sglang);
  expect(server, Api::chat, "/v1/tokenize (SGLang)", 4, false);
  FakeServer older;
  older.on("/tokenize", sglang);
  expect(older, Api::chat, "/tokenize (SGLang)", 4, false);
}

TEST_CASE("llama.cpp applies the template first and counts BOS as its own server does") {
  FakeServer server;
  server.on("/tokenize", llamacpp_tokenize).on("/apply-template", llamacpp_template);
  expect(server, Api::chat, "/apply-template + /tokenize (llama.cpp)", 13);
  expect(server, Api::completions, "/tokenize (llama.cpp)", 4);
}

TEST_CASE("TGI answers lists of tokens") {
  FakeServer server;
  server.on("/tokenize", tgi).on("/chat_tokenize", tgi_chat);
  expect(server, Api::chat, "/chat_tokenize (TGI)", 13);
  expect(server, Api::completions, "/tokenize (TGI)", 4);
}

TEST_CASE("a server without any of them is no error") {
  FakeServer server;
  const auto none = detect_counter(server.post(), "m", Api::chat);
  REQUIRE(none.ok());
  CHECK(*none == nullptr);
  CHECK(server.asked.size() == 5);  // each way once, SGLang's by two paths
}

TEST_CASE("answers of other shapes count as none: HTML, a count of 0, a list of something else") {
  for (const char* body : {"<html>hello</html>", R"({"count":0})", R"({"count":"7"})", "[]", "null", "{}"}) {
    CAPTURE(body);
    const auto any = [body](const json::object&) { return FakeServer::with(200, body); };
    FakeServer server;
    for (const char* path : {"/tokenize", "/v1/tokenize", "/apply-template", "/chat_tokenize"}) server.on(path, any);
    const auto found = detect_counter(server.post(), "m", Api::chat);
    REQUIRE(found.ok());
    CHECK(*found == nullptr);
  }
}

TEST_CASE("a server that cannot be reached is asked once, and the error says where") {
  int asked = 0;
  const Post post = [&](const std::string&, const std::string&) -> Result<wire::Response> {
    ++asked;
    return Error{ErrorCode::refused, "connection refused"};
  };
  const auto found = detect_counter(post, "m", Api::chat);
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().message == "/tokenize: connection refused");
  CHECK(asked == 1);
}

}  // namespace scoville::dataset
