#include "run/answer.hpp"

#include <cmath>

#include "load/json_reader.hpp"
#include "text/catalogue.hpp"
#include "wire/sse.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using load::Json;
using load::JsonObject;

constexpr std::size_t kPadding = 64;  // what simdjson may read behind a text
constexpr double kNoLogprob = -1000;  // vLLM says -9999 for minus infinity; no token of weight comes near
constexpr std::size_t kLongestWords = 256;

std::optional<double> logprob_at(const JsonObject& object, std::string_view key) {
  const auto number = load::number_at(object, key);
  return number && std::isfinite(*number) && *number > kNoLogprob ? number : std::nullopt;
}

std::string token_text(const JsonObject& token) {
  if (const auto bytes = load::array_at(token, "bytes")) {
    std::string text;
    for (const Json each : *bytes) {
      std::int64_t byte = 0;
      if (each.get(byte) != simdjson::SUCCESS || byte < 0 || byte > 255) return text;
      text += static_cast<char>(static_cast<unsigned char>(byte));
    }
    return text;
  }
  return std::string(load::text_at(token, "token").value_or(""));
}

void read_token_objects(const simdjson::dom::array& list, Answer& answer) {
  for (const Json each : list) {
    JsonObject object;
    if (each.get(object) != simdjson::SUCCESS) continue;
    AnswerToken& token = answer.tokens.emplace_back();
    token.text = token_text(object);
    token.logprob = logprob_at(object, "logprob");
    const auto top = load::array_at(object, "top_logprobs");
    if (!top) continue;
    for (const Json one : *top) {
      JsonObject chance;
      if (one.get(chance) != simdjson::SUCCESS) continue;
      if (const auto logprob = logprob_at(chance, "logprob")) token.top.push_back({token_text(chance), *logprob});
    }
  }
}

/// The older lists of /v1/completions, one beside the other.
void read_token_lists(const JsonObject& logprobs, const simdjson::dom::array& tokens, Answer& answer) {
  const std::size_t first = answer.tokens.size();
  for (const Json each : tokens) {
    std::string_view text;
    if (each.get(text) != simdjson::SUCCESS) text = "";
    answer.tokens.emplace_back().text = text;
  }
  if (const auto values = load::array_at(logprobs, "token_logprobs")) {
    std::size_t at = first;
    for (const Json each : *values) {
      double value = 0;
      const bool is_good = each.get(value) == simdjson::SUCCESS && std::isfinite(value) && value > kNoLogprob;
      if (at < answer.tokens.size() && is_good) answer.tokens[at].logprob = value;
      ++at;
    }
  }
  const auto top = load::array_at(logprobs, "top_logprobs");
  if (!top) return;
  std::size_t at = first;
  for (const Json each : *top) {
    JsonObject chances;
    if (at < answer.tokens.size() && each.get(chances) == simdjson::SUCCESS) {
      for (const auto& [text, value] : chances) {
        double logprob = 0;
        const bool is_good = value.get(logprob) == simdjson::SUCCESS && std::isfinite(logprob) && logprob > kNoLogprob;
        if (is_good) answer.tokens[at].top.push_back({std::string(text), logprob});
      }
    }
    ++at;
  }
}

void read_tokens(const Json& frame, Answer& answer) {
  JsonObject root;
  if (frame.get(root) != simdjson::SUCCESS) return;
  const auto choices = load::array_at(root, "choices");
  if (!choices) return;
  for (const Json each : *choices) {
    JsonObject choice;
    if (each.get(choice) != simdjson::SUCCESS || load::integer_at(choice, "index").value_or(0) != 0) continue;
    const auto logprobs = load::object_at(choice, "logprobs");
    if (!logprobs) continue;
    if (const auto objects = load::array_at(*logprobs, "content")) {
      read_token_objects(*objects, answer);
    } else if (const auto texts = load::array_at(*logprobs, "tokens")) {
      read_token_lists(*logprobs, *texts, answer);
    }
  }
}

/// One answer, frame by frame.
class Reading {
 public:
  explicit Reading(const load::Dialect& dialect) : dialect_(dialect) {}

  void take(std::string_view text) {
    if (text == "[DONE]") return;
    const auto json = reader_.read(text);
    if (!json) {
      is_malformed_ = true;
      return;
    }
    dialect_.interpret(*json, chunk_);
    if (chunk_.is_error) {
      answer_.failure = Failure::stream_error;
      answer_.error = chunk_.error_message;
      answer_.param = chunk_.error_param;
      return;
    }
    for (const load::ChoiceDelta& choice : chunk_.choices) {
      if (choice.index != 0) continue;
      has_choice_ = true;
      answer_.text += choice.answer;
      answer_.reasoning += choice.reasoning;
      if (choice.has_finish) answer_.finish_reason = choice.finish_reason;
    }
    read_tokens(*json, answer_);
  }

  Answer finish(int status) && {
    answer_.http_status = status;
    if (status < 200 || status > 299) answer_.failure = Failure::http_status;
    if (answer_.succeeded() && !has_choice_)
      answer_.failure = is_malformed_ ? Failure::protocol : Failure::empty_output;
    if (answer_.succeeded() && (answer_.finish_reason == "error" || answer_.finish_reason == "abort"))
      answer_.failure = Failure::aborted;
    while (!answer_.tokens.empty() && answer_.tokens.back().text.empty()) answer_.tokens.pop_back();
    return std::move(answer_);
  }

 private:
  const load::Dialect& dialect_;
  load::JsonReader reader_;
  load::Chunk chunk_;
  Answer answer_;
  bool has_choice_ = false, is_malformed_ = false;
};

}  // namespace

Answer read_answer(const load::Dialect& dialect, wire::Response response) {
  Reading reading(dialect);
  std::string& body = response.body;
  body.reserve(body.size() + kPadding);
  const bool is_good = response.head.status >= 200 && response.head.status <= 299;
  if (is_good && response.head.content_type.starts_with("text/event-stream")) {
    wire::SseParser sse;
    const auto take = [&](const wire::Frame& frame) { reading.take(frame.data); };
    sse.feed(body, take);
    sse.finish(take);
  } else {
    reading.take(body);
  }
  Answer answer = std::move(reading).finish(response.head.status);
  if (!answer.succeeded() && answer.error.empty()) answer.error = body.substr(0, kLongestWords);
  return answer;
}

Answer failed_answer(const Error& error) {
  Answer answer;
  answer.error = error.message;
  answer.failure = error.code == ErrorCode::timed_out  ? Failure::timeout_request
                   : error.code == ErrorCode::refused  ? Failure::connect
                   : error.code == ErrorCode::tls      ? Failure::tls
                   : error.code == ErrorCode::dns      ? Failure::dns
                   : error.code == ErrorCode::resource ? Failure::client_resource
                   : error.code == ErrorCode::protocol ? Failure::protocol
                   : error.code == ErrorCode::aborted  ? Failure::aborted
                                                       : Failure::reset;
  return answer;
}

}  // namespace scoville::run
