#include "cli/sweep_words.hpp"

#include <doctest/doctest.h>

namespace scoville::cli {
namespace {

using text::Msg;

/// A command of three flags, and what they were set to.
struct Made {
  Made() {
    Parameters declared;
    for (const char* name : {"--num-prompts", "--header", "--launch", "--at-user-rate", "--store"}) {
      Parameter one{name, "X", Msg::flag_json, "", [this, name](std::string_view value) -> Status {
                      if (value == "bad") return Error{ErrorCode::invalid_argument, "expected another"};
                      set.push_back(std::string(name) + " " + std::string(value));
                      return Done{};
                    }};
      one.is_repeatable = true;
      declared.add(std::move(one));
    }
    words.record(declared, parameters);
  }
  Made(std::initializer_list<std::pair<const char*, const char*>> given) : Made() {
    for (const auto& [flag, value] : given) {
      for (const Parameter& each : parameters.all()) {
        if (each.name == flag) CHECK(each.set(value).ok());
      }
    }
  }
  std::vector<std::string> set;
  SweepWords words;
  Parameters parameters;
};

std::string resumed(Made& made, const json::array& stored) {
  const Status done = made.words.go_on_with(stored, "set-1");
  return done ? "" : done.error().message;
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("what the command line does not say is taken from the store, and is part of the words then") {
  const Made first{{"--num-prompts", "20"}, {"--launch", "engine --port {port}"}, {"--store", "x.db"}};
  const json::array stored = first.words.to_json();
  CHECK(stored.size() == 2);  // where it is kept is no part of it
  Made none;
  CHECK(resumed(none, stored) == "");
  CHECK(none.set == std::vector<std::string>{"--num-prompts 20", "--launch engine --port {port}"});
  CHECK(none.words.to_json() == stored);
  CHECK(none.words.has("--num-prompts"));
  Made same{{"--num-prompts", "20"}};
  CHECK(resumed(same, stored) == "");
}

TEST_CASE("another value, or another flag, is refused with its name") {
  const json::array stored = Made{{"--num-prompts", "20"}}.words.to_json();
  Made other{{"--num-prompts", "40"}};
  CHECK(says(resumed(other, stored), "--num-prompts was 20, and is 40 now"));
  Made more{{"--launch", "x"}};
  CHECK(says(resumed(more, stored), "--launch was not given then"));
  Made reading{{"--at-user-rate", "50"}};  // read anew without another run
  CHECK(resumed(reading, stored) == "");
}

TEST_CASE("a key is never stored: its hash tells that it is the same") {
  const Made first{{"--header", "Authorization: Bearer abc"}, {"--launch", "engine --api-key abc"}};
  const json::array stored = first.words.to_json();
  CHECK_FALSE(says(compact(stored), "abc"));
  Made none;
  CHECK(says(resumed(none, stored), "--header may hold a key"));
  Made same{{"--header", "Authorization: Bearer abc"}, {"--launch", "engine --api-key abc"}};
  CHECK(resumed(same, stored) == "");
  Made other{{"--header", "Authorization: Bearer abd"}, {"--launch", "engine --api-key abc"}};
  CHECK(says(resumed(other, stored), "--header was sha256:"));
}

}  // namespace scoville::cli
