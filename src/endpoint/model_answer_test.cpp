#include "endpoint/model_answer.hpp"

#include <doctest/doctest.h>

#include "endpoint/engine_request.hpp"

namespace scoville::endpoint {
namespace {

GenerationRequest asked(Api api, bool stream, std::uint64_t choices = 1) {
  GenerationRequest request;
  request.api = api;
  request.model = "m";
  request.stream = stream;
  request.include_usage = stream;
  request.choices = choices;
  return request;
}

std::vector<json::object> lines_of(const GenerationRequest& request, const std::string& body) {
  auto lines = engine_lines(request, body, 40);
  REQUIRE(lines.index() == 0);
  return std::get<0>(std::move(lines));
}

TEST_CASE("a body answers with all choices once each has ended") {
  ModelAnswer answer(asked(Api::completions, false, 2), 3, 1000);
  std::string out;
  CHECK_FALSE(answer.accepted(5));
  CHECK(answer.accepted(5));
  answer.said(out, 1, "b");
  answer.said(out, 0, "a\"");
  answer.said(out, 0, "");  // a part of a character
  answer.finished(out, 0, "length", "\xef\xbf\xbd");
  CHECK_FALSE(answer.is_over());
  answer.finished(out, 1, "stop", "");
  CHECK(answer.is_over());
  CHECK(out.empty());
  answer.end(out);
  CHECK(json::parse(out) ==
        json::parse(R"({"id":"cmpl-3","object":"text_completion","created":1000,"model":"m","choices":[
    {"index":0,"text":"a\"\ufffd","logprobs":null,"finish_reason":"length"},
    {"index":1,"text":"b","logprobs":null,"finish_reason":"stop"}],
    "usage":{"prompt_tokens":10,"total_tokens":13,"completion_tokens":3}})"));
}

TEST_CASE("a stream has an event for each text, one for the end, usage and the mark") {
  ModelAnswer answer(asked(Api::chat, true), 3, 1000);
  std::string out;
  REQUIRE(answer.accepted(4));
  answer.said(out, 0, "h\n");
  answer.said(out, 0, "");
  answer.finished(out, 0, "length", "");
  answer.end(out);
  CHECK(out.find(R"("delta":{"content":"h\n"},"logprobs":null,"finish_reason":null}]})") != std::string::npos);
  CHECK(out.find(R"("content":"")") == std::string::npos);
  CHECK(out.find(R"("delta":{},"logprobs":null,"finish_reason":"length"}]})") != std::string::npos);
  CHECK(out.find(R"("usage":{"prompt_tokens":4,"total_tokens":6,"completion_tokens":2})") != std::string::npos);
  CHECK(out.substr(out.size() - 24) == "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
}

TEST_CASE("each choice is a line of its own, with its own seed") {
  const auto lines =
      lines_of(asked(Api::completions, false, 4), R"({"prompt":["a",[1,2]],"n":2,"seed":7,"top_p":0.5})");
  REQUIRE(lines.size() == 4);
  CHECK(json::value(lines[0]) ==
        json::parse(R"({"prompt":"a","ignore_eos":false,"temperature":1,"seed":7,"top_p":0.5})"));
  CHECK(lines[1].at("seed") == 8);
  CHECK(lines[3].at("ids") == json::parse("[1,2]"));
}

TEST_CASE("parts of a message are joined, and a request without a seed takes its number") {
  const auto lines = lines_of(asked(Api::chat, false), R"({"temperature":0,"messages":[
    {"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"},{"type":"text","text":"b"}]},{"role":"assistant"}]})");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("messages") ==
        json::parse(R"([{"role":"user","content":"ab"},{"role":"assistant","content":""}])"));
  CHECK(lines[0].at("seed") == 40);
  CHECK(lines[0].at("temperature") == 0);
}

TEST_CASE("what is no number, and a message without a role, are refused by name") {
  const auto number = engine_lines(asked(Api::completions, false), R"({"prompt":"a","top_p":"x"})", 0);
  REQUIRE(number.index() == 1);
  CHECK(std::get<1>(number).param == "top_p");
  const auto role = engine_lines(asked(Api::chat, false), R"({"messages":[{"content":"a"}]})", 0);
  REQUIRE(role.index() == 1);
  CHECK(std::get<1>(role).param == "messages");
  const auto seed = engine_lines(asked(Api::completions, false), R"({"prompt":"a","seed":-1})", 0);
  REQUIRE(seed.index() == 1);
  CHECK(std::get<1>(seed).param == "seed");
}

}  // namespace
}  // namespace scoville::endpoint
