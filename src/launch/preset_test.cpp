#include "launch/preset.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "launch/command_words.hpp"

using namespace scoville;
using Words = std::vector<std::string>;

TEST_CASE("every built-in preset names its sources, says what is confirmed, and can be asked for by its name") {
  CHECK(launch::built_in_presets().size() == 10);
  for (const launch::Preset& each : launch::built_in_presets()) {
    CAPTURE(each.name);
    CHECK_FALSE(each.sources.empty());
    CHECK((each.confirmed == "run here" || each.confirmed == "documentation only"));
    CHECK(launch::find_preset(each.name)->command == each.command);
    // MindIE's port stands in its own file: the only one whose command has no places.
    CHECK(launch::has_place(each.command, "port") == (each.name != "mindie"));
    CHECK(launch::has_place(each.command, "model") == (each.name != "mindie"));
  }
  const auto unknown = launch::find_preset("vlm");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("vllm-ascend") != std::string::npos);
}

TEST_CASE("a common setting becomes the engine's own words") {
  // vLLM: docs, engine arguments. SGLang: docs, server arguments. llama.cpp: one setting is two flags there.
  CHECK(*launch::words_for(*launch::find_preset("vllm"), "tp", "2") == Words{"--tensor-parallel-size", "2"});
  CHECK(*launch::words_for(*launch::find_preset("sglang"), "max-len", "4096") == Words{"--context-length", "4096"});
  CHECK(*launch::words_for(*launch::find_preset("llama.cpp"), "kv-dtype", "q8_0") ==
        Words{"--cache-type-k", "q8_0", "--cache-type-v", "q8_0"});
  const auto unknown = launch::words_for(*launch::find_preset("llama.cpp"), "tp", "2");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("max-len") != std::string::npos);
  CHECK_FALSE(launch::words_for(*launch::find_preset("mindie"), "tp", "2").ok());
}

TEST_CASE("a preset of one's own says what is wrong with it, and where") {
  const auto good = launch::parse_preset(
      "name: mine\ncommand: [mine, '{port}']\nready: /up\nenvironment: {A: 1}\nsettings: {tp: [--tp=\x7bvalue}]}", "f");
  CHECK_FALSE(good.ok());  // a flow map takes the brace: YAML's own fault, with its line
  const auto quoted = launch::parse_preset(
      "name: mine\ncommand: [mine, '{port}']\nready: /up\nenvironment: {A: 1}\nsettings: {tp: ['--tp={value}']}", "f");
  REQUIRE(quoted.ok());
  CHECK(quoted->environment.at("A") == "1");
  CHECK(*launch::words_for(*quoted, "tp", "4") == Words{"--tp=4"});
  const std::pair<const char*, const char*> bad[] = {
      {"command: [a]", "name"},
      {"name: x", "command"},
      {"name: x\ncommand: a b", "command"},
      {"name: x\ncommand: [a]\nready: up", "ready"},
      {"name: x\ncommand: [a]\nprot: 1", "prot"},
      {"name: x\ncommand: [a]\nsettings: {speed: --fast}", "settings.speed"},
      {"name: [", "1:"},
      {"- a", "f"}};
  for (const auto& [yaml, key] : bad) {
    const auto read = launch::parse_preset(yaml, "f");
    REQUIRE_FALSE_MESSAGE(read.ok(), yaml);
    CHECK_MESSAGE(read.error().message.find(key) != std::string::npos, read.error().message);
  }
}

TEST_CASE("NAME=VALUE is split at its first mark") {
  CHECK(*launch::split_setting("A=b=c") == std::pair<std::string, std::string>("A", "b=c"));
  CHECK(launch::split_setting("A=")->second.empty());
  CHECK_FALSE(launch::split_setting("A").ok());
  CHECK_FALSE(launch::split_setting("=b").ok());
}
