#include "run/answer.hpp"

#include <doctest/doctest.h>

namespace scoville::run {
namespace {

Answer read(const std::string& body, int status = 200, const std::string& type = "application/json",
            plan::Dialect dialect = plan::Dialect::openai) {
  wire::Response response;
  response.head.status = status;
  response.head.content_type = type;
  response.body = body;
  return read_answer(*load::make_dialect(dialect), std::move(response));
}

}  // namespace

TEST_CASE("a chat answer in one piece: text, thoughts, end, and tokens by their bytes") {
  const Answer answer = read(R"({"choices":[{"index":0,"finish_reason":"stop",
    "message":{"role":"assistant","content":"中!","reasoning_content":"hm"},
    "logprobs":{"content":[
      {"token":"?","bytes":[228,184,173],"logprob":-0.5,"top_logprobs":[{"token":"中","bytes":null,"logprob":-0.5},
                                                                     {"token":"x","logprob":-9999.0}]},
      {"token":"!","logprob":null},
      {"token":"","logprob":-0.1}]}}]})");
  CHECK(answer.succeeded());
  CHECK(answer.text == "中!");
  CHECK(answer.reasoning == "hm");
  CHECK(answer.finish_reason == "stop");
  REQUIRE(answer.tokens.size() == 2);  // the empty one at the end marks the end of the text
  CHECK(answer.tokens[0].text == "中");
  CHECK(answer.tokens[0].logprob == -0.5);
  REQUIRE(answer.tokens[0].top.size() == 1);  // -9999 stands for minus infinity
  CHECK(answer.tokens[0].top[0].text == "中");
  CHECK_FALSE(answer.tokens[1].logprob.has_value());
}

TEST_CASE("completions tell their tokens in lists beside each other") {
  const Answer answer = read(R"({"choices":[{"text":"ab","finish_reason":"length","logprobs":{
    "tokens":["a","b"],"token_logprobs":[-0.25,null],"top_logprobs":[{"a":-0.25,"c":-2},null]}}]})",
                             200, "application/json", plan::Dialect::openai_completions);
  CHECK(answer.text == "ab");
  CHECK(answer.finish_reason == "length");
  REQUIRE(answer.tokens.size() == 2);
  CHECK(answer.tokens[0].logprob == -0.25);
  REQUIRE(answer.tokens[0].top.size() == 2);
  CHECK(answer.tokens[0].top[1].text == "c");
  CHECK_FALSE(answer.tokens[1].logprob.has_value());
}

TEST_CASE("a server that streams unasked is read all the same") {
  const Answer answer = read(
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"logprobs\":{\"content\":["
      "{\"token\":\"a\",\"logprob\":-1}]}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\n"
      "data: [DONE]\n\n",
      200, "text/event-stream");
  CHECK(answer.succeeded());
  CHECK(answer.text == "ab");
  CHECK(answer.tokens.size() == 1);
}

TEST_CASE("what is no answer is a failure of its class, in the server's words") {
  const Answer refused = read(R"({"error":{"message":"no logprobs here","param":"logprobs"}})", 400);
  CHECK(refused.failure == event::Failure::http_status);
  CHECK(refused.http_status == 400);
  CHECK(refused.error == "no logprobs here");
  CHECK(refused.param == "logprobs");
  CHECK(read(R"({"error":"overloaded"})").failure == event::Failure::stream_error);
  CHECK(read("<html>", 502).error == "<html>");
  CHECK(read("<html>").failure == event::Failure::protocol);
  CHECK(read("{}").failure == event::Failure::empty_output);
  CHECK(read(R"({"choices":[{"message":{"content":"x"},"finish_reason":"abort"}]})").failure ==
        event::Failure::aborted);
  CHECK(read(R"({"choices":[{"message":{"content":""},"finish_reason":"stop"}]})").succeeded());  // it may say nothing
  CHECK(failed_answer({ErrorCode::timed_out, "slow"}).failure == event::Failure::timeout_request);
}

}  // namespace scoville::run
