#include "load/request_factory.hpp"

#include <doctest/doctest.h>

#include "base/json.hpp"

namespace scoville::load {
namespace {

/// Prompt number i asks for i + 1 words and brings its own limit where i is odd.
class Numbered final : public dataset::PromptSource {
 public:
  dataset::Prompt make(std::uint64_t index) const override {
    dataset::Prompt prompt;
    prompt.text = "prompt " + std::to_string(index);
    prompt.asked_prompt_tokens = static_cast<std::uint32_t>(index + 1);
    prompt.max_tokens = index % 2 ? 9 : 0;
    prompt.hash = index * 10;
    return prompt;
  }
  text::Phrase describe() const override { return {"numbered", "numbered"}; }
  std::uint64_t dataset_hash() const override { return 0; }
};

struct Made {
  explicit Made(std::string_view url, plan::RequestShape given = {})
      : shape(std::move(given)), dialect(make_dialect(shape.dialect)) {
    shape.model = "m";
    factory.emplace(*dialect, shape, prompts, wire::parse_url(url).value());
  }
  std::string head(std::uint64_t index = 0) const {
    const std::string bytes = factory->make(index).bytes;
    return bytes.substr(0, bytes.find("\r\n\r\n") + 4);
  }
  Numbered prompts;
  plan::RequestShape shape;
  std::unique_ptr<Dialect> dialect;
  std::optional<RequestFactory> factory;
};

int times(const std::string& text, std::string_view word) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++found;
  return found;
}

}  // namespace

TEST_CASE("the head is what the server needs, and says how long the body is") {
  const Made made("http://h:8000/v1/chat/completions");
  const std::string bytes = made.factory->make(0).bytes, head = made.head();
  const std::string body = bytes.substr(head.size());
  CHECK(head ==
        "POST /v1/chat/completions HTTP/1.1\r\nHost: h:8000\r\nContent-Type: application/json\r\n"
        "Accept: text/event-stream, application/json\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n\r\n");
  CHECK(json::parse(body).at_pointer("/messages/0/content") == "prompt 0");
}

TEST_CASE("no content coding is ever asked for: a coded body cannot be timed") {
  CHECK(times(Made("http://h/").head(), "Accept-Encoding") == 0);
}

TEST_CASE("Host names a literal IPv6 address in brackets, and leaves a default port out") {
  CHECK(Made("http://[::1]:8000/x").head().find("\r\nHost: [::1]:8000\r\n") != std::string::npos);
  CHECK(Made("https://h:443/x").head().find("\r\nHost: h\r\n") != std::string::npos);
  CHECK(Made("http://h").head().starts_with("POST / HTTP/1.1\r\n"));
}

TEST_CASE("the key goes as a bearer token, and user headers behind it") {
  plan::RequestShape shape;
  shape.api_key = "sk-1";
  shape.headers = {{"X-Tenant", "a b"}};
  const std::string head = Made("http://h/x", shape).head();
  CHECK(head.find("\r\nAuthorization: Bearer sk-1\r\n") != std::string::npos);
  CHECK(head.find("\r\nX-Tenant: a b\r\n") != std::string::npos);
}

TEST_CASE("a header that the user gave takes the place of ours") {
  plan::RequestShape shape;
  shape.api_key = "sk-1";
  shape.headers = {
      {"authorization", "Basic eA=="}, {"Host", "other"}, {"content-type", "application/json; charset=utf-8"}};
  const std::string head = Made("http://h/x", shape).head();
  CHECK(times(head, "uthorization:") == 1);
  CHECK(times(head, "Host:") == 1);
  CHECK(times(head, "ontent-") == 2);  // the user's Content-Type, our Content-Length
  CHECK(head.find("sk-1") == std::string::npos);
  CHECK(head.find("Host: other\r\n") != std::string::npos);
}

TEST_CASE("a record knows what was asked: index, limit, prompt length and hash") {
  plan::RequestShape shape;
  shape.max_tokens = 128;
  const Made made("http://h/x", shape);
  const event::RequestRecord even = made.factory->make(4).record, odd = made.factory->make(5).record;
  CHECK(even.index == 4);
  CHECK(even.max_tokens == 128);
  CHECK(even.asked_prompt_tokens == 5);
  CHECK(even.prompt_hash == 40);
  CHECK(odd.max_tokens == 9);
}

TEST_CASE("room for the events of an answer is made before the request leaves") {
  plan::RequestShape shape;
  shape.max_tokens = 1000;
  shape.n = 2;
  CHECK(Made("http://h/x", shape).factory->make(0).record.tokens.capacity() >= 2000);
  CHECK(Made("http://h/x").factory->make(0).record.tokens.capacity() >= 100);
}

TEST_CASE("the same index is the same request, whoever makes it") {
  const Made one("http://h/x"), other("http://h/x");
  CHECK(one.factory->make(7).bytes == other.factory->make(7).bytes);
  CHECK(one.factory->make(7).bytes != one.factory->make(8).bytes);
}

}  // namespace scoville::load
