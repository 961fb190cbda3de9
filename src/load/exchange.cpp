#include "load/exchange.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "load/failure_class.hpp"
#include "text/catalogue.hpp"
#include "wire/socket.hpp"

namespace scoville::load {
namespace {

using event::Failure;
using event::Flag;
using text::Msg;
using text::say;

constexpr std::size_t kLongestBody = std::size_t{16} << 20;
constexpr std::size_t kKeptErrorBody = 256;

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::uint32_t saturated(Nanos span) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(span.count(), 0, std::numeric_limits<std::uint32_t>::max()));
}

bool type_is(const std::string& content_type, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return content_type.find(name) != std::string::npos; });
}

}  // namespace

void Exchange::start(std::unique_ptr<wire::Connection> connection, Prepared prepared) {
  connection_ = std::move(connection);
  prepared_ = std::move(prepared);
  event::RequestRecord& record = prepared_.record;
  record.reused_connection = connection_->requests_carried > 0;
  if (!record.reused_connection) {
    record.connected = connection_->opened_at();
    record.tcp = connection_->tcp_took();
    record.tls = connection_->tls_took();
  }
  Assembler::Expectation expectation = setup_.expectation;
  const bool is_repeated = prepared_.conversation && prepared_.conversation->has_turn_after(record.turn);
  expectation.keeps_text = expectation.keeps_text || is_repeated;
  assembler_.begin(record, expectation);
  template_.forget();
  parser_.start();
  inflate_.reset();
  collected_.clear();
  body_ = Body::undecided;
  is_answered_ = is_over_ = was_told_ = must_close_ = false;
  keep_alive_ = true;
  handed_over_ = 0;
  was_handed_over_ = false;
  started_ = last_byte_ = setup_.loop.clock();
  bytes_before_ = connection_->bytes_received();
  retransmits_before_ = record.reused_connection ? wire::tcp_info(connection_->fd()).retransmits : 0;
  connection_->set_owner(*this);
  connection_->send(prepared_.bytes);
}

void Exchange::on_written(wire::Connection&, Instant at, Nanos took) {
  prepared_.record.written = at;
  prepared_.record.write_took = took;
}

FrameStamp Exchange::stamp_of(const char* frame_end) const {
  FrameStamp stamp;
  stamp.at = stamp_.at;
  stamp.read = read_;
  stamp.read_lag_ns = saturated(stamp_.read - stamp_.at);
  // Exact if nothing but the end of its HTTP chunk came behind it in this read, or all of the read in one segment.
  const std::ptrdiff_t behind = frame_end ? read_end_ - frame_end : -1;
  const bool is_last = behind >= 0 && behind <= 2;
  const bool is_exact = is_last || (behind > 2 && stamp_.from_kernel && connection_->came_in_one_segment());
  if (!is_exact) stamp.width_ns = saturated(stamp_.at - stamp_.last_empty);
  return stamp;
}

void Exchange::on_bytes(wire::Connection&, char* data, std::size_t size, const wire::ReadStamp& stamp) {
  stamp_ = stamp;
  last_byte_ = stamp.at;
  read_end_ = data + size;
  ++read_;
  const auto state = parser_.feed(data, size, wire::ReadBuffer::kHeadroom, *this);
  if (is_over_) return;
  if (must_close_) {
    assembler_.finish(BodyEnd::clean, stamp.at);
    answered();
    over(false);
    return;
  }
  if (state == wire::ResponseParser::State::failed) {
    reject(Failure::protocol, say(Msg::not_http, parser_.error()));
    return;
  }
  if (state == wire::ResponseParser::State::complete) {
    end_of_body();
    return;
  }
  if (!assembler_.has_ended()) return;
  if (prepared_.conversation) assembler_.finish(BodyEnd::clean, stamp.at);  // the next turn does not wait for the body
  answered();
}

void Exchange::on_head(const wire::ResponseHead& head) {
  event::RequestRecord& record = prepared_.record;
  prepared_.bytes = std::string();  // it will not be sent again
  record.headers = stamp_.at;
  record.http_status = static_cast<std::uint16_t>(head.status);
  keep_alive_ = head.keep_alive;
  double seconds = 0;
  const char* const last = head.retry_after.data() + head.retry_after.size();
  if (std::from_chars(head.retry_after.data(), last, seconds).ptr == last && last != head.retry_after.data()) {
    record.retry_after_s = seconds;
  }
  if (!head.content_encoding.empty() && head.content_encoding != "identity") {
    if (!wire::Inflate::knows(head.content_encoding)) {
      assembler_.fail(Failure::unsupported_encoding, say(Msg::coding_unsupported, head.content_encoding));
      must_close_ = true;
      body_ = Body::ignored;
      return;
    }
    inflate_ = std::make_unique<wire::Inflate>();
    record.flags.set(Flag::compressed);
  }
  if (head.status < 200 || head.status > 299) {
    assembler_.fail(Failure::http_status, "");
    record.failed_at = stamp_.at;
    record.location = head.location;
    body_ = Body::error;
  } else if (type_is(head.content_type, {"text/html"})) {
    assembler_.fail(Failure::protocol, say(Msg::html_page));
    body_ = Body::error;
  } else if (type_is(head.content_type, {"ndjson", "jsonl", "json-lines", "stream+json"}) ||
             (setup_.dialect.is_line_delimited() && !type_is(head.content_type, {"event-stream"}))) {
    body_ = Body::lines;
    sse_.reset(wire::SseParser::Mode::lines);
  } else if (type_is(head.content_type, {"application/json"})) {
    body_ = Body::whole;
  } else {
    body_ = Body::events;
    sse_.reset(wire::SseParser::Mode::events);
    if (head.content_length) record.flags.set(Flag::buffered);
  }
}

void Exchange::on_body(std::string_view bytes) {
  event::RequestRecord& record = prepared_.record;
  if (!record.first_byte) record.first_byte = stamp_.at;
  record.body_bytes += static_cast<std::uint32_t>(bytes.size());
  if (!inflate_) {
    take_body(bytes);
    return;
  }
  inflated_.clear();
  if (!inflate_->feed(bytes, inflated_)) {
    assembler_.fail(Failure::unsupported_encoding, say(Msg::coding_broken));
    must_close_ = true;
    return;
  }
  inflated_.reserve(inflated_.size() + wire::ReadBuffer::kPadding);
  take_body(inflated_);
}

void Exchange::take_body(std::string_view bytes) {
  if (must_close_ || body_ == Body::ignored) return;
  if (body_ == Body::events || body_ == Body::lines) {
    sse_.feed(bytes, [this](const wire::Frame& frame) { on_frame(frame); });
    if (sse_.is_overlong()) {
      assembler_.fail(Failure::protocol, say(Msg::frame_overlong, wire::SseParser::kLongestFrame >> 20));
      must_close_ = true;
    }
    // Without a single field this may be one bare JSON object under the wrong content type (case ERR-04).
    if (sse_.has_fields()) return;
  }
  if (collected_.size() + bytes.size() > kLongestBody) {
    assembler_.fail(Failure::protocol, say(Msg::frame_overlong, kLongestBody >> 20));
    must_close_ = true;
    return;
  }
  collected_.append(bytes);
}

void Exchange::on_frame(const wire::Frame& frame) {
  const std::string_view text = trim(frame.data);
  if (assembler_.has_ended()) {
    const bool is_closing = text == "[DONE]" && setup_.dialect.has_end_frame();  // behind an end frame some send both
    if (!text.empty() && !is_closing) assembler_.on_frame_after_end();
    return;
  }
  if (text.empty()) return;
  const FrameStamp stamp = stamp_of(frame.end);
  Chunk& chunk = setup_.chunk;
  if (body_ == Body::events && text == "[DONE]") {
    assembler_.on_done_marker(stamp);
    if (!frame.is_terminated) prepared_.record.flags.set(Flag::unterminated_last_event);
    return;
  }
  if (frame.is_error_field || frame.event == "error") {
    on_error_frame(text);
    prepared_.record.failed_at = stamp.at;
    return;
  }
  std::optional<std::int64_t> emit_ns;
  if (const auto plain = template_.match(text, emit_ns)) {
    chunk.clear();
    chunk.emit_ns = emit_ns;
    ChoiceDelta& delta = chunk.choices.emplace_back();
    delta.answer = *plain;
    delta.has_token = true;
    assembler_.on_chunk(chunk, stamp);
    return;
  }
  const std::optional<Json> json = setup_.reader.read(text);
  if (!json || !json->is_object()) {
    assembler_.on_malformed();
    return;
  }
  if (setup_.reader.was_nonstandard()) prepared_.record.flags.set(Flag::nonstandard_json);
  if (!frame.is_terminated && body_ == Body::events) prepared_.record.flags.set(Flag::unterminated_last_event);
  setup_.dialect.interpret(*json, chunk);
  assembler_.on_chunk(chunk, stamp);
  if (chunk.is_error) prepared_.record.failed_at = stamp.at;
  if (chunk.choices.size() == 1 && !chunk.is_end && !chunk.completion_tokens && !chunk.prompt_tokens && !chunk.server) {
    const ChoiceDelta& delta = chunk.choices.front();
    const bool is_plain = delta.index == 0 && delta.has_token && delta.reasoning.empty() && !delta.answer.empty() &&
                          delta.exact_tokens < 0 && !delta.has_finish && !setup_.reader.was_nonstandard();
    if (is_plain) template_.learn(text, delta.answer, chunk.emit_ns);
  }
}

void Exchange::on_error_frame(std::string_view text) {
  Chunk& chunk = setup_.chunk;
  chunk.clear();
  const std::optional<Json> json = setup_.reader.read(text);
  JsonObject object;
  if (json && json->get(object) == simdjson::SUCCESS && !read_error(object, chunk)) {
    chunk.error_message = text_at(object, "message").value_or("");
    if (const auto code = integer_at(object, "code")) chunk.error_code = std::to_string(*code);
  }
  if (!json) chunk.error_message = text;
  chunk.is_error = true;
  assembler_.on_chunk(chunk, {});
}

void Exchange::end_of_body() {
  if (!is_answered_) {
    if (body_ == Body::events || body_ == Body::lines) {
      sse_.finish([this](const wire::Frame& frame) { on_frame(frame); });
    }
    if (!assembler_.has_ended()) read_collected();
  }
  assembler_.finish(BodyEnd::clean, stamp_.at);
  answered();
  over(keep_alive_ && !parser_.has_surplus() && connection_->is_open());
}

void Exchange::read_collected() {
  event::RequestRecord& record = prepared_.record;
  const bool is_stream = body_ == Body::events || body_ == Body::lines;
  if (collected_.empty() || (is_stream && sse_.has_fields())) return;
  collected_.reserve(collected_.size() + wire::ReadBuffer::kPadding);
  const std::optional<Json> json = setup_.reader.read(trim(collected_));
  Chunk& chunk = setup_.chunk;
  chunk.clear();
  if (json && json->is_object()) setup_.dialect.interpret(*json, chunk);
  if (body_ == Body::error) {
    if (setup_.expectation.keeps_text) record.text->error_body = collected_.substr(0, kKeptErrorBody);
    if (json && json->is_object()) assembler_.on_error_body(chunk);
    if (record.error_message.empty())
      record.error_message = trim(std::string_view(collected_).substr(0, kKeptErrorBody));
  } else if (json && json->is_object()) {
    assembler_.on_whole_body(chunk);
    if (chunk.is_error) record.failed_at = stamp_.at;
  } else if (body_ == Body::whole || collected_[0] == '<') {
    assembler_.fail(Failure::protocol, say(Msg::not_json));
  }
}

void Exchange::on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) {
  if (is_over_) return;
  const Instant now = setup_.loop.read_clock();
  event::RequestRecord& record = prepared_.record;
  const bool is_answerless = connection.bytes_received() == bytes_before_;
  if (is_answerless && record.reused_connection && record.resends == 0) {
    is_over_ = true;
    host_.on_stale(*this);
    return;
  }
  if (!is_answerless && !closing.is_reset && parser_.finish() == wire::ResponseParser::State::complete) {
    end_of_body();
    return;
  }
  if (closing.error.code != ErrorCode::io && !closing.error.message.empty() && !assembler_.has_ended()) {
    assembler_.fail(failure_class(closing.error.code, Failure::reset), closing.error.message);
  }
  if (record.failure == Failure::none) {
    record.error_message = closing.error.message.empty() ? say(Msg::closed_early) : closing.error.message;
  }
  if (body_ == Body::error) read_collected();
  assembler_.finish(is_answerless ? BodyEnd::no_answer : closing.is_reset ? BodyEnd::reset : BodyEnd::truncated, now);
  if (record.succeeded()) record.error_message.clear();
  answered();
  over(false);
}

void Exchange::hand_over_part(event::RecordSink& sink) {
  event::RequestRecord& record = prepared_.record;
  if (is_over_ || is_answered_ || (was_handed_over_ && record.tokens.size() == handed_over_)) return;
  sink.take_part(event::snapshot(record, handed_over_));
  handed_over_ = record.tokens.size();
  was_handed_over_ = true;
}

void Exchange::check_timeouts(Instant now) {
  if (is_over_) return;
  if (is_answered_) {
    if (now < linger_until_) return;
    prepared_.record.flags.set(Flag::held_open_after_done);
    assembler_.finish(BodyEnd::clean, now);
    over(false);
    return;
  }
  const event::RequestRecord& record = prepared_.record;
  const Instant since = record.written ? *record.written : started_;
  const Instant last_token = record.last_token ? *record.last_token : since;
  if (record.is_to_cancel && record.written && now - since >= setup_.cancel_after) {
    give_up(BodyEnd::cancelled, now);
  } else if (now - since >= setup_.timeouts.request) {
    give_up(BodyEnd::timeout_request, now);
  } else if (now - std::max(last_byte_, since) >= setup_.timeouts.idle ||
             now - last_token >= setup_.timeouts.token_idle) {
    give_up(BodyEnd::timeout_idle, now);
  }
}

void Exchange::abort(Instant now) {
  if (is_over_) return;
  give_up(BodyEnd::aborted, now);
}

void Exchange::give_up(BodyEnd how, Instant now) {
  assembler_.finish(how, now);
  answered();
  over(false);
}

void Exchange::reject(Failure failure, std::string message) {
  assembler_.fail(failure, std::move(message));
  assembler_.finish(BodyEnd::clean, stamp_.at);
  answered();
  over(false);
}

void Exchange::answered() {
  if (is_answered_) return;
  is_answered_ = true;
  linger_until_ = setup_.loop.clock() + setup_.timeouts.linger;
  host_.on_answered(*this);
}

void Exchange::over(bool is_reusable) {
  if (is_over_) return;
  is_over_ = true;
  event::RequestRecord& record = prepared_.record;
  if (connection_->fd() >= 0) {
    const wire::TcpInfo info = wire::tcp_info(connection_->fd());
    record.rtt_us = info.rtt_us;
    record.retransmits = info.retransmits - std::min(info.retransmits, retransmits_before_);
  }
  host_.on_over(*this, is_reusable);
}

}  // namespace scoville::load
