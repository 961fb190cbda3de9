#include "endpoint/responses_text.hpp"

#include <doctest/doctest.h>

#include "base/json.hpp"
#include "endpoint/generation.hpp"

namespace scoville::endpoint {
namespace {

using namespace std::chrono_literals;

constexpr Instant kArrived(std::chrono::seconds(100));

plan::Script script_of(const char* text) { return plan::parse_script(text).value(); }

GenerationRequest request_for(Api api) {
  GenerationRequest request;
  request.api = api;
  request.model = "m";
  request.words = 10;
  request.stream = api == Api::responses;
  return request;
}

/// The data of each event: chunk sizes and event names taken off.
std::vector<json::value> events_of(const std::string& bytes) {
  std::vector<json::value> out;
  for (std::size_t at = bytes.find("data: "); at != std::string::npos; at = bytes.find("data: ", at + 1)) {
    const std::size_t end = bytes.find("\n\n", at);
    out.push_back(json::parse(bytes.substr(at + 6, end - at - 6)));
  }
  return out;
}

std::string play(Generation& generation) {
  EventBuffer out;
  generation.open(out.bytes);
  generation.start(kArrived);
  Generation::After after = Generation::After::more;
  while (after == Generation::After::more) after = generation.write(out);
  CHECK(after == Generation::After::answered);
  return out.bytes;
}

}  // namespace

TEST_CASE("a scripted response: created, one delta a token, and an end that tells the usage") {
  const plan::Script script = script_of("ttft=50ms,itl=10ms,tokens=3,reasoning=1,template=4,cached=2");
  Generation generation(script, request_for(Api::responses), 7, 1, kArrived);
  const auto events = events_of(play(generation));
  REQUIRE(events.size() == 5);
  CHECK(events[0].at("type") == "response.created");
  CHECK(events[0].at_pointer("/response/usage").is_null());
  CHECK(events[1].at("type") == "response.reasoning_text.delta");
  CHECK(events[2].at("type") == "response.output_text.delta");
  CHECK(events[2].at("delta").as_string().size() == 5);  // a blank and four letters
  CHECK(events[3].at("emit_ns").as_int64() > 0);
  CHECK(events[4].at("type") == "response.completed");
  CHECK(events[4].at_pointer("/response/status") == "completed");
  CHECK(events[4].at_pointer("/response/usage") ==
        json::parse(
            R"({"input_tokens":14,"input_tokens_details":{"cached_tokens":2},"output_tokens":3,"total_tokens":17})"));
}

TEST_CASE("a scripted response that reaches its limit is incomplete; without done it has no end") {
  GenerationRequest request = request_for(Api::responses);
  request.max_tokens = 2;
  const plan::Script script = script_of("tokens=9"), endless = script_of("tokens=9,done=no");
  Generation generation(script, request, 0, 1, kArrived);
  const auto events = events_of(play(generation));
  CHECK(events.back().at("type") == "response.incomplete");
  CHECK(events.back().at_pointer("/response/incomplete_details/reason") == "max_output_tokens");
  Generation cut(endless, request, 0, 1, kArrived);
  CHECK(events_of(play(cut)).back().at("type") == "response.output_text.delta");
}

TEST_CASE("a scripted response that is no stream is one object") {
  GenerationRequest request = request_for(Api::responses);
  request.stream = false;
  const plan::Script script = script_of("tokens=2");
  Generation generation(script, request, 0, 1, kArrived);
  const json::value body = json::parse(play(generation));
  CHECK(body.at_pointer("/output/0/content/0/text").as_string().size() == 9);  // two words of four letters
  CHECK(body.at_pointer("/usage/output_tokens") == 2);
}

TEST_CASE("scripted embeddings: a vector for each text, once, ttft and prefill after the request") {
  GenerationRequest request = request_for(Api::embeddings);
  request.choices = 3;
  const plan::Script script = script_of("ttft=50ms,prefill=1ms,bos=1");
  Generation generation(script, request, 0, 1, kArrived);
  CHECK_FALSE(generation.is_stream());
  generation.start(kArrived);
  CHECK(generation.due() == kArrived + 50ms + 13ms);  // 10 words and a BOS for each text
  EventBuffer out;
  CHECK(generation.write(out) == Generation::After::answered);
  const json::value body = json::parse(out.bytes);
  CHECK(body.at("data").as_array().size() == 3);
  CHECK(body.at_pointer("/data/2/index") == 2);
  CHECK(body.at_pointer("/data/0/embedding").as_array().size() == 8);
  CHECK(body.at("usage") == json::parse(R"({"prompt_tokens":13,"total_tokens":13})"));
}

}  // namespace scoville::endpoint
