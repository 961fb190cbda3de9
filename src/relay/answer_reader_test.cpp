#include "relay/answer_reader.hpp"

#include <doctest/doctest.h>

namespace scoville::relay {
namespace {

using namespace std::chrono_literals;

Instant at(Nanos since) { return Instant(since); }

/// A stream whose pieces come a second apart.
Sighting stream(std::initializer_list<std::string> pieces) {
  Sighting seen;
  seen.content_type = "text/event-stream; charset=utf-8";
  for (const std::string& each : pieces) {
    seen.answer += each;
    seen.pieces.push_back({seen.answer.size(), at(seen.pieces.size() * 1s + 1s)});
  }
  seen.ended = at(seen.pieces.size() * 1s);
  return seen;
}

}  // namespace

TEST_CASE("a chat stream: the first text, its chunks, its characters, the last usage, its end") {
  const AnswerFacts facts = read_answer(stream({
      "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
      "data: {\"choices\":[{\"delta\":{\"content\":\"\xe4\xbd",  // a character and an event in two pieces
      "\xa0\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}],\"usage\":null}\n\n",
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
  }));
  CHECK(facts.first_token == at(3s));
  CHECK(facts.chunks == 2);
  CHECK(facts.chars == 3);
  CHECK(facts.text == "你hi");
  CHECK(facts.model == "m");
  CHECK(facts.usage.input == 9);
  CHECK(facts.usage.output == 2);
  CHECK(facts.has_ended);
  CHECK_FALSE(facts.has_error);
}

TEST_CASE("a stream without usage has characters and chunks; cut off, it has no end") {
  const AnswerFacts facts = read_answer(stream({"data: {\"choices\":[{\"text\":\"abc\"}]}\n\n"}));
  CHECK_FALSE(facts.usage.output);
  CHECK(facts.chunks == 1);
  CHECK(facts.chars == 3);
  CHECK_FALSE(facts.has_ended);
}

TEST_CASE("thoughts and tool calls are tokens, an error within a stream is one") {
  CHECK(read_answer(stream({"data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n"})).chars == 2);
  CHECK(read_answer(stream({"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\","
                            "\"arguments\":\"{}\"}}]}}]}\n\n"}))
            .chars == 3);
  CHECK(read_answer(stream({"data: {\"error\":{\"message\":\"x\"}}\n\n"})).has_error);
}

TEST_CASE("other dialects of streams are read") {
  const AnswerFacts messages = read_answer(stream({
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n",
      "event: content_block_delta\ndata: "
      "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"hey\"}}\n\n",
      "data: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":5}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
  }));
  CHECK(messages.usage.input == 7);
  CHECK(messages.usage.output == 5);
  CHECK(messages.chars == 3);
  CHECK(messages.has_ended);
  const AnswerFacts responses = read_answer(stream({
      "data: {\"type\":\"response.output_text.delta\",\"delta\":\"hey\"}\n\n",
      "data: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}}\n\n",
  }));
  CHECK(responses.usage.output == 4);
  CHECK(responses.first_token == at(1s));
}

TEST_CASE("a whole answer has its usage and its text, and no first token") {
  Sighting seen;
  seen.content_type = "application/json";
  seen.answer =
      R"({"model":"m","choices":[{"message":{"content":"hello"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}})";
  AnswerFacts facts = read_answer(seen);
  CHECK(facts.usage.output == 2);
  CHECK(facts.chars == 5);
  CHECK_FALSE(facts.first_token);
  CHECK_FALSE(facts.chunks);
  seen.answer = R"({"data":[{"embedding":[1]}],"usage":{"prompt_tokens":3,"total_tokens":3}})";
  CHECK(read_answer(seen).usage.output == 0);
  seen.answer = "<html>";
  CHECK_FALSE(read_answer(seen).usage.output);
  seen.is_answer_whole = false;
  CHECK_FALSE(read_answer(seen).chars);
}

}  // namespace scoville::relay
