#include "report/batch_output.hpp"

#include <fmt/format.h>

#include <map>

#include "base/json.hpp"

namespace scoville::report {
namespace {

using event::RequestRecord;

json::object usage_json(const RequestRecord& record) {
  json::object out{{"prompt_tokens", number_or_null(record.prompt_tokens)},
                   {"completion_tokens", number_or_null(record.n_out)}};
  const bool knows_both = record.prompt_tokens && record.n_out;
  out["total_tokens"] = knows_both ? json::value(*record.prompt_tokens + *record.n_out) : json::value(nullptr);
  return out;
}

json::object body_json(const RequestRecord& record, const std::string& model) {
  json::array choices;
  const std::size_t count = record.text ? std::max<std::size_t>(1, record.text->answers.size()) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_text = i < record.text->answers.size();
    json::object message{{"role", "assistant"}, {"content", has_text ? record.text->answers[i] : ""}};
    if (i == 0 && !record.text->reasoning.empty()) message["reasoning_content"] = record.text->reasoning;
    choices.push_back(
        json::object{{"index", i}, {"message", std::move(message)}, {"finish_reason", record.finish_reason}});
  }
  return {
      {"object", "chat.completion"}, {"model", model}, {"choices", std::move(choices)}, {"usage", usage_json(record)}};
}

json::object line_of(const RequestRecord& record, const BatchRow& row) {
  json::object out{{"id", fmt::format("row_{}", record.index + 1)}, {"custom_id", row.custom_id}};
  if (record.succeeded()) {
    out["response"] = json::object{
        {"status_code", record.http_status}, {"request_id", nullptr}, {"body", body_json(record, row.model)}};
    out["error"] = nullptr;
    return out;
  }
  out["response"] = nullptr;
  out["error"] = json::object{{"code", json::string(event::name_of(record.failure))},
                              {"status_code", record.http_status},
                              {"message", record.error_message}};
  return out;
}

}  // namespace

Result<std::string> batch_output(const run::RunResult& run,
                                 const std::function<BatchRow(std::uint64_t index)>& row_of) {
  std::map<std::uint64_t, std::pair<std::uint16_t, std::string>> lines;  // by index: attempt, text
  const Status read = run.for_each_record([&](const RequestRecord& record) {
    auto& [attempt, line] = lines[record.index];
    if (!line.empty() && attempt > record.attempt) return;
    attempt = record.attempt;
    line = compact(line_of(record, row_of(record.index)));
  });
  if (!read) return read.error();
  std::string out;
  for (const auto& [index, entry] : lines) out += entry.second + "\n";
  return out;
}

}  // namespace scoville::report
