#include "cli/launch_options.hpp"

#include <doctest/doctest.h>

namespace scoville::cli {
namespace {

using Words = std::vector<std::string>;
using Flags = std::vector<std::pair<std::string, std::string>>;

/// The options after these flags, each with its value ("" for a switch); CHECKs that each is taken.
struct Given {
  explicit Given(const Flags& flags) {
    Parameters parameters;
    target.declare(parameters);
    options.declare(parameters);
    for (const auto& [name, value] : flags) {
      bool was_taken = false;
      for (const Parameter& each : parameters.all()) {
        if (each.name == name) was_taken = each.set(value).ok();
      }
      CHECK_MESSAGE(was_taken, name);
    }
  }
  TargetOptions target;
  LaunchOptions options;
};

}  // namespace

TEST_CASE("a preset, its settings, flags and variables become one command, with a port of our choice") {
  Given given(Flags{{"--launch-preset", "vllm"},
                    {"--model", "m"},
                    {"--launch-set", "tp=2"},
                    {"--launch-arg", "enforce-eager"},
                    {"--launch-arg", "-x=1"},
                    {"--launch-env", "A=b=c"}});
  REQUIRE(given.options.settle(given.target, 1).ok());
  CHECK(given.options.words() == Words{"vllm", "serve", "{model}", "--host", "{host}", "--port", "{port}",
                                       "--tensor-parallel-size", "2", "--enforce-eager", "-x", "1"});
  CHECK(given.options.environment() == std::vector<std::pair<std::string, std::string>>{{"A", "b=c"}});
  CHECK(given.options.ready_path() == "/health");
  CHECK(given.options.chooses_port());
  CHECK(given.target.has_address());
}

TEST_CASE("an address of the user's stays, and a command without a port needs one") {
  Given with(Flags{{"--launch", "engine --port {port}"}, {"--port", "9000"}});
  REQUIRE(with.options.settle(with.target, 1).ok());
  CHECK_FALSE(with.options.chooses_port());
  Given without(Flags{{"--launch", "engine"}});
  CHECK_FALSE(without.options.settle(without.target, 1).ok());
  Given fixed(Flags{{"--launch", "engine"}, {"--base-url", "http://127.0.0.1:1025"}, {"--ready", "/up"}});
  CHECK(fixed.options.settle(fixed.target, 1).ok());
  CHECK(fixed.options.ready_path() == "/up");
}

TEST_CASE("what does not go together is refused") {
  const std::vector<Flags> bad{{{"--launch", "a {port}"}, {"--launch-preset", "vllm"}},
                               {{"--launch-env", "A=b"}},
                               {{"--launch-each", ""}},
                               {{"--stop-timeout", "1s"}},
                               {{"--launch", "a {port}"}, {"--launch-each", ""}},  // of one run
                               {{"--launch", "a {port}"}, {"--launch-set", "tp=2"}},
                               {{"--launch", "a {port} {model}"}},
                               {{"--launch-preset", "vllm"}},
                               {{"--launch-preset", "llama.cpp"}, {"--model", "m"}, {"--launch-set", "tp=2"}}};
  for (const auto& flags : bad) {
    Given given(flags);
    CHECK_FALSE_MESSAGE(given.options.settle(given.target, 1).ok(), flags.back().first);
  }
}

TEST_CASE("nothing wanted is nothing asked for") {
  Given given(Flags{});
  CHECK(given.options.settle(given.target, 1).ok());
  CHECK_FALSE(given.options.is_wanted());
  CHECK_FALSE(given.target.has_address());
}

TEST_CASE("the log lies beside the store, and in no folder of ours where nothing is stored") {
  Given given(Flags{{"--launch", "a {port}"}});
  StoreOptions nothing;
  nothing.keep_nothing();
  CHECK(given.options.log_path(nothing, "engine-1")->ends_with("/scoville-engine-1.log"));
  Given named(Flags{{"--launch", "a {port}"}, {"--launch-log", "x/y.log"}});
  CHECK(*named.options.log_path(nothing, "engine-1") == "x/y.log");
}

}  // namespace scoville::cli
