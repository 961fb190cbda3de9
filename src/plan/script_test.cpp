#include "plan/script.hpp"

#include <doctest/doctest.h>

#include <set>

namespace scoville::plan {
namespace {

using namespace std::chrono_literals;

std::string error_of(std::string_view text) {
  const auto parsed = parse_script(text);
  return parsed ? "" : parsed.error().message;
}

bool names_all(const std::string& message, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (message.find(word) == std::string::npos) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a script on the command line sets what it names and leaves the rest") {
  const auto script = parse_script("ttft=50ms, itl=200us,tokens=7,usage=continuous,itl_dist=lognormal,done=no,queue=3");
  REQUIRE(script);
  CHECK(script->ttft == 50ms);
  CHECK(script->itl == 200us);
  CHECK(script->tokens == 7);
  CHECK(script->usage == UsageStyle::continuous);
  CHECK(script->itl_dist == Spread::lognormal);
  CHECK_FALSE(script->done);
  CHECK(script->queue == 3u);
  CHECK(script->chunk == 1);
  CHECK_FALSE(script->error_at);
}

TEST_CASE("an empty script is the default one") {
  REQUIRE(parse_script(""));
  CHECK(parse_script("")->tokens == Script{}.tokens);
  REQUIRE(parse_script_yaml("", "s.yaml"));
}

TEST_CASE("a value out of its range or kind is refused with key, value and what was expected") {
  CHECK(names_all(error_of("ttft=fast"), {"ttft", "fast", "50ms"}));
  CHECK(names_all(error_of("chunk=0"), {"chunk", "0", "1", "1000"}));
  CHECK(names_all(error_of("error_status=200"), {"error_status", "200", "400", "599"}));
  CHECK(names_all(error_of("error_rate=1.5"), {"error_rate", "1.5"}));
  CHECK(names_all(error_of("usage=maybe"), {"usage", "maybe", "continuous"}));
  CHECK(names_all(error_of("done=perhaps"), {"done", "perhaps", "yes"}));
  CHECK(names_all(error_of("tokens=-3"), {"tokens", "-3"}));
  CHECK(names_all(error_of("tokens=3x"), {"tokens", "3x"}));
  CHECK(names_all(error_of("model="), {"model"}));
}

TEST_CASE("an unknown key, a key given twice and a bare word are refused by name") {
  CHECK(names_all(error_of("itll=3ms"), {"itll", "itl,"}));
  CHECK(names_all(error_of("itl=3ms,itl=4ms"), {"itl"}));
  CHECK(names_all(error_of("ttft"), {"ttft", "key=value"}));
}

TEST_CASE("YAML holds the same keys, and its errors name file and line") {
  const auto script = parse_script_yaml("# slow\nttft: 1.5s\nslots: 4\ndone: no\n", "slow.yaml");
  REQUIRE(script);
  CHECK(script->ttft == 1500ms);
  CHECK(script->slots == 4);
  CHECK_FALSE(script->done);
  for (const char* yaml : {"ttft: 1s\nslots: many\n", "ttft: 1s\nslots: [1, 2]\n", "ttft: 1s\n slots: : 1\n"}) {
    CAPTURE(yaml);
    const auto bad = parse_script_yaml(yaml, "bad.yaml");
    REQUIRE_FALSE(bad);
    CHECK(names_all(bad.error().message, {"bad.yaml", "2"}));
  }
  CHECK_FALSE(parse_script_yaml("- ttft\n", "list.yaml"));
}

TEST_CASE("every key reads back its own default") {
  std::set<std::string_view> names;
  for (const ScriptKey& key : script_keys()) {
    CAPTURE(key.name);
    CHECK(names.insert(key.name).second);
    CHECK_FALSE(key.expected().empty());
    if (key.default_text() == "-") continue;
    CHECK(error_of(std::string(key.name) + "=" + key.default_text()) == "");
  }
}

}  // namespace scoville::plan
