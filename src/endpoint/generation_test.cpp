#include "endpoint/generation.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/json.hpp"
#include "endpoint/api_answers.hpp"
#include "endpoint/words.hpp"

namespace scoville::endpoint {
namespace {

using namespace std::chrono_literals;

const Instant kArrived(Nanos(123'456'789'012'345));
constexpr std::uint64_t kNumber = 7;
constexpr std::int64_t kCreated = 1'700'000'000;

plan::Script script_of(const char* text) { return plan::parse_script(text).value(); }

GenerationRequest chat(std::uint64_t words = 3) {
  GenerationRequest request;
  request.api = Api::chat;
  request.model = "m\"x";  // a name that has to be escaped
  request.words = words;
  request.stream = request.include_usage = true;
  return request;
}

GenerationRequest completion() {
  GenerationRequest request = chat();
  request.api = Api::completions;
  return request;
}

/// One write: when it was due, what it held.
struct Written {
  Nanos at;
  std::string bytes;
};

struct Played {
  std::vector<Written> writes;
  std::string opening;
  Generation::After end = Generation::After::more;
  std::uint64_t tokens = 0;
};

/// Plays a request to its end by its own schedule, each write `late` after it was due.
Played play(const plan::Script& script, const GenerationRequest& request, Nanos queued = {}, Nanos late = 1us) {
  Generation generation(script, request, kNumber, kCreated, kArrived);
  Played played;
  generation.open(played.opening);
  generation.start(kArrived + queued);
  while (played.end == Generation::After::more) {
    const Instant due = generation.due();
    EventBuffer buffer;
    played.end = generation.write(buffer);
    buffer.stamp(due + late);
    played.writes.push_back({due - kArrived, buffer.bytes});
  }
  played.tokens = generation.tokens_sent();
  return played;
}

/// Undoes the chunked coding and takes the events' data. Every chunk must be one event.
std::vector<std::string> events_of(std::string_view bytes) {
  std::vector<std::string> events;
  while (!bytes.empty()) {
    const std::size_t line = bytes.find("\r\n");
    const std::size_t size = std::stoul(std::string(bytes.substr(0, line)), nullptr, 16);
    const std::string_view chunk = bytes.substr(line + 2, size);
    CHECK(bytes.substr(line + 2 + size, 2) == "\r\n");
    bytes.remove_prefix(line + 2 + size + 2);
    if (size == 0) {
      CHECK(bytes.empty());
      events.emplace_back("END");
      continue;
    }
    CHECK(chunk.starts_with("data: "));
    CHECK(chunk.ends_with("\n\n"));
    events.emplace_back(chunk.substr(6, size - 8));
  }
  return events;
}

std::vector<std::string> all_events(const Played& played) {
  std::vector<std::string> events = events_of(played.opening);
  for (const Written& written : played.writes) {
    for (std::string& event : events_of(written.bytes)) events.push_back(std::move(event));
  }
  return events;
}

std::vector<Nanos> times(const Played& played) {
  std::vector<Nanos> at;
  for (const Written& written : played.writes) at.push_back(written.at);
  return at;
}

json::value parsed(const std::string& text) { return json::parse(text); }

}  // namespace

TEST_CASE("a stream: role, a write per token on schedule, and all that ends it in the last write") {
  const Played played = play(script_of("ttft=50ms,itl=10ms,tokens=3"), chat(), 5ms);
  CHECK(times(played) == std::vector<Nanos>{55ms, 65ms, 75ms});
  CHECK(played.end == Generation::After::answered);
  CHECK(played.tokens == 3);
  const auto events = all_events(played);
  REQUIRE(events.size() == 8);
  CHECK(parsed(events[0]).at_pointer("/choices/0/delta/role") == "assistant");
  std::string text;
  for (int i = 1; i <= 3; ++i) text += parsed(events[i]).at_pointer("/choices/0/delta/content").as_string();
  CHECK(count_words(text) == 3);
  CHECK(parsed(events[1]).at("model") == "m\"x");
  CHECK(parsed(events[2]).at("emit_ns") == (kArrived + 65ms + 1us).time_since_epoch().count());
  CHECK(parsed(events[4]).at_pointer("/choices/0/finish_reason") == "stop");
  CHECK(parsed(events[4]).at_pointer("/scoville/t0_ns") == kArrived.time_since_epoch().count());
  CHECK(parsed(events[4]).at_pointer("/scoville/queued_ns") == 5'000'000);
  CHECK(parsed(events[4]).at_pointer("/scoville/first_due_ns") == (kArrived + 55ms).time_since_epoch().count());
  CHECK(parsed(events[5]).at("choices").as_array().empty());
  CHECK(parsed(events[5]).at_pointer("/usage/prompt_tokens") == 3 + 7);
  CHECK(parsed(events[5]).at_pointer("/usage/completion_tokens") == 3);
  CHECK(events[6] == "[DONE]");
  CHECK(events[7] == "END");
}

TEST_CASE("token events of a request differ in their text and the digits at their end alone") {
  const auto events = all_events(play(script_of("tokens=4,role_chunk=no"), chat()));
  const auto around = [](const std::string& event) {
    const std::size_t text = event.find("\"content\":\"") + 11, emit = event.find("\"emit_ns\":") + 10;
    return std::pair(event.substr(0, text), event.substr(event.find('"', text), emit - event.find('"', text)));
  };
  for (int i = 1; i < 4; ++i) {
    CHECK(around(events[i]) == around(events[0]));
    CHECK(events[i].ends_with("}"));
    CHECK(events[i].substr(events[i].find("\"emit_ns\":") + 10).find_first_not_of("0123456789") ==
          events[i].size() - events[i].find("\"emit_ns\":") - 11);
  }
}

TEST_CASE("an emit time that has gained a digit since it was due is the largest that fits") {
  EventBuffer buffer{"{\"emit_ns\":998}", {11}};
  buffer.stamp(Instant(Nanos(999)));
  CHECK(buffer.bytes == "{\"emit_ns\":999}");
  buffer.stamp(Instant(Nanos(1000)));
  CHECK(buffer.bytes == "{\"emit_ns\":999}");
}

TEST_CASE("max_tokens caps the text; with ignore_eos the text is exactly as long") {
  const auto script = script_of("tokens=5");
  GenerationRequest request = chat();
  const auto reason = [&] {
    for (const std::string& event : all_events(play(script, request))) {
      if (event.find("\"finish_reason\":\"") == std::string::npos) continue;
      return std::string(parsed(event).at_pointer("/choices/0/finish_reason").as_string());
    }
    return std::string();
  };
  for (const auto& [limit, ignore, expected, why] :
       {std::tuple{9, false, 5, "stop"}, {3, false, 3, "length"}, {5, false, 5, "length"}, {9, true, 9, "length"}}) {
    request.max_tokens = limit;
    request.ignore_eos = ignore;
    CHECK(play(script, request).tokens == static_cast<std::uint64_t>(expected));
    CHECK(reason() == why);
  }
}

TEST_CASE("several tokens make an event, several events a write, due with its last") {
  const Played chunked = play(script_of("ttft=50ms,itl=10ms,tokens=5,chunk=2"), chat());
  CHECK(times(chunked) == std::vector<Nanos>{50ms, 60ms, 70ms});
  CHECK(chunked.tokens == 5);
  const Played merged = play(script_of("ttft=50ms,itl=10ms,tokens=5,merge=2"), chat());
  CHECK(times(merged) == std::vector<Nanos>{60ms, 80ms, 90ms});
  CHECK(events_of(merged.writes[0].bytes).size() == 2);
}

TEST_CASE("choices are interleaved, one event each per step") {
  GenerationRequest request = completion();
  request.choices = 2;
  const Played played = play(script_of("tokens=2"), request);
  CHECK(played.opening.empty());
  REQUIRE(played.writes.size() == 2);
  const auto step = events_of(played.writes[0].bytes);
  REQUIRE(step.size() == 2);
  CHECK(parsed(step[0]).at_pointer("/choices/0/index") == 0);
  CHECK(parsed(step[1]).at_pointer("/choices/0/index") == 1);
  CHECK(parsed(step[0]).at_pointer("/choices/0/text") != parsed(step[1]).at_pointer("/choices/0/text"));
  CHECK(played.tokens == 4);
}

TEST_CASE("the first tokens may be reasoning") {
  const auto events = all_events(play(script_of("tokens=3,reasoning=2,role_chunk=no"), chat()));
  CHECK(parsed(events[1]).at_pointer("/choices/0/delta").as_object().contains("reasoning_content"));
  CHECK(parsed(events[2]).at_pointer("/choices/0/delta").as_object().contains("content"));
}

TEST_CASE("usage: right, absent, wrong, zero, in every chunk") {
  const auto last_usage = [](const char* script) -> json::value {
    json::value found = nullptr;
    for (const std::string& event : all_events(play(script_of(script), chat()))) {
      if (event.find("\"usage\"") != std::string::npos) found = parsed(event).at("usage");
    }
    return found;
  };
  CHECK(last_usage("tokens=4,usage=none").is_null());
  CHECK(last_usage("tokens=4,usage=wrong").at("completion_tokens") == 8);
  CHECK(last_usage("tokens=4,usage=zero").at("total_tokens") == 0);
  CHECK(last_usage("tokens=4,cached=6").at_pointer("/prompt_tokens_details/cached_tokens") == 6);
  CHECK(last_usage("tokens=4,cached=99").at_pointer("/prompt_tokens_details/cached_tokens") == 10);
  const auto events = all_events(play(script_of("tokens=4,usage=continuous,role_chunk=no"), chat()));
  for (int i = 0; i < 4; ++i) CHECK(parsed(events[i]).at_pointer("/usage/completion_tokens") == i + 1);
}

TEST_CASE("no end marker, no reason, no emit times where the script says so") {
  std::string all;
  for (const std::string& event : all_events(play(script_of("tokens=2,done=no,finish=none,emit=no"), chat())))
    all += event;
  CHECK(all.find("[DONE]") == std::string::npos);
  CHECK(all.find("\"finish_reason\":\"") == std::string::npos);
  CHECK(all.find("emit_ns") == std::string::npos);
  CHECK(all.find("scoville") == std::string::npos);
}

TEST_CASE("a fault comes when the event in its place would have been due") {
  const Played error = play(script_of("ttft=50ms,itl=10ms,tokens=5,error_at=2"), chat());
  CHECK(times(error) == std::vector<Nanos>{50ms, 60ms, 70ms});
  CHECK(error.end == Generation::After::failed);
  const auto last = events_of(error.writes.back().bytes);
  REQUIRE(last.size() == 3);
  CHECK(parsed(last[0]).at_pointer("/error/code") == 500);
  CHECK(last[1] == "[DONE]");

  const Played closed = play(script_of("ttft=50ms,itl=10ms,tokens=5,close_after=5"), chat());
  CHECK(closed.end == Generation::After::close);
  CHECK(closed.writes.size() == 6);
  CHECK(closed.writes.back().bytes.empty());
  CHECK(play(script_of("ttft=50ms,itl=10ms,tokens=5,reset_after=0"), chat()).end == Generation::After::reset);
  CHECK(play(script_of("tokens=5,close_after=6"), chat()).end == Generation::After::answered);
}

TEST_CASE("a share of the requests fails, the same ones with the same seed") {
  const auto script = script_of("error_rate=0.25,seed=3");
  int failed = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    const Fault fault = draw_fault(script, number);
    CHECK(fault.kind == draw_fault(script, number).kind);
    failed += fault.kind == Fault::Kind::status;
  }
  CHECK(failed == doctest::Approx(1000).epsilon(0.14));  // 5 standard deviations: √(4000 · 0.25 · 0.75) = 27
  CHECK(draw_fault(script_of("error_rate=1,close_after=3,error_at=2"), 0).kind == Fault::Kind::error);
}

TEST_CASE("without a stream there is one body when the last token is due") {
  GenerationRequest request = chat();
  request.stream = false;
  const Played played = play(script_of("ttft=50ms,itl=10ms,tokens=3"), request);
  CHECK(times(played) == std::vector<Nanos>{70ms});
  const auto body = parsed(played.writes[0].bytes);
  CHECK(body.at("object") == "chat.completion");
  CHECK(count_words(body.at_pointer("/choices/0/message/content").as_string()) == 3);
  CHECK(body.at_pointer("/usage/total_tokens") == 13);
  CHECK(body.at_pointer("/choices/0/finish_reason") == "stop");
  request.stream = true;
  CHECK(play(script_of("tokens=3,stream_ignored=yes"), request).writes.size() == 1);
}

TEST_CASE("an answer without a token still ends") {
  const Played played = play(script_of("ttft=50ms,tokens=0,role_chunk=no"), chat());
  CHECK(times(played) == std::vector<Nanos>{50ms});
  CHECK(all_events(played).size() == 4);  // reason, usage, [DONE], end
}

TEST_CASE("another model and a prompt beyond the context are refused") {
  GenerationRequest request = chat(90);
  CHECK(refusal_of(script_of("model=other"), request)->status == 404);
  CHECK(refusal_of(script_of("context=96"), request)->code == "context_length_exceeded");  // 97 with the template
  CHECK_FALSE(refusal_of(script_of("context=97"), request));
  request.max_tokens = 1;
  CHECK(refusal_of(script_of("context=97"), request)->code == "context_length_exceeded");
}

TEST_CASE("what the endpoint says of itself is what a client would parse") {
  const auto script = script_of("model=a/b,context=5000,bos=2");
  CHECK(parsed(models_body(script, kCreated)).at_pointer("/data/0/id") == "a/b");
  const auto counted = parsed(tokenize_body(script, {{5, 6, 7}, false, true}));
  CHECK(counted.at("count") == 5);
  CHECK(counted.at("tokens").as_array().size() == 5);
  CHECK(counted.at("max_model_len") == 5000);
  CHECK(parsed(tokenize_body(script, {{5, 6, 7}, false, false})).at("count") == 3);
  CHECK(parsed(tokenize_body(script, {{5, 6, 7}, true, true})).at("count") == 10);
  EndpointStats stats;
  stats.running = 3;
  stats.writes = 1;
  stats.lag_p50 = stats.lag_p99 = stats.lag_max = 2us;
  const std::string metrics = metrics_body(script, stats);
  CHECK(metrics.find("vllm:num_requests_running{model_name=\"a/b\"} 3\n") != std::string::npos);
  CHECK(metrics.find("quantile=\"0.99\"} 2e-06\n") != std::string::npos);
}

}  // namespace scoville::endpoint
