#include "record/block_codec.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"
#include "record/head_fields.hpp"

using namespace scoville;
using event::RequestRecord;
using event::TokenEvent;

namespace {

Instant at(std::int64_t ns) { return Instant(Nanos(ns)); }

/// A request with a value in every field that is kept, so that a field forgotten by the format is seen.
RequestRecord full_record() {
  RequestRecord r;
  r.index = 1234567;
  r.thread = 3;
  r.attempt = 2;
  r.is_warmup = r.was_held = r.reused_connection = true;
  std::int64_t ns = 5'000'000'123;
  for (Moment* each : {&r.due, &r.dequeued, &r.connected, &r.written, &r.headers, &r.first_byte, &r.first_chunk,
                       &r.first_token, &r.first_answer, &r.last_token, &r.last_chunk, &r.end, &r.failed_at}) {
    *each = at(ns += 1'000'457);
  }
  r.write_took = Nanos(4321);
  r.end_width_ns = 77;
  r.dns = Nanos(1);
  r.tcp = Nanos(2);
  r.tls = Nanos(3);
  r.failure = event::Failure::dns;
  r.sub_class = event::SubClass::unsupported_parameter;
  r.http_status = 503;
  r.retry_after_s = 1.5;
  r.param = "max_tokens";
  r.location = "/elsewhere";
  r.error_message = "busy";
  r.finish_reason = "length";
  r.flags.set(event::Flag::usage_differs);
  r.max_tokens = 128;
  r.asked_prompt_tokens = 512;
  r.n_out = 127;
  r.prompt_tokens = 513;
  r.cached_tokens = 0;
  r.n_out_source = event::CountSource::tokenizer;
  r.k_first = 2;
  r.malformed = 1;
  r.resends = 2;
  r.redirects = 3;
  r.body_bytes = 99999;
  r.prompt_hash = 0xfedcba9876543210;
  r.answer_hash = 0x0123456789abcdef;
  r.rtt_us = 250;
  r.retransmits = 4;
  r.server = event::ServerTimings{11, 12, 13, 14.5};
  return r;
}

std::vector<RequestRecord> decoded(const record::Block& block) {
  std::vector<RequestRecord> out;
  REQUIRE(record::decode(block.heads, block.tokens, [&](RequestRecord& r) { out.push_back(std::move(r)); }).ok());
  return out;
}

/// Every kept field as one string of bytes.
std::string bytes_of(const RequestRecord& record) { return record::encode({&record, 1}).heads; }

}  // namespace

TEST_CASE("every field of a request comes back as it was") {
  const RequestRecord before = full_record();
  const std::vector<RequestRecord> after = decoded(record::encode({&before, 1}));
  REQUIRE(after.size() == 1);
  const RequestRecord& r = after[0];
  CHECK(bytes_of(r) == bytes_of(before));
  CHECK(r.index == 1234567);
  CHECK(r.due == before.due);
  CHECK(r.failed_at == before.failed_at);
  CHECK(*r.tls == Nanos(3));
  CHECK(r.error_message == "busy");
  CHECK(r.flags.has(event::Flag::usage_differs));
  CHECK(r.server->decode_tokens_per_s == 14.5);
  CHECK(r.answer_hash == before.answer_hash);
}

TEST_CASE("what never happened stays empty, not 0") {
  const RequestRecord before;
  const RequestRecord after = decoded(record::encode({&before, 1})).front();
  CHECK_FALSE(after.due.has_value());
  CHECK_FALSE(after.end.has_value());
  CHECK_FALSE(after.n_out.has_value());
  CHECK_FALSE(after.server.has_value());
}

TEST_CASE("token events lie on a grid of 1 µs whose error does not add up") {
  RequestRecord before;
  before.first_token = at(1'000'000'007);
  // 1000 gaps of 10,000.4 µs: each rounded by itself would be 400 µs off in the end.
  for (int i = 0; i < 1000; ++i) {
    TokenEvent event;
    event.at = at(1'000'000'007 + i * std::int64_t{10'000'400});
    event.width_ns = 1;          // rounded up: a bound stays a bound
    event.read_lag_ns = 42'400;  // 42 µs
    event.since_emit_ns = 3'749;
    event.tokens = 1;
    before.tokens.push_back(event);
  }
  const RequestRecord after = decoded(record::encode({&before, 1})).front();
  REQUIRE(after.tokens.size() == 1000);
  CHECK(after.tokens.front().at == before.tokens.front().at);
  for (std::size_t i = 0; i < 1000; ++i) {
    CHECK(std::abs((after.tokens[i].at - before.tokens[i].at).count()) <= 500);
  }
  CHECK(after.tokens[5].width_ns == 1000);
  CHECK(after.tokens[5].read_lag_ns == 43'000);  // the step of 42 and 43 µs
  CHECK(after.tokens[5].since_emit_ns == 3'700);
  CHECK(after.tokens[5].tokens == 1);
}

TEST_CASE("a lag is exact to 31 µs and within 3.2 % beyond, an emit time within 0.8 %, whatever their size and sign") {
  RequestRecord before;
  before.first_token = at(0);
  for (std::int64_t value = 1; value < 1'500'000'000; value = value * 5 / 4 + 1) {
    TokenEvent event;
    event.read_lag_ns = static_cast<std::uint32_t>(value);
    event.since_emit_ns = static_cast<std::int32_t>(before.tokens.size() % 2 ? -value : value);
    before.tokens.push_back(event);
  }
  const RequestRecord after = decoded(record::encode({&before, 1})).front();
  for (std::size_t i = 0; i < before.tokens.size(); ++i) {
    const double lag = before.tokens[i].read_lag_ns, emit = before.tokens[i].since_emit_ns;
    CAPTURE(lag);
    CHECK(std::abs(after.tokens[i].read_lag_ns - lag) <= lag * 0.032 + 500);
    CHECK(std::abs(after.tokens[i].since_emit_ns - emit) <= std::abs(emit) * 0.008 + 50);
  }
}

TEST_CASE("events of the same moment keep their gap of 0, and what is not known of them stays unknown") {
  RequestRecord before;
  before.first_token = at(500);
  before.tokens.resize(2);
  before.tokens[0].at = before.tokens[1].at = at(500);
  before.tokens[1].choice = 3;
  before.tokens[1].shares_read = true;
  const RequestRecord after = decoded(record::encode({&before, 1})).front();
  CHECK(after.tokens[0].at == after.tokens[1].at);
  CHECK(after.tokens[0].tokens == TokenEvent::kUnknownTokens);
  CHECK(after.tokens[0].since_emit_ns == TokenEvent::kNoEmitTime);
  CHECK(after.tokens[1].choice == 3);
  CHECK(after.tokens[1].shares_read);
  CHECK_FALSE(after.tokens[0].shares_read);
}

TEST_CASE("bytes that are no block, or half of one, are an error and never a crash") {
  std::vector<RequestRecord> records(70, full_record());
  for (RequestRecord& each : records) each.tokens.resize(20);
  const record::Block block = record::encode(records);
  const auto ignore = [](RequestRecord&) {};
  CHECK_FALSE(record::decode("", "", ignore).ok());
  CHECK_FALSE(record::decode("nonsense", block.tokens, ignore).ok());
  CHECK_FALSE(record::decode(block.heads, block.heads, ignore).ok());
  for (std::size_t cut = 0; cut < block.heads.size(); cut += 7) {
    CHECK_FALSE(record::decode(block.heads.substr(0, cut), block.tokens, ignore).ok());
  }
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {  // any outcome but a crash
    std::string heads = block.heads, tokens = block.tokens;
    heads[rng() % heads.size()] ^= static_cast<char>(1 + rng() % 255);
    tokens[rng() % tokens.size()] ^= static_cast<char>(1 + rng() % 255);
    static_cast<void>(record::decode(heads, block.tokens, ignore));
    static_cast<void>(record::decode(block.heads, tokens, ignore));
  }
}

TEST_CASE("a token takes less than 4 bytes, its share of the request included, with jitter on everything") {
  Rng rng(7);
  std::vector<RequestRecord> records;
  std::int64_t clock = 1'000'000'000;
  for (int i = 0; i < 256; ++i) {
    RequestRecord r = full_record();
    r.param.clear();
    r.location.clear();
    r.error_message.clear();
    r.server.reset();
    r.index = static_cast<std::uint64_t>(i);
    r.prompt_hash = rng();
    r.answer_hash = rng();
    clock += 3'000'000;
    r.first_token = at(clock);
    std::int64_t token = clock;
    for (int k = 0; k < 100; ++k) {
      TokenEvent event;
      event.at = at(token);
      event.read_lag_ns = static_cast<std::uint32_t>(5'000 + rng() % 60'000);
      event.since_emit_ns = static_cast<std::int32_t>(2'000 + rng() % 4'000);
      r.tokens.push_back(event);
      token += 10'000'000 + static_cast<std::int64_t>(rng() % 100'000);
    }
    records.push_back(std::move(r));
  }
  const record::Block block = record::encode(records);
  const double per_token = static_cast<double>(block.heads.size() + block.tokens.size()) / 25'600;
  MESSAGE("bytes per token: ", per_token);
  CHECK(per_token < 4);
}
