#include "relay/heads.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "wire/http_request.hpp"

namespace scoville::relay {
namespace {

void append_fields(std::string& out, const wire::MessageHead& head, std::initializer_list<std::string_view> left_out) {
  for (const wire::Header& field : head.fields) {
    bool is_out = wire::same_name(field.name, "Content-Length") || wire::is_hop_by_hop(field.name, head);
    for (const std::string_view each : left_out) is_out = is_out || wire::same_name(field.name, each);
    if (!is_out) out.append(field.name).append(": ").append(field.value).append("\r\n");
  }
}

void append_framing(std::string& out, const wire::MessageHead& head, Framing framing) {
  if (framing == Framing::chunked) out += "Transfer-Encoding: chunked\r\n";
  if (framing == Framing::length || (framing == Framing::none && head.content_length)) {
    out += fmt::format("Content-Length: {}\r\n", head.content_length.value_or(0));
  }
}

}  // namespace

std::string target_at(const wire::Url& to, std::string_view target) {
  if (const std::size_t scheme = target.find("://"); scheme != std::string_view::npos && !target.starts_with('/')) {
    const std::size_t path = target.find('/', scheme + 3);
    target = path == std::string_view::npos ? std::string_view("/") : target.substr(path);
  }
  std::string base = to.path;
  while (base.ends_with('/')) base.pop_back();
  if (base.empty() || !target.starts_with('/')) return std::string(target);
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == base || path.starts_with(base + "/")) return std::string(target);
  const std::string_view last = std::string_view(base).substr(base.rfind('/'));  // "/v1" of "/api/v1"
  const bool is_twice = path.starts_with(last) && path.size() > last.size() && path[last.size()] == '/';
  return base + std::string(is_twice ? target.substr(last.size()) : target);
}

std::string request_head(const wire::MessageHead& head, const wire::Url& to) {
  std::string out =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", head.method, target_at(to, head.target), to.authority());
  append_fields(out, head, {"Host", "Expect", "Accept-Encoding"});
  append_framing(out, head, framing_of_request(head));
  return out + "\r\n";
}

Framing framing_of_request(const wire::MessageHead& head) {
  if (head.is_chunked) return Framing::chunked;
  return head.content_length ? Framing::length : Framing::none;
}

Framing framing_of_answer(const wire::MessageHead& head, const wire::MessageHead& request, bool runs_to_the_end) {
  if (request.method == "HEAD" || head.status == 204 || head.status == 304) return Framing::none;
  if (head.content_length && !head.is_chunked) return Framing::length;
  if (!head.is_chunked && !runs_to_the_end) return Framing::none;
  return request.is_http_1_1 ? Framing::chunked : Framing::until_end;
}

std::string answer_head(const wire::MessageHead& head, Framing framing, bool keeps_alive) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", head.status, head.reason);
  append_fields(out, head, {});
  append_framing(out, head, framing);
  if (!keeps_alive) out += "Connection: close\r\n";
  return out + "\r\n";
}

void append_piece(std::string& out, std::string_view bytes, Framing framing) {
  if (bytes.empty()) return;
  if (framing != Framing::chunked) {
    out += bytes;
    return;
  }
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", bytes.size());
  out.append(bytes).append("\r\n");
}

void append_end(std::string& out, Framing framing) {
  if (framing == Framing::chunked) out += "0\r\n\r\n";
}

std::string own_answer(int status, std::string_view code, std::string_view message) {
  const json::object error{{"message", json::string("scoville record: " + std::string(message))},
                           {"type", "recorder_error"},
                           {"code", json::string(code)}};
  const std::string body = compact(json::object{{"error", error}});
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
      wire::reason_phrase(status), body.size(), body);
}

}  // namespace scoville::relay
