#include "endpoint/model_answer.hpp"

namespace scoville::endpoint {

ModelAnswer::ModelAnswer(const GenerationRequest& request, std::uint64_t number, std::int64_t created)
    : request_(request), text_(request.api, number, created, request.model), choices_(request.choices) {}

bool ModelAnswer::accepted(std::uint64_t prompt_tokens) {
  prompt_tokens_ += prompt_tokens;
  return ++accepted_ == request_.choices;
}

void ModelAnswer::open(std::string& out) const {
  if (request_.api != Api::chat) return;
  for (std::uint64_t choice = 0; choice < request_.choices; ++choice) text_.role(out, choice);
}

void ModelAnswer::said(std::string& out, std::uint64_t choice, std::string_view text) {
  ++tokens_;
  if (!request_.stream) {
    choices_[choice].text += text;
  } else if (!text.empty()) {  // else a part of a character, which the next token completes
    const UsageCounts counts = usage();
    text_.said(out, choice, text, request_.continuous_usage ? &counts : nullptr);
  }
}

void ModelAnswer::finished(std::string& out, std::uint64_t choice, std::string_view reason, std::string_view rest) {
  ++over_;
  choices_[choice].text += rest;
  choices_[choice].reason = reason;
  if (!request_.stream) return;
  if (!rest.empty()) text_.said(out, choice, rest, nullptr);
  text_.finish(out, choice, reason, std::nullopt);
}

void ModelAnswer::end(std::string& out) const {
  const UsageCounts counts = usage();
  if (request_.stream) {
    if (request_.include_usage) text_.usage(out, counts);
    EventText::done(out);
    return EventText::end(out);
  }
  std::string choices;
  for (std::uint64_t i = 0; i < choices_.size(); ++i) {
    text_.body_choice(choices, i, choices_[i].text, "", choices_[i].reason);
  }
  EventBuffer body;
  text_.body(body, choices, &counts, std::nullopt, std::nullopt);
  out += body.bytes;
}

void ModelAnswer::fail(std::string& out, const ApiError& error) {
  EventText::error(out, error);
  EventText::done(out);
  EventText::end(out);
}

}  // namespace scoville::endpoint
