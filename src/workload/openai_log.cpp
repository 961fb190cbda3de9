#include "workload/openai_log.hpp"

#include <fmt/format.h>

#include <cmath>

#include "workload/log_lines.hpp"
#include "workload/timestamps.hpp"

namespace scoville::workload {
namespace {

using text::Msg;
using text::say;

/// The object there, also where it is a text that holds JSON.
std::optional<json::object> object_at(const json::object& within, std::string_view path) {
  const json::value* const found = member(within, path);
  if (!found) return std::nullopt;
  if (found->is_object()) return found->as_object();
  return found->is_string() ? parse_object(found->as_string()) : std::nullopt;
}

struct Found {
  json::object body;
  ReadRequest request;
};

std::optional<Found> find_request(const json::object& line, const SaltedHash& hash, std::string_view session_field) {
  for (const std::string_view path : {"request.body", "request", "body", "request_body", "kwargs", "input.body"}) {
    auto body = object_at(line, path);
    if (!body) continue;
    if (auto request = read_request(*body, hash, session_field)) return Found{std::move(*body), std::move(*request)};
  }
  if (auto request = read_request(line, hash, session_field)) return Found{line, std::move(*request)};
  return std::nullopt;
}

std::optional<json::object> find_answer(const json::object& line) {
  for (const std::string_view path : {"response.body", "response", "response_body", "answer", "output"}) {
    if (auto answer = object_at(line, path)) return answer;
  }
  return std::nullopt;
}

/// Whether the line says a time in a form that is none.
struct TimeFound {
  std::optional<Nanos> at;
  std::string unreadable;
};

std::optional<Nanos> time_of(const json::value& value) {
  if (value.is_string()) return parse_time(value.as_string());
  json::error_code fault;
  const double number = value.is_number() ? value.to_number<double>(fault) : 0;
  return fault ? std::nullopt : epoch_time(number);
}

TimeFound find_time(const json::object& line, const std::optional<json::object>& answer) {
  TimeFound found;
  for (const std::string_view key :
       {"timestamp", "@timestamp", "time", "ts", "start_time", "startTime", "created_at", "request_time", "created"}) {
    const json::value* const value = line.if_contains(key);
    if (!value || value->is_null()) continue;
    found.at = time_of(*value);
    if (found.at) return found;
    if (found.unreadable.empty()) found.unreadable = fmt::format("{}: {}", key, compact(*value).substr(0, 60));
  }
  if (!found.unreadable.empty() || !answer) return found;
  const json::value* const created = answer->if_contains("created");
  if (created && !created->is_null()) found.at = time_of(*created);
  return found;
}

/// As the line says it, or up to the end that it names.
std::optional<Nanos> find_duration(const json::object& line, const std::optional<Nanos>& begin) {
  struct Spelling {
    std::string_view key;
    double unit_ns;
  };
  for (const Spelling& each : {Spelling{"latency_ms", 1e6}, Spelling{"duration_ms", 1e6}, Spelling{"e2e_ms", 1e6},
                               Spelling{"latency", 1e9}, Spelling{"duration", 1e9}, Spelling{"elapsed", 1e9}}) {
    const json::value* const value = line.if_contains(each.key);
    if (!value || !value->is_number()) continue;
    json::error_code fault;
    const double number = value->to_number<double>(fault);
    if (!fault && number >= 0 && number < 1e9) return Nanos(std::llround(number * each.unit_ns));
  }
  for (const std::string_view key : {"end_time", "endTime", "completed_at"}) {
    const json::value* const value = line.if_contains(key);
    const auto end = value && begin ? time_of(*value) : std::nullopt;
    if (end && *end >= *begin) return *end - *begin;
  }
  return std::nullopt;
}

std::string text_at(const json::object& object, std::string_view path) {
  const json::value* const found = member(object, path);
  return found && found->is_string() ? std::string(found->as_string()) : "";
}

void take_answer(const std::optional<json::object>& answer, const json::object& line, const SaltedHash& hash,
                 LoggedRequest& row) {
  Usage usage;
  if (const auto beside = object_at(line, "usage")) usage = read_usage(*beside);
  if (answer) {
    if (const auto within = object_at(*answer, "usage")) usage = read_usage(*within);
    const std::string words = answer_text(*answer);
    if (!words.empty()) row.answer_chars = count_chars(words);
    if (const std::string content = answer_content(*answer); !content.empty()) {
      row.answer_hash = hash_of_answer(content, hash);
    }
    if (answer->contains("error") && !answer->at("error").is_null()) row.failure = "error_in_answer";
    if (row.model.empty()) row.model = text_at(*answer, "model");
  }
  row.input_tokens = usage.input;
  row.output_tokens = usage.output;
  row.cached_tokens = usage.cached;
}

void take_status(const json::object& line, LoggedRequest& row) {
  for (const std::string_view path : {"status", "status_code", "response.status", "response.status_code"}) {
    const auto status = count_at(line, path);
    if (!status || *status < 100 || *status > 599) continue;
    row.status = static_cast<int>(*status);
    return;
  }
}

std::string session_beside(const json::object& line, std::string_view field) {
  for (const std::string_view path : {field, std::string_view("session_id"), std::string_view("conversation_id"),
                                      std::string_view("session"), std::string_view("trace_id")}) {
    if (path.empty()) continue;
    if (std::string found = text_at(line, path); !found.empty()) return found;
  }
  return "";
}

/// Text of a content that is a text, or a list of parts with some.
void append_content(const json::value* content, std::string& out) {
  if (!content) return;
  if (content->is_string()) out += std::string_view(content->as_string());
  if (!content->is_array()) return;
  for (const json::value& each : content->as_array()) {
    if (const json::object* const part = each.if_object()) append_content(part->if_contains("text"), out);
  }
}

}  // namespace

Usage read_usage(const json::object& usage) {
  const auto first_of = [&](std::initializer_list<std::string_view> paths) {
    std::optional<std::uint32_t> found;
    for (const std::string_view path : paths) {
      if (!found) found = count_at(usage, path);
    }
    return found;
  };
  return {first_of({"prompt_tokens", "input_tokens"}), first_of({"completion_tokens", "output_tokens"}),
          first_of({"prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
                    "cache_read_input_tokens"})};
}

std::string answer_content(const json::object& answer) {
  std::string out;
  append_content(answer.if_contains("content"), out);
  const json::value* const choices = answer.if_contains("choices");
  if (!choices || !choices->is_array()) return out;
  for (const json::value& each : choices->as_array()) {
    if (each.is_object()) append_content(member(each.as_object(), "message.content"), out);
  }
  return out;
}

std::string answer_text(const json::object& answer) {
  std::string out;
  append_content(answer.if_contains("content"), out);
  if (const json::value* const choices = answer.if_contains("choices"); choices && choices->is_array()) {
    for (const json::value& each : choices->as_array()) {
      const json::object* const choice = each.if_object();
      if (!choice) continue;
      append_content(choice->if_contains("text"), out);
      const json::value* const message = choice->if_contains("message");
      if (!message || !message->is_object()) continue;
      for (const char* key : {"reasoning_content", "reasoning", "content", "refusal"}) {
        append_content(message->as_object().if_contains(key), out);
      }
      const json::value* const calls = message->as_object().if_contains("tool_calls");
      if (calls && calls->is_array() && !calls->as_array().empty()) out += compact(*calls);
    }
  }
  if (const json::value* const items = answer.if_contains("output"); items && items->is_array()) {
    for (const json::value& each : items->as_array()) {
      if (each.is_object()) append_content(each.as_object().if_contains("content"), out);
    }
  }
  return out;
}

LogRows read_openai_log(std::string_view content, const SaltedHash& hash, std::string_view session_field) {
  LogRows found;
  found.block_chars = kBlockChars;
  for_each_line(content, found.bad, [&](std::uint64_t number, std::string_view text) {
    const auto line = parse_object(text);
    if (!line) return found.bad.push_back({number, {}, say(Msg::log_not_json)});
    auto request = find_request(*line, hash, session_field);
    if (!request) return found.bad.push_back({number, {}, say(Msg::log_no_request)});
    const auto answer = find_answer(*line);
    const TimeFound time = find_time(*line, answer);
    if (!time.unreadable.empty() && !time.at) {
      return found.bad.push_back({number, {}, say(Msg::log_bad_time, time.unreadable)});
    }
    LoggedRequest row;
    row.line = number;
    row.at = time.at;
    row.model = std::move(request->request.model);
    row.session = std::move(request->request.session);
    if (std::string beside = session_beside(*line, session_field); !beside.empty()) row.session = std::move(beside);
    row.is_stream = request->request.is_stream;
    row.max_tokens = request->request.max_tokens;
    row.e2e = find_duration(*line, row.at);
    row.prompt = std::move(request->request.prompt);
    take_status(*line, row);
    take_answer(answer, *line, hash, row);
    found.rows.push_back(std::move(row));
  });
  return found;
}

}  // namespace scoville::workload
