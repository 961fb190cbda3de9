#include "load/assembler.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/rng.hpp"

namespace scoville::load {
namespace {

using event::Failure;
using event::Flag;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

bool holds_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

void keep_largest(std::optional<std::int64_t>& kept, const std::optional<std::int64_t>& seen) {
  if (seen && *seen >= 0 && (!kept || *seen > *kept)) kept = seen;
}

/// The hash of a text that goes on with `more`; 0 is the hash of nothing.
std::uint64_t chained(std::uint64_t hash, std::string_view more) {
  if (more.empty()) return hash;
  return hash == 0 ? hash_bytes(more) : hash_bytes(more, hash);
}

bool says_aborted(const std::string& reason) {
  return reason == "error" || reason == "abort" || reason == "aborted" || reason == "cancelled";
}

}  // namespace

event::SubClass sub_class_of(const std::string& code, const std::string& message, const std::string& param) {
  const std::string words = lower(code + " " + message);
  if (holds_any(words, {"context_length", "context length", "context size", "exceed_context", "maximum context",
                        "prompt is too long", "prompt too long", "too many tokens", "max_model_len", "`inputs` tokens",
                        "input is too long", "longer than the maximum model length"})) {
    return event::SubClass::context_length;
  }
  if (holds_any(words, {"unsupported_parameter", "unsupported parameter", "unknown_parameter", "unknown parameter",
                        "unrecognized request argument", "extra inputs are not permitted", "extra_forbidden",
                        "is not supported with this model", "unknown field", "unsupported value"})) {
    return event::SubClass::unsupported_parameter;
  }
  return !param.empty() && holds_any(words, {"not supported", "unsupported"}) ? event::SubClass::unsupported_parameter
                                                                              : event::SubClass::none;
}

void Assembler::begin(event::RequestRecord& record, const Expectation& expectation) {
  record_ = &record;
  expected_ = expectation;
  for (Choice& choice : choices_) {
    choice.is_finished = false;
    choice.previous.clear();
    choice.repeats = 0;
    choice.may_be_cumulative = true;
    choice.answer_hash = choice.reasoning_hash = 0;
  }
  choices_seen_ = finished_ = 0;
  running_ = -1;
  exact_sum_ = held_back_ = 0;
  has_exact_ = lacks_exact_ = has_usage_ = has_end_marker_ = has_error_ = was_judged_ = has_body_ = false;
  server_decode_s_ = 0;
  last_read_ = 0;
  if (expectation.keeps_text && !record.text) record.text = std::make_shared<event::RequestText>();
}

void Assembler::on_chunk(const Chunk& chunk, const FrameStamp& stamp) {
  if (chunk.is_error) {
    note_error(chunk);
    return;
  }
  note_usage(chunk);
  if (!chunk.choices.empty()) {
    if (!record_->first_chunk) record_->first_chunk = stamp.at;
    record_->last_chunk = stamp.at;
  }
  for (const ChoiceDelta& delta : chunk.choices) {
    if (choices_.size() <= delta.index) choices_.resize(delta.index + std::size_t{1});
    choices_seen_ = std::max(choices_seen_, delta.index + std::size_t{1});
    if (delta.exact_tokens >= 0) {
      has_exact_ = true;
      exact_sum_ += delta.exact_tokens;
    }
    if (delta.has_token) {
      on_token(delta, chunk, stamp);
    } else if (delta.exact_tokens > 0) {
      held_back_ += delta.exact_tokens;
    }
    Choice& choice = choices_[delta.index];
    if (delta.has_finish && !choice.is_finished) {
      choice.is_finished = true;
      ++finished_;
      if (record_->finish_reason.empty()) record_->finish_reason = delta.finish_reason;
    }
  }
  if (chunk.is_end) {
    has_end_marker_ = true;
    record_->end = stamp.at;
    record_->end_width_ns = stamp.width_ns;
  }
}

void Assembler::on_token(const ChoiceDelta& delta, const Chunk& chunk, const FrameStamp& stamp) {
  event::TokenEvent token;
  token.at = stamp.at;
  token.width_ns = stamp.width_ns;
  token.read_lag_ns = stamp.read_lag_ns;
  token.choice = delta.index;
  if (chunk.emit_ns) {
    constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    const std::int64_t since = stamp.at.time_since_epoch().count() - *chunk.emit_ns;
    token.since_emit_ns = static_cast<std::int32_t>(std::clamp(since, -limit, limit));
  }

  // Tokens in this event: how far a running usage record moved, else the length of an exact list.
  std::int64_t tokens = -1;
  if (chunk.completion_tokens && *chunk.completion_tokens > 0) {
    const bool knows_before = running_ >= 0 || record_->tokens.empty();
    if (knows_before)
      tokens = std::max<std::int64_t>(0, *chunk.completion_tokens - std::max<std::int64_t>(0, running_));
    running_ = std::max(running_, *chunk.completion_tokens);
  } else if (delta.exact_tokens >= 0) {
    tokens = delta.exact_tokens + held_back_;
  }
  held_back_ = 0;
  if (delta.exact_tokens < 0) lacks_exact_ = true;
  if (tokens >= 0) {
    token.tokens = static_cast<std::uint16_t>(std::min<std::int64_t>(tokens, event::TokenEvent::kUnknownTokens - 1));
    if (record_->tokens.empty() && tokens > 0) record_->k_first = tokens;
  }

  if (stamp.read == last_read_ && !record_->tokens.empty()) {
    token.shares_read = record_->tokens.back().shares_read = true;
    record_->flags.set(Flag::coalesced);
  }
  last_read_ = stamp.read;
  if (record_->tokens.empty()) record_->first_token = stamp.at;
  if (!delta.answer.empty() && !record_->first_answer) record_->first_answer = stamp.at;
  record_->last_token = stamp.at;
  record_->tokens.push_back(token);
  note_text(delta);
}

void Assembler::note_text(const ChoiceDelta& delta) {
  Choice& choice = choices_[delta.index];
  bool is_repeat = false;
  if (choice.may_be_cumulative && !delta.answer.empty()) {
    is_repeat = !choice.previous.empty() && delta.answer.size() > choice.previous.size() &&
                delta.answer.starts_with(choice.previous);
    if (is_repeat) {
      ++choice.repeats;
    } else if (!choice.previous.empty()) {
      choice.may_be_cumulative = false;
    }
    if (choice.may_be_cumulative) choice.previous.assign(delta.answer);
    if (choice.repeats >= 3) record_->flags.set(Flag::cumulative_text);
  }
  choice.answer_hash = chained(choice.repeats >= 3 ? 0 : choice.answer_hash, delta.answer);
  choice.reasoning_hash = chained(choice.reasoning_hash, delta.reasoning);
  if (!delta.whole.empty()) choice.answer_hash = hash_bytes(delta.whole);
  if (!expected_.keeps_text) return;
  auto& answers = record_->text->answers;
  if (answers.size() <= delta.index) answers.resize(delta.index + std::size_t{1});
  if (!delta.whole.empty()) {
    answers[delta.index] = delta.whole;
  } else if (choice.repeats >= 3) {
    answers[delta.index] = delta.answer;
  } else {
    answers[delta.index] += delta.answer;
  }
  record_->text->reasoning += delta.reasoning;
}

void Assembler::note_usage(const Chunk& chunk) {
  keep_largest(record_->prompt_tokens, chunk.prompt_tokens);
  keep_largest(record_->cached_tokens, chunk.cached_tokens);
  if (chunk.completion_tokens) {
    keep_largest(record_->n_out, chunk.completion_tokens);
    has_usage_ = true;
  }
  if (chunk.server) {
    record_->server = chunk.server;
    server_decode_s_ = chunk.server_decode_s.value_or(0);
    if (chunk.server_decode_s && *chunk.server_decode_s <= 0) record_->flags.set(Flag::implausible_server_rate);
  }
}

void Assembler::note_error(const Chunk& chunk) {
  has_error_ = true;
  fail(Failure::stream_error, chunk.error_message.empty() ? chunk.error_code : chunk.error_message);
  record_->param = chunk.error_param;
  record_->sub_class = sub_class_of(chunk.error_code, chunk.error_message, chunk.error_param);
}

void Assembler::on_error_body(const Chunk& chunk) {
  if (!chunk.is_error) return;
  if (!chunk.error_message.empty()) record_->error_message = chunk.error_message;
  record_->param = chunk.error_param;
  record_->sub_class = sub_class_of(chunk.error_code, chunk.error_message, chunk.error_param);
}

void Assembler::on_done_marker(const FrameStamp& stamp) {
  has_end_marker_ = true;
  record_->end = stamp.at;
  record_->end_width_ns = stamp.width_ns;
}

void Assembler::on_malformed() {
  ++record_->malformed;
  record_->flags.set(Flag::malformed_frame);
}

void Assembler::on_whole_body(const Chunk& chunk) {
  has_body_ = true;
  if (expected_.makes_tokens) record_->flags.set(Flag::not_streamed);
  if (chunk.is_error) {
    note_error(chunk);
    return;
  }
  note_usage(chunk);
  for (const ChoiceDelta& delta : chunk.choices) {
    choices_seen_ = std::max(choices_seen_, delta.index + std::size_t{1});
    if (choices_.size() < choices_seen_) choices_.resize(choices_seen_);
    if (delta.has_finish && !choices_[delta.index].is_finished) {
      choices_[delta.index].is_finished = true;
      ++finished_;
      if (record_->finish_reason.empty()) record_->finish_reason = delta.finish_reason;
    }
    if (delta.exact_tokens >= 0) {
      has_exact_ = true;
      exact_sum_ += delta.exact_tokens;
    }
    choices_[delta.index].answer_hash = chained(choices_[delta.index].answer_hash, delta.answer);
    choices_[delta.index].reasoning_hash = chained(choices_[delta.index].reasoning_hash, delta.reasoning);
    if (!expected_.keeps_text) continue;
    auto& answers = record_->text->answers;
    if (answers.size() <= delta.index) answers.resize(delta.index + std::size_t{1});
    answers[delta.index] += delta.answer;
    record_->text->reasoning += delta.reasoning;
  }
}

void Assembler::fail(Failure failure, std::string message) {
  if (record_->failure != Failure::none) return;
  record_->failure = failure;
  record_->error_message = std::move(message);
}

Failure Assembler::judge(BodyEnd how) const {
  if (!has_end_marker_) {
    switch (how) {
      case BodyEnd::clean:
        break;
      case BodyEnd::truncated:
        return Failure::truncated;
      case BodyEnd::reset:
      case BodyEnd::no_answer:
        return Failure::reset;
      case BodyEnd::timeout_idle:
        return Failure::timeout_idle;
      case BodyEnd::timeout_request:
        return Failure::timeout_request;
      case BodyEnd::aborted:
        return Failure::aborted;
      case BodyEnd::cancelled:
        return Failure::cancelled;
    }
  }
  if (says_aborted(record_->finish_reason)) return Failure::aborted;
  const bool has_sign =
      !record_->tokens.empty() || finished_ > 0 || record_->n_out.value_or(0) > 0 || (has_body_ && choices_seen_ > 0);
  if (!has_sign) return Failure::empty_output;
  const bool is_proved = has_end_marker_ || finished_ >= std::max<std::size_t>(expected_.choices, choices_seen_) ||
                         has_usage_ || !(expected_.has_done_marker || expected_.has_end_frame);
  return is_proved ? Failure::none : Failure::truncated;
}

void Assembler::count_tokens() {
  if (!expected_.makes_tokens) {
    record_->n_out.reset();
    record_->n_out_source = event::CountSource::not_applicable;
    return;
  }
  if (record_->n_out) {
    record_->n_out_source = event::CountSource::usage;
    const bool is_zero = *record_->n_out == 0 && !record_->tokens.empty();
    if (!is_zero) return;
    record_->n_out.reset();  // text came: a count of 0 cannot be right
    record_->n_out_source = event::CountSource::none;
    record_->flags.set(Flag::usage_differs);
  }
  if (has_exact_ && !lacks_exact_) {
    record_->n_out = exact_sum_;
    record_->n_out_source = event::CountSource::exact;
  }
}

void Assembler::set_flags() {
  event::Flags& flags = record_->flags;
  const std::int64_t n = record_->n_out.value_or(-1);
  const auto events = static_cast<std::int64_t>(record_->tokens.size());
  if (std::max<std::size_t>(expected_.choices, choices_seen_) > 1) flags.set(Flag::n_gt_1);
  if (record_->server && record_->server->decode_tokens_per_s && record_->end && record_->written) {
    // A server cannot have decoded for longer than the whole request took (with room for its clock).
    const double whole = to_seconds(*record_->end - *record_->written);
    if (server_decode_s_ > 1.05 * whole + 0.01 || *record_->server->decode_tokens_per_s > 1e6) {
      flags.set(Flag::implausible_server_rate);
      record_->server->decode_tokens_per_s.reset();
    }
  }
  if (!record_->succeeded() || !expected_.makes_tokens) return;
  if (events == 0 && n <= 0 && !flags.has(Flag::not_streamed)) flags.set(Flag::empty_output);
  if (events == 0 && n > 0 && !flags.has(Flag::not_streamed)) flags.set(Flag::tokens_without_text);
  if (events > 0 && n > events) flags.set(Flag::multi_token_chunks);
  const std::int64_t limit = std::int64_t{record_->max_tokens} * expected_.choices;
  if (limit > 0 && n > limit) flags.set(Flag::usage_differs);  // more than was asked for: miscounted, or not limited
  if (expected_.ignore_eos && record_->max_tokens > 0 && n >= 0 && n < record_->max_tokens)
    flags.set(Flag::short_output);
  if (expected_.has_done_marker && !has_end_marker_ && !flags.has(Flag::not_streamed)) flags.set(Flag::no_done);
  if (finished_ == 0) flags.set(Flag::no_finish_reason);
  if (n >= 8 && events > 0 && record_->written && record_->end) {
    const Nanos decode = *record_->last_token - *record_->first_token;
    if (decode * 100 < *record_->end - *record_->written) flags.set(Flag::burst_stream);
  }
}

void Assembler::hash_answers() {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < choices_seen_; ++i) {
    const std::uint64_t parts[] = {choices_[i].answer_hash, choices_[i].reasoning_hash};
    if (parts[0] == 0 && parts[1] == 0) continue;
    hash = chained(hash, {reinterpret_cast<const char*>(parts), sizeof parts});
  }
  record_->answer_hash = hash;
}

void Assembler::finish(BodyEnd how, Instant at) {
  if (was_judged_) return;
  was_judged_ = true;
  if (record_->failure == Failure::none) record_->failure = judge(how);
  count_tokens();
  hash_answers();
  const bool has_clean_end = has_end_marker_ || how == BodyEnd::clean;
  if (has_clean_end && !record_->end) record_->end = at;
  if (!has_clean_end) record_->end = Moment();
  if (record_->failure != Failure::none && !record_->failed_at) record_->failed_at = at;
  set_flags();
}

}  // namespace scoville::load
