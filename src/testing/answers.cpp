#include "testing/answers.hpp"

#include <fmt/format.h>

namespace scoville::testing {
namespace {

constexpr std::string_view kFinish = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
constexpr std::string_view kUsage = R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}})";

std::string stream(std::string_view head_lines, std::initializer_list<std::string_view> data) {
  std::string out = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n{}\r\n", head_lines);
  for (const std::string_view each : data) out += fmt::format("{:x}\r\ndata: {}\n\n\r\n", each.size() + 8, each);
  return out;
}

}  // namespace

std::string http(int status, std::string_view head_lines, std::string_view body) {
  return fmt::format("HTTP/1.1 {} Scripted\r\n{}Content-Length: {}\r\n\r\n{}", status, head_lines, body.size(), body);
}

std::string open_stream(std::initializer_list<std::string_view> data) { return stream("", data); }
std::string end_of_stream() { return "0\r\n\r\n"; }

std::string delta(std::string_view text) {
  return fmt::format(R"({{"choices":[{{"index":0,"delta":{{"content":"{}"}},"finish_reason":null}}]}})", text);
}

std::string chat_answer() { return stream("", {delta("a"), delta("b"), kFinish, kUsage, "[DONE]"}) + end_of_stream(); }

std::string last_chat_answer() {
  return stream("Connection: close\r\n", {delta("a"), delta("b"), kFinish, kUsage, "[DONE]"}) + end_of_stream();
}

}  // namespace scoville::testing
