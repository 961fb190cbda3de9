#include "wire/url.hpp"

#include <doctest/doctest.h>

namespace scoville::wire {
namespace {

std::string joined(std::string_view base, std::string_view path) {
  return join_api_path(*parse_url(base), path).to_string();
}

}  // namespace

TEST_CASE("a base URL is taken as users hold it") {
  const char* chat = "/v1/chat/completions";
  CHECK(joined("http://h:8000", chat) == "http://h:8000/v1/chat/completions");
  CHECK(joined("http://h:8000/", chat) == "http://h:8000/v1/chat/completions");
  CHECK(joined("http://h:8000/v1", chat) == "http://h:8000/v1/chat/completions");
  CHECK(joined("http://h:8000/v1/", chat) == "http://h:8000/v1/chat/completions");
  CHECK(joined("h:8000", chat) == "http://h:8000/v1/chat/completions");
  CHECK(joined("https://h/api/paas/v4", chat) == "https://h/api/paas/v4/chat/completions");
  CHECK(joined("https://h/compatible-mode/v1/", chat) == "https://h/compatible-mode/v1/chat/completions");
  CHECK(joined("https://h/vendor", chat) == "https://h/vendor/v1/chat/completions");
  CHECK(joined("http://h/v1/chat/completions", chat) == "http://h/v1/chat/completions");
  CHECK(joined("http://h/v1", "/api/chat") == "http://h/api/chat");
  CHECK(joined("https://h/openai/deployments/d?api-version=1", chat) ==
        "https://h/openai/deployments/d/v1/chat/completions?api-version=1");
}

TEST_CASE("literal IPv6 addresses and unix sockets work, in the Host header too") {
  const auto six = parse_url("http://[::1]:8000/v1");
  REQUIRE(six.ok());
  CHECK(six->host == "::1");
  CHECK(six->authority() == "[::1]:8000");
  const auto local = parse_url("unix:///run/llm.sock:/v1");
  REQUIRE(local.ok());
  CHECK(local->unix_path == "/run/llm.sock");
  CHECK(local->path == "/v1");
  CHECK(parse_url("https://h")->authority() == "h");
  CHECK(parse_url("https://h:8443")->authority() == "h:8443");
}

TEST_CASE("a broken URL is refused with its reason") {
  for (const char* text : {"", "ftp://h", "http://", "http://h:0", "http://h:70000", "http://h:x", "http://[::1",
                           "http://a b", "http://::1:8000", "http://key@h", "unix://relative"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_url(text).ok());
  }
}

TEST_CASE("a Location is absolute, rooted or relative") {
  const Url base = *parse_url("http://h:1/v1/completions");
  CHECK(resolve_location(base, "/v1/completions/")->to_string() == "http://h:1/v1/completions/");
  CHECK(resolve_location(base, "https://g/x")->to_string() == "https://g/x");
  CHECK(resolve_location(base, "completions/")->to_string() == "http://h:1/v1/completions/");
}

}  // namespace scoville::wire
