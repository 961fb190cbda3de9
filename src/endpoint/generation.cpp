#include "endpoint/generation.hpp"

#include <algorithm>

#include "endpoint/words.hpp"

namespace scoville::endpoint {
namespace {

using plan::FinishStyle;
using plan::UsageStyle;

constexpr std::uint64_t kChoiceStride = 0x632be59bd9b4e019ULL;

}  // namespace

Fault draw_fault(const plan::Script& script, std::uint64_t number) {
  Fault fault{Fault::Kind::status, UINT64_MAX};
  const auto earlier = [&](Fault::Kind kind, const std::optional<std::uint64_t>& at) {
    if (at && *at < fault.at) fault = {kind, *at};
  };
  earlier(Fault::Kind::error, script.error_at);
  earlier(Fault::Kind::close, script.close_after);
  earlier(Fault::Kind::reset, script.reset_after);
  const double rate = script.error_rate.value_or(fault.kind == Fault::Kind::status ? 0 : 1);
  const bool fails = Rng(script.seed, static_cast<std::uint64_t>(Draw::fault), number).uniform() < rate;
  return fails ? fault : Fault{};
}

ApiError scripted_error(const plan::Script& script) {
  return {static_cast<int>(script.error_status), "This request fails by script", "scripted_error", {}, {}};
}

std::uint64_t prompt_tokens_of(const plan::Script& script, const GenerationRequest& request) {
  const bool is_chat = request.api == Api::chat || request.api == Api::responses;
  if (is_chat) return request.words + script.template_tokens;
  if (request.api == Api::embeddings) return request.words + (request.is_token_ids ? 0 : script.bos * request.choices);
  return request.words + (request.is_token_ids ? 0 : script.bos);
}

std::uint64_t tokens_of(const plan::Script& script, const GenerationRequest& request) {
  if (request.api == Api::embeddings) return 0;
  const std::uint64_t limit = request.max_tokens.value_or(script.tokens);
  return request.ignore_eos ? limit : std::min(limit, script.tokens);
}

Generation::Generation(const plan::Script& script, const GenerationRequest& request, std::uint64_t number,
                       std::int64_t created, Instant arrived)
    : script_(&script),
      text_(request.api, number, created, request.model),
      model_(request.model),
      fault_(draw_fault(script, number)),
      truth_{arrived, {}, {}},
      number_(number),
      prompt_tokens_(prompt_tokens_of(script, request)),
      choices_(request.choices),
      tokens_(tokens_of(script, request)),
      events_((tokens_ + script.chunk - 1) / script.chunk),
      is_stream_(request.stream && !script.stream_ignored),
      is_capped_(request.max_tokens == tokens_),
      wants_usage_(request.include_usage),
      wants_continuous_usage_(request.continuous_usage) {
  if (request.api == Api::responses) responses_.emplace(number, created, request.model);
}

void Generation::open(std::string& out) const {
  if (responses_) return responses_->created(out);
  if (!script_->role_chunk || text_.api() != Api::chat) return;
  for (std::uint64_t choice = 0; choice < choices_; ++choice) text_.role(out, choice);
}

void Generation::start(Instant at) {
  truth_.queued = at - truth_.arrived;
  schedule_.emplace(*script_, number_, at, prompt_tokens_);
  truth_.first_due = Schedule(*schedule_).next();
  plan_next();
}

/// The next group of events, all sent when its last is due; an empty one for the fault, or the end of an empty answer.
void Generation::plan_next() {
  const std::uint64_t left = (has_fault() ? fault_.at : events_) - events_sent_;
  group_ = is_stream_ ? std::min(left, script_->merge) : left;
  due_ = schedule_->next();
  for (std::uint64_t i = 1; i < group_; ++i) due_ = schedule_->next();
  if (!is_stream_ && has_fault() && group_ > 0) due_ = schedule_->next();
}

Generation::After Generation::write(EventBuffer& out) {
  if (has_fault() && (group_ == 0 || !is_stream_)) return fail(out.bytes);
  if (is_stream_) append_events(out);
  events_sent_ += group_;
  if (events_sent_ < events_ || has_fault()) {
    plan_next();
    return After::more;
  }
  if (is_stream_) {
    append_end(out.bytes);
  } else {
    append_body(out);
  }
  return After::answered;
}

Generation::After Generation::fail(std::string& out) const {
  if (fault_.kind == Fault::Kind::close) return After::close;
  if (fault_.kind == Fault::Kind::reset) return After::reset;
  if (is_stream_) {
    EventText::error(out, scripted_error(*script_));
    if (script_->done) EventText::done(out);
    EventText::end(out);
  }
  return After::failed;
}

void Generation::append_events(EventBuffer& out) const {
  const bool counts_all = script_->usage == UsageStyle::continuous ||
                          (script_->usage == UsageStyle::right && wants_usage_ && wants_continuous_usage_);
  TokenEvent event;
  event.emit = provisional_emit();
  for (std::uint64_t k = events_sent_; k < events_sent_ + group_; ++k) {
    event.first_token = tokens_before(k);
    event.tokens = tokens_before(k + 1) - event.first_token;
    event.is_reasoning = event.first_token < script_->reasoning;
    UsageCounts usage;
    if (counts_all) {
      usage = usage_after((event.first_token + event.tokens) * choices_);
      event.usage = &usage;
    }
    for (event.choice = 0; event.choice < choices_; ++event.choice) {
      event.text_seed = text_seed(event.choice);
      responses_ ? responses_->token(out, event) : text_.token(out, event);
    }
    event.usage = nullptr;
  }
}

void Generation::append_end(std::string& out) const {
  if (responses_) {
    const UsageCounts counts = usage_after(tokens_);
    const bool tells = script_->usage != UsageStyle::none;
    if (script_->done) responses_->end(out, tokens_, finish_reason(), tells ? &counts : nullptr, truth());
    return EventText::end(out);
  }
  if (script_->finish != FinishStyle::none) {
    for (std::uint64_t choice = 0; choice < choices_; ++choice) text_.finish(out, choice, finish_reason(), truth());
  }
  const bool has_usage =
      script_->usage == UsageStyle::continuous || (wants_usage_ && script_->usage != UsageStyle::none);
  if (has_usage) text_.usage(out, usage_after(tokens_ * choices_));
  if (script_->done) EventText::done(out);
  EventText::end(out);
}

void Generation::append_body(EventBuffer& out) const {
  if (text_.api() == Api::embeddings) return append_embeddings(out);
  const UsageCounts counts = usage_after(tokens_ * choices_);
  const UsageCounts* const usage = script_->usage == UsageStyle::none ? nullptr : &counts;
  std::string choices;
  for (std::uint64_t choice = 0; choice < choices_; ++choice) {
    const std::uint64_t reasoning = text_.api() == Api::completions ? 0 : std::min(script_->reasoning, tokens_);
    std::string thought, content;
    append_words(thought, text_seed(choice), 0, reasoning);
    append_words(content, text_seed(choice), reasoning, tokens_ - reasoning);
    if (responses_) return responses_->body(out, content, thought, finish_reason(), usage, truth(), provisional_emit());
    text_.body_choice(choices, choice, content, thought, finish_reason());
  }
  text_.body(out, choices, usage, truth(), provisional_emit());
}

void Generation::append_embeddings(EventBuffer& out) const {
  const UsageCounts counts = usage_after(0);
  embeddings_body(out, model_, choices_, text_seed(0), script_->usage == UsageStyle::none ? nullptr : &counts, truth(),
                  provisional_emit());
}

std::uint64_t Generation::tokens_before(std::uint64_t event) const { return std::min(event * script_->chunk, tokens_); }

std::uint64_t Generation::text_seed(std::uint64_t choice) const {
  return hash_bytes("text", script_->seed + number_ * kChoiceStride) + choice * kChoiceStride;
}

UsageCounts Generation::usage_after(std::uint64_t completion) const {
  if (script_->usage == UsageStyle::zero) return {};
  UsageCounts counts{prompt_tokens_, completion, {}};
  if (script_->usage == UsageStyle::wrong) counts.completion *= 2;
  if (script_->cached) counts.cached = std::min(*script_->cached, prompt_tokens_);
  return counts;
}

std::string_view Generation::finish_reason() const {
  switch (script_->finish) {
    case FinishStyle::natural:
      return is_capped_ ? "length" : "stop";
    case FinishStyle::stop:
      return "stop";
    case FinishStyle::length:
      return "length";
    case FinishStyle::none:
      return "";
  }
  return "";
}

std::optional<Truth> Generation::truth() const {
  if (!script_->emit) return std::nullopt;
  return truth_;
}

std::optional<Instant> Generation::provisional_emit() const {
  if (!script_->emit) return std::nullopt;
  return due_;
}

}  // namespace scoville::endpoint
