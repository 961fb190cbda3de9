#include "endpoint/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "base/json.hpp"
#include "endpoint/words.hpp"

namespace scoville::endpoint {
namespace {

/// The decimal digits of a number, on the stack.
class Digits {
 public:
  explicit Digits(std::uint64_t value) { end_ = std::to_chars(text_.data(), text_.data() + text_.size(), value).ptr; }
  operator std::string_view() const { return {text_.data(), end_}; }  // NOLINT: Digits are text

 private:
  std::array<char, 20> text_;
  char* end_;
};

std::uint64_t nanos_of(Instant at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); }

void open_chunk(std::string& out, std::size_t size) {
  std::array<char, 18> hex;
  char* const end = std::to_chars(hex.data(), hex.data() + 16, size, 16).ptr;
  out.append(hex.data(), end).append("\r\n");
}

std::size_t size_of(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  return size;
}

void append(std::string& out, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) out.append(piece);
}

void append_chunk(std::string& out, std::initializer_list<std::string_view> pieces) {
  open_chunk(out, size_of(pieces));
  append(out, pieces);
  out.append("\r\n");
}

constexpr std::string_view kEmit = R"(,"emit_ns":)", kEndOfEvent = "}\n\n";

void append_emit(EventBuffer& out, std::string_view digits) {
  out.bytes.append(kEmit);
  out.emit_places.push_back(out.bytes.size());
  out.bytes.append(digits);
}

/// Text of a usage record, on the stack.
class UsageText {
 public:
  explicit UsageText(const UsageCounts& counts) {
    fmt::format_to(std::back_inserter(text_),
                   R"("usage":{{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{})", counts.prompt,
                   counts.prompt + counts.completion, counts.completion);
    if (counts.cached) {
      fmt::format_to(std::back_inserter(text_), R"(,"prompt_tokens_details":{{"cached_tokens":{}}})", *counts.cached);
    }
    text_.push_back('}');
  }
  operator std::string_view() const { return {text_.data(), text_.size()}; }  // NOLINT: is text

 private:
  fmt::memory_buffer text_;
};

std::string quoted(std::string_view text) { return json::serialize(json::string_view(text.data(), text.size())); }

std::string quoted_or_null(std::string_view text) { return text.empty() ? "null" : quoted(text); }

}  // namespace

std::string truth_text(const std::optional<Truth>& truth) {
  if (!truth) return {};
  return fmt::format(R"(,"scoville":{{"t0_ns":{},"queued_ns":{},"first_due_ns":{}}})", nanos_of(truth->arrived),
                     truth->queued.count(), nanos_of(truth->first_due));
}

void EventBuffer::clear() {
  bytes.clear();
  emit_places.clear();
}

void EventBuffer::stamp(Instant emit) {
  for (const std::size_t place : emit_places) {
    char* const begin = bytes.data() + place;
    char* end = begin;
    while (*end >= '0' && *end <= '9') ++end;
    // Where the clock has gained a digit since, once in a machine's uptime, the largest number that fits.
    if (std::to_chars(begin, end, nanos_of(emit)).ec != std::errc()) std::fill(begin, end, '9');
  }
}

EventText::EventText(Api api, std::uint64_t number, std::int64_t created, std::string_view model)
    : api_(api),
      head_(fmt::format(R"(data: {{"id":"{}-{}","object":"{}","created":{},"model":{},"choices":[)",
                        is_chat() ? "chatcmpl" : "cmpl", number,
                        is_chat() ? "chat.completion.chunk" : "text_completion", created, quoted(model))) {}

void EventText::role(std::string& out, std::uint64_t choice) const {
  append_chunk(out,
               {head_, R"({"index":)", Digits(choice),
                R"(,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}])", kEndOfEvent});
}

void EventText::token(EventBuffer& out, const TokenEvent& event) const {
  const Digits index(event.choice), emit(event.emit ? nanos_of(*event.emit) : 0);
  const std::string_view before = !is_chat()           ? R"(,"text":")"
                                  : event.is_reasoning ? R"(,"delta":{"reasoning_content":")"
                                                       : R"(,"delta":{"content":")";
  const std::string_view after =
      is_chat() ? R"("},"logprobs":null,"finish_reason":null}])" : R"(","logprobs":null,"finish_reason":null}])";
  std::optional<UsageText> usage;
  if (event.usage) usage.emplace(*event.usage);
  const std::initializer_list<std::string_view> front{head_, R"({"index":)", index, before};
  const std::initializer_list<std::string_view> back{after, usage ? "," : "",
                                                     usage ? std::string_view(*usage) : std::string_view()};
  const std::size_t emit_size = event.emit ? kEmit.size() + std::string_view(emit).size() : 0;
  open_chunk(out.bytes, size_of(front) + words_size(event.first_token, event.tokens) + size_of(back) + emit_size +
                            kEndOfEvent.size());
  append(out.bytes, front);
  append_words(out.bytes, event.text_seed, event.first_token, event.tokens);
  append(out.bytes, back);
  if (event.emit) append_emit(out, emit);
  append(out.bytes, {kEndOfEvent, "\r\n"});
}

void EventText::said(std::string& out, std::uint64_t choice, std::string_view text, const UsageCounts* usage) const {
  std::optional<UsageText> counts;
  if (usage) counts.emplace(*usage);
  append_chunk(out, {head_, R"({"index":)", Digits(choice), is_chat() ? R"(,"delta":{"content":)" : R"(,"text":)",
                     quoted(text), is_chat() ? "}" : "", R"(,"logprobs":null,"finish_reason":null}])", usage ? "," : "",
                     counts ? std::string_view(*counts) : std::string_view(), kEndOfEvent});
}

void EventText::finish(std::string& out, std::uint64_t choice, std::string_view reason,
                       const std::optional<Truth>& truth) const {
  append_chunk(out, {head_, R"({"index":)", Digits(choice), is_chat() ? R"(,"delta":{})" : R"(,"text":"")",
                     R"(,"logprobs":null,"finish_reason":")", reason, R"("}])", truth_text(truth), kEndOfEvent});
}

void EventText::usage(std::string& out, const UsageCounts& counts) const {
  append_chunk(out, {head_, "],", UsageText(counts), kEndOfEvent});
}

void EventText::error(std::string& out, const ApiError& error) {
  append_chunk(out, {"data: ", error_body(error), "\n\n"});
}

void EventText::done(std::string& out) { append_chunk(out, {"data: [DONE]\n\n"}); }

void EventText::end(std::string& out) { out.append("0\r\n\r\n"); }

void EventText::comment(std::string& out) { append_chunk(out, {": ping\n\n"}); }

void EventText::body_choice(std::string& out, std::uint64_t choice, std::string_view content,
                            std::string_view reasoning, std::string_view reason) const {
  append(out, {out.empty() ? "" : ",", R"({"index":)", Digits(choice)});
  if (is_chat()) {
    append(out, {R"(,"message":{"role":"assistant","content":)", quoted(content)});
    if (!reasoning.empty()) append(out, {R"(,"reasoning_content":)", quoted(reasoning)});
    out.append("}");
  } else {
    append(out, {R"(,"text":)", quoted(content)});
  }
  append(out, {R"(,"logprobs":null,"finish_reason":)", quoted_or_null(reason), "}"});
}

void EventText::body(EventBuffer& out, std::string_view choices, const UsageCounts* usage,
                     const std::optional<Truth>& truth, std::optional<Instant> emit) const {
  std::string head = head_.substr(head_.find('{'));
  if (is_chat()) head.erase(head.find(".chunk"), 6);
  append(out.bytes, {head, choices, "]"});
  if (usage) append(out.bytes, {",", UsageText(*usage)});
  out.bytes += truth_text(truth);
  if (emit) append_emit(out, Digits(nanos_of(*emit)));
  out.bytes += "}";
}

std::string error_body(const ApiError& error) {
  return fmt::format(R"({{"error":{{"message":{},"type":{},"param":{},"code":{}}}}})", quoted(error.message),
                     quoted(error.type), quoted_or_null(error.param),
                     error.code.empty() ? fmt::to_string(error.status) : quoted(error.code));
}

}  // namespace scoville::endpoint
