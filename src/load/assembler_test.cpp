#include "load/assembler.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace scoville::load {
namespace {

using namespace std::chrono_literals;
using event::CountSource;
using event::Failure;
using event::Flag;

Instant at_ms(int ms) { return Instant(std::chrono::milliseconds(ms)); }

constexpr Assembler::Expectation kChat{
    .choices = 1, .ignore_eos = false, .keeps_text = true, .has_done_marker = true, .has_end_frame = false};

Chunk saying(std::string_view answer, std::uint8_t choice = 0) {
  Chunk chunk;
  ChoiceDelta& delta = chunk.choices.emplace_back();
  delta.index = choice;
  delta.answer = answer;
  delta.has_token = !answer.empty();
  return chunk;
}

Chunk counted(Chunk chunk, std::int64_t completion_tokens) {
  chunk.completion_tokens = completion_tokens;
  return chunk;
}

Chunk listed(Chunk chunk, std::int32_t tokens) {
  chunk.choices.front().exact_tokens = tokens;
  return chunk;
}

Chunk usage(std::int64_t completion_tokens) { return counted(Chunk(), completion_tokens); }

Chunk finished(std::string_view reason, std::uint8_t choice = 0) {
  Chunk chunk = saying("", choice);
  chunk.choices.front().has_finish = true;
  chunk.choices.front().finish_reason = reason;
  return chunk;
}

Chunk error(std::string message, std::string code = "", std::string param = "") {
  Chunk chunk;
  chunk.is_error = true;
  chunk.error_message = std::move(message);
  chunk.error_code = std::move(code);
  chunk.error_param = std::move(param);
  return chunk;
}

/// One answer told frame by frame. Its request was written at 0 ms; each frame comes in a read of its own.
struct Told {
  explicit Told(const Assembler::Expectation& expectation = kChat) {
    record.written = at_ms(0);
    assembler.begin(record, expectation);
  }

  Told& frame(int ms, const Chunk& chunk) {
    assembler.on_chunk(chunk, {at_ms(ms), 0, 0, ++read});
    return *this;
  }
  Told& done(int ms) {
    assembler.on_done_marker({at_ms(ms), 0, 0, ++read});
    return *this;
  }
  const event::RequestRecord& end(int ms, BodyEnd how = BodyEnd::clean) {
    assembler.finish(how, at_ms(ms));
    return record;
  }

  event::RequestRecord record;
  Assembler assembler;
  std::uint64_t read = 0;
};

/// What `texts`, one a frame and then [DONE], become.
Told told(std::initializer_list<std::string_view> texts) {
  Told out;
  int ms = 0;
  for (const std::string_view text : texts) out.frame(ms += 10, saying(text));
  ms += 10;
  out.done(ms).end(ms);
  return out;
}

}  // namespace

TEST_CASE("usage records are running totals: the largest counts, nothing is added up") {
  Told told;
  told.frame(100, counted(saying("a"), 1)).frame(110, counted(saying("b"), 3)).frame(120, counted(saying("c"), 7));
  const auto& record = told.frame(130, finished("stop")).frame(130, usage(7)).done(130).end(130);
  CHECK(record.n_out == 7);
  CHECK(record.n_out_source == CountSource::usage);
  CHECK(record.k_first == 1);
  CHECK(record.tokens[1].tokens == 2);  // 3 − 1
  CHECK(record.tokens[2].tokens == 4);  // 7 − 3
  CHECK(record.flags.has(Flag::multi_token_chunks));
  CHECK(event::tpot(record) == Nanos(20ms) / 6);  // (120 − 100) ms over 7 − 1 tokens
}

TEST_CASE("a running total that falls back brings no tokens, and none twice") {
  Told told;
  told.frame(100, counted(saying("a"), 5)).frame(110, counted(saying("b"), 3)).frame(120, counted(saying("c"), 6));
  const auto& record = told.done(120).end(120);
  CHECK(record.n_out == 6);
  CHECK(record.tokens[1].tokens == 0);
  CHECK(record.tokens[2].tokens == 1);  // 6 − 5: the three events hold 6 tokens together
}

TEST_CASE("tokens of the first event take part in TPOT where a running usage tells them") {
  Told told;
  told.frame(100, counted(saying("a b c d e"), 5)).frame(200, counted(saying("f"), 15));
  const auto& record = told.done(200).end(200);
  CHECK(record.k_first == 5);
  CHECK(event::tpot(record) == 10ms);  // 100 ms over 15 − 5
}

TEST_CASE("where the running usage begins late, the tokens before and in that event are unknown") {
  Told told;
  told.frame(100, saying("a")).frame(110, counted(saying("b"), 4)).frame(120, counted(saying("c"), 6));
  const auto& record = told.done(120).end(120);
  CHECK_FALSE(record.k_first.has_value());
  CHECK(record.tokens[0].tokens == event::TokenEvent::kUnknownTokens);
  CHECK(record.tokens[1].tokens == event::TokenEvent::kUnknownTokens);
  CHECK(record.tokens[2].tokens == 2);
  CHECK_FALSE(event::token_latencies(record).has_value());
}

TEST_CASE("exact lists are added up where every event has one") {
  Told all, some;
  const auto& exact =
      all.frame(100, listed(saying("un do"), 2)).frame(150, listed(saying("ing"), 3)).done(150).end(150);
  CHECK(exact.n_out == 5);
  CHECK(exact.n_out_source == CountSource::exact);
  CHECK(exact.k_first == 2);
  const auto& partial = some.frame(100, listed(saying("un do"), 2)).frame(150, saying("ing")).done(150).end(150);
  CHECK_FALSE(partial.n_out.has_value());
}

TEST_CASE("a token whose text is held back counts, and joins the event that brings the text") {
  // Half of a character has no text yet: vLLM sends its id with an empty delta.
  Told told;
  told.frame(100, listed(saying("a"), 1)).frame(110, listed(saying(""), 1)).frame(120, listed(saying("é"), 1));
  const auto& record = told.done(120).end(120);
  CHECK(record.n_out == 3);
  REQUIRE(record.tokens.size() == 2);
  CHECK(record.tokens[1].tokens == 2);
  CHECK(event::token_latencies(record) == std::vector<Nanos>{10ms, 10ms});  // 20 ms for two tokens
}

TEST_CASE("usage goes before exact lists, and chunks are never counted as tokens") {
  Told both, neither;
  CHECK(both.frame(10, listed(saying("a"), 1)).frame(20, usage(4)).done(20).end(20).n_out == 4);
  const auto& record = neither.frame(10, saying("a")).frame(20, saying("b")).done(20).end(20);
  CHECK_FALSE(record.n_out.has_value());
  CHECK(record.n_out_source == CountSource::none);
  CHECK_FALSE(event::tpot(record).has_value());
  CHECK(record.succeeded());
}

TEST_CASE("a usage of 0 tokens cannot be right where text came") {
  Told wrong, right;
  const auto& record = wrong.frame(10, saying("a")).frame(20, saying("b")).frame(20, usage(0)).done(20).end(20);
  CHECK_FALSE(record.n_out.has_value());
  CHECK(record.flags.has(Flag::usage_differs));
  // The lists that are there still count.
  right.frame(10, listed(saying("a"), 1)).frame(20, listed(saying("b"), 2)).frame(20, usage(0)).done(20);
  CHECK(right.end(20).n_out == 3);
}

TEST_CASE("text that is repeated and grows in each event is cumulative, and kept once") {
  const Told growing = told({"a", "ab", "abc", "abcd"});
  CHECK(growing.record.flags.has(Flag::cumulative_text));
  CHECK(growing.record.text->answers.at(0) == "abcd");
}

TEST_CASE("real repetition is not taken for cumulative text") {
  const Told laughing = told({"ha", "ha", "ha", "ha", "ha"});
  CHECK_FALSE(laughing.record.flags.has(Flag::cumulative_text));
  CHECK(laughing.record.text->answers.at(0) == "hahahahaha");
  const Told counting = told({"1", "12", "123", " and so on"});  // a text may well begin like that
  CHECK_FALSE(counting.record.flags.has(Flag::cumulative_text));
  CHECK(counting.record.text->answers.at(0) == "112123 and so on");
}

TEST_CASE("an answer is proved complete by [DONE], a finish reason for each choice, or a final usage record") {
  const auto verdict = [](const Chunk& proof) {
    Told told;
    return told.frame(10, saying("a")).frame(20, proof).end(30).failure;
  };
  CHECK(verdict(finished("stop")) == Failure::none);
  CHECK(verdict(usage(1)) == Failure::none);
  CHECK(verdict(saying("b")) == Failure::truncated);  // the body ended cleanly, but half way for all we know
  CHECK(told({"a"}).record.failure == Failure::none);
  CHECK(told({"a"}).record.flags.has(Flag::no_finish_reason));
  Told unmarked({.has_done_marker = false, .has_end_frame = false});
  CHECK(unmarked.frame(10, saying("a")).end(20).failure == Failure::none);  // this dialect has no marker
  Told endless({.has_done_marker = false, .has_end_frame = true});
  CHECK(endless.frame(10, saying("a")).end(20).failure == Failure::truncated);
}

TEST_CASE("with two choices both must finish") {
  Told one({.choices = 2, .has_done_marker = true}), both({.choices = 2, .has_done_marker = true});
  CHECK(one.frame(10, saying("a", 0)).frame(20, saying("b", 1)).frame(30, finished("stop", 0)).end(30).failure ==
        Failure::truncated);
  both.frame(10, saying("a", 0)).frame(20, saying("b", 1)).frame(30, finished("stop", 1));
  CHECK(both.frame(40, finished("length", 0)).end(40).failure == Failure::none);
  CHECK(both.record.finish_reason == "stop");  // the first that came
}

TEST_CASE("several choices: texts and gaps of each, and no TPOT") {
  Assembler::Expectation expectation = kChat;
  expectation.choices = 2;
  Told told(expectation);
  told.frame(100, saying("a", 0)).frame(110, saying("x", 1)).frame(130, saying("b", 0)).frame(150, saying("y", 1));
  const auto& record = told.frame(150, usage(4)).done(150).end(150);
  CHECK(record.flags.has(Flag::n_gt_1));
  CHECK(record.text->answers == std::vector<std::string>{"ab", "xy"});
  CHECK(event::chunk_gaps(record, 0) == std::vector<Nanos>{30ms});
  CHECK(event::chunk_gaps(record, 1) == std::vector<Nanos>{40ms});
  CHECK_FALSE(event::tpot(record).has_value());
}

TEST_CASE("an end without any sign of generation is an empty output") {
  Told nothing, reason, number;
  const auto& empty = nothing.done(50).end(60);
  CHECK(empty.failure == Failure::empty_output);
  CHECK_FALSE(empty.first_token.has_value());  // null, never 0
  CHECK(empty.failed_at == at_ms(60));
  // The server says that it generated and stopped at once: a success, and said to be empty.
  CHECK(reason.frame(10, finished("stop")).done(10).end(10).succeeded());
  CHECK(reason.record.flags.has(Flag::empty_output));
  CHECK(number.frame(10, usage(3)).done(10).end(10).succeeded());
  CHECK(number.record.flags.has(Flag::tokens_without_text));
}

TEST_CASE("how the body ended decides where no end marker came, and does not matter where one did") {
  const auto verdict = [](BodyEnd how, bool is_done) {
    Told told;
    told.frame(10, saying("a"));
    if (is_done) told.done(20);
    return told.end(30, how).failure;
  };
  for (const auto& [how, failure] : {std::pair{BodyEnd::truncated, Failure::truncated},
                                     {BodyEnd::reset, Failure::reset},
                                     {BodyEnd::no_answer, Failure::reset},
                                     {BodyEnd::timeout_idle, Failure::timeout_idle},
                                     {BodyEnd::timeout_request, Failure::timeout_request},
                                     {BodyEnd::aborted, Failure::aborted}}) {
    CHECK(verdict(how, false) == failure);
    CHECK(verdict(how, true) == Failure::none);
  }
}

TEST_CASE("a request that was given up has no end, only the time at which it was given up") {
  Told told;
  const auto& record = told.frame(10, saying("a")).end(500, BodyEnd::timeout_idle);
  CHECK_FALSE(record.end.has_value());
  CHECK(record.failed_at == at_ms(500));
  CHECK(record.first_token == at_ms(10));
}

TEST_CASE("the end is the end marker, not the end of the body behind it") {
  Told told;
  const auto& record = told.frame(10, saying("a")).done(20).end(90);
  CHECK(record.end == at_ms(20));
  CHECK_FALSE(record.flags.has(Flag::no_done));
  Told markless;
  const auto& late = markless.frame(10, saying("a")).frame(20, finished("stop")).end(90);
  CHECK(late.end == at_ms(90));
  CHECK(late.flags.has(Flag::no_done));
}

TEST_CASE("a finish reason that says error or abort is a failure, though all came") {
  for (const char* reason : {"error", "abort", "aborted", "cancelled"}) {
    Told told;
    CHECK(told.frame(10, saying("a")).frame(20, finished(reason)).done(20).end(20).failure == Failure::aborted);
  }
}

TEST_CASE("an error object in the stream ends the request, with the server's words") {
  Told told;
  told.frame(10, saying("a")).frame(20, error("no such option", "unsupported_parameter", "logit_bias"));
  CHECK(told.assembler.has_ended());
  const auto& record = told.done(30).end(30);
  CHECK(record.failure == Failure::stream_error);
  CHECK(record.error_message == "no such option");
  CHECK(record.param == "logit_bias");
  CHECK(record.sub_class == event::SubClass::unsupported_parameter);
}

TEST_CASE("rejections are told apart by the words that servers use") {
  using event::SubClass;
  CHECK(sub_class_of("context_length_exceeded", "", "") == SubClass::context_length);
  CHECK(sub_class_of("", "This model's maximum context length is 4096 tokens", "messages") == SubClass::context_length);
  CHECK(sub_class_of("", "Prompt is TOO LONG", "") == SubClass::context_length);
  CHECK(sub_class_of("", "`inputs` tokens + `max_new_tokens` must be <= 4096", "") == SubClass::context_length);
  CHECK(sub_class_of("", "Extra inputs are not permitted", "") == SubClass::unsupported_parameter);
  CHECK(sub_class_of("", "'min_p' is not supported", "min_p") == SubClass::unsupported_parameter);
  CHECK(sub_class_of("", "streaming is not supported", "") == SubClass::none);  // no parameter is named
  CHECK(sub_class_of("500", "CUDA error", "") == SubClass::none);
}

TEST_CASE("a server's own decode rate is dropped where it cannot be right") {
  const auto rate_of = [](double tokens_per_s, double decode_s) {
    Told told;
    Chunk last = usage(10);
    last.server.emplace().decode_tokens_per_s = tokens_per_s;
    last.server_decode_s = decode_s;
    told.frame(100, saying("a")).frame(1000, saying("b")).frame(1000, last).done(1000).end(1000);
    const bool is_doubted = told.record.flags.has(Flag::implausible_server_rate);
    CHECK(is_doubted == !told.record.server->decode_tokens_per_s.has_value());
    return told.record.server->decode_tokens_per_s;
  };
  CHECK(rate_of(11.0, 0.9) == 11.0);                // 0.9 s of decoding in a request of 1 s
  CHECK_FALSE(rate_of(5.0, 2.0).has_value());       // longer than the whole request
  CHECK_FALSE(rate_of(2e6, 0.000005).has_value());  // two million tokens a second
}

TEST_CASE("a decode time of 0 is flagged and gives no rate") {
  Told told;
  Chunk last = usage(10);
  last.server.emplace().predicted_n = 10;
  last.server_decode_s = 0.0;
  const auto& record = told.frame(10, saying("a")).frame(20, last).done(20).end(20);
  CHECK(record.flags.has(Flag::implausible_server_rate));
  CHECK_FALSE(record.server->decode_tokens_per_s.has_value());
}

TEST_CASE("events of one read share an arrival time, and say so") {
  Told told;
  told.assembler.on_chunk(saying("a"), {at_ms(10), 0, 0, 1});
  told.assembler.on_chunk(saying("b"), {at_ms(10), 0, 0, 1});
  told.assembler.on_chunk(saying("c"), {at_ms(20), 0, 0, 2});
  const auto& record = told.done(20).end(20);
  CHECK(record.flags.has(Flag::coalesced));
  CHECK(record.tokens[0].shares_read);
  CHECK(record.tokens[1].shares_read);
  CHECK_FALSE(record.tokens[2].shares_read);
  CHECK_FALSE(::scoville::load::told({"a", "b"}).record.flags.has(Flag::coalesced));
}

TEST_CASE("eight tokens in under a hundredth of the request are no stream in earnest") {
  const auto is_burst = [](int first_ms, int last_ms, std::int64_t n) {
    Told told;
    return told.frame(first_ms, saying("a"))
        .frame(last_ms, counted(saying("b"), n))
        .done(1000)
        .end(1000)
        .flags.has(Flag::burst_stream);
  };
  CHECK(is_burst(990, 999, 8));        // 9 ms of 1000
  CHECK_FALSE(is_burst(989, 999, 8));  // 10 ms: exactly 1 %
  CHECK_FALSE(is_burst(990, 999, 7));
}

TEST_CASE("under ignore_eos fewer tokens than asked for are flagged, an unknown count is not") {
  const auto is_short = [](std::int64_t n) {
    Assembler::Expectation expectation = kChat;
    expectation.ignore_eos = true;
    Told told(expectation);
    told.record.max_tokens = 10;
    told.frame(10, saying("a"));
    if (n >= 0) told.frame(20, usage(n));
    return told.done(20).end(20).flags.has(Flag::short_output);
  };
  CHECK(is_short(9));
  CHECK_FALSE(is_short(10));
  CHECK_FALSE(is_short(-1));
}

TEST_CASE("a usage beyond the limit that the request set is doubted") {
  const auto is_doubted = [](std::uint32_t max_tokens, std::uint32_t choices, std::int64_t n) {
    Assembler::Expectation expectation = kChat;
    expectation.choices = choices;
    Told told(expectation);
    told.record.max_tokens = max_tokens;
    return told.frame(10, saying("a")).frame(20, usage(n)).done(20).end(20).flags.has(Flag::usage_differs);
  };
  CHECK(is_doubted(10, 1, 20));
  CHECK_FALSE(is_doubted(10, 1, 10));
  CHECK_FALSE(is_doubted(10, 2, 20));  // two choices of 10
  CHECK_FALSE(is_doubted(0, 1, 20));   // no limit was set
}

TEST_CASE("one JSON body instead of a stream has counts and text, but no times of tokens") {
  Told told;
  Chunk whole = counted(saying("all of it"), 3);
  whole.choices.front().has_finish = true;
  whole.choices.front().finish_reason = "stop";
  told.assembler.on_whole_body(whole);
  const auto& record = told.end(100);
  CHECK(record.succeeded());
  CHECK(record.flags.has(Flag::not_streamed));
  CHECK_FALSE(record.first_token.has_value());
  CHECK(record.tokens.empty());
  CHECK(record.n_out == 3);
  CHECK(record.text->answers.at(0) == "all of it");
  CHECK_FALSE(record.flags.has(Flag::tokens_without_text));
}

TEST_CASE("first token and first answer text differ where a model thinks first") {
  Told told;
  Chunk thought;
  thought.choices.emplace_back().reasoning = "hm";
  thought.choices.back().has_token = true;
  const auto& record = told.frame(50, thought).frame(80, saying("yes")).done(90).end(90);
  CHECK(record.first_token == at_ms(50));
  CHECK(record.first_answer == at_ms(80));
  CHECK(record.text->reasoning == "hm");
}

TEST_CASE("emit times of a scripted endpoint become the time since, clamped to what fits") {
  Told told;
  Chunk near = saying("a"), far = saying("b");
  near.emit_ns = at_ms(99).time_since_epoch().count();
  far.emit_ns = -1'000'000'000'000;
  told.frame(100, near).frame(110, far).frame(120, saying("c"));
  CHECK(told.record.tokens[0].since_emit_ns == 1'000'000);
  CHECK(told.record.tokens[1].since_emit_ns == INT32_MAX);
  CHECK(told.record.tokens[2].since_emit_ns == event::TokenEvent::kNoEmitTime);
}

TEST_CASE("the first verdict stands, and the next request begins with a clean slate") {
  Told told;
  told.frame(10, listed(saying("a"), 1)).frame(20, listed(saying("ab"), 1)).frame(30, finished("stop"));
  CHECK(told.end(40, BodyEnd::timeout_idle).failure == Failure::timeout_idle);
  CHECK(told.end(50).failure == Failure::timeout_idle);
  told.record = event::RequestRecord();
  told.record.written = at_ms(0);
  told.assembler.begin(told.record, kChat);
  CHECK_FALSE(told.assembler.has_ended());
  const auto& second = told.frame(60, saying("abc")).frame(70, saying("abcd")).done(80).end(80);
  CHECK(second.succeeded());
  CHECK_FALSE(second.n_out.has_value());
  CHECK(second.flags.has(Flag::no_finish_reason));
  CHECK(second.text->answers.at(0) == "abcabcd");
}

}  // namespace scoville::load
