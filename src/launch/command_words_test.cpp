#include "launch/command_words.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using Words = std::vector<std::string>;

TEST_CASE("a command is taken apart as a POSIX shell takes it apart") {
  // Each expected value is what `sh -c 'printf "[%s]" …'` prints for the line.
  const std::pair<const char*, Words> lines[] = {
      {"llama-server -m model.gguf  --port {port}", {"llama-server", "-m", "model.gguf", "--port", "{port}"}},
      {"a 'b c' \"d e\" f\\ g", {"a", "b c", "d e", "f g"}},
      {"a --x='{\"k\": [1, 2]}'", {"a", "--x={\"k\": [1, 2]}"}},
      {"a \"q\\\"uote\" 'back\\slash' \"n\\o\"", {"a", "q\"uote", "back\\slash", "n\\o"}},
      {"a '' \"\"", {"a", "", ""}},
      {"one\\\n two", {"one", "two"}},
      {"a '$HOME | tee'", {"a", "$HOME | tee"}},
      {"a \"\\$x\"", {"a", "$x"}},
  };
  for (const auto& [line, words] : lines) {
    const auto split = launch::split_words(line);
    REQUIRE_MESSAGE(split.ok(), line);
    CHECK(*split == words);
  }
  CHECK(*launch::split_words("a ~/m ~x b~/c", "/home/u") == Words{"a", "/home/u/m", "~x", "b~/c"});
}

TEST_CASE("what only a shell could do is refused, and so is a quote that is never closed") {
  for (const char* line :
       {"a | b", "a > log", "a && b", "a; b", "a $HOME", "a \"$HOME\"", "a `id`", "a 'b", "a \"b", "a \\", "", "   "})
    CHECK_FALSE_MESSAGE(launch::split_words(line).ok(), line);
}

TEST_CASE("places are filled within words, and other braces are left alone") {
  const Words words{"serve", "http://{host}:{port}", "{\"port\": 1}", "{model}"};
  CHECK(launch::fill(words, {{"host", "h"}, {"port", "80"}}) ==
        Words{"serve", "http://h:80", "{\"port\": 1}", "{model}"});
  CHECK(launch::has_place(words, "model"));
  CHECK_FALSE(launch::has_place(words, "ready"));
  CHECK(launch::fill({"{host}{host}"}, {{"host", "{host}"}}) == Words{"{host}{host}"});  // a value is not filled again
}

TEST_CASE("words joined are taken apart into the same words") {
  const Words words{"a", "b c", "it's", "", "x=\"1\""};
  CHECK(*launch::split_words(launch::joined(words)) == words);
}
