#include "cli/parse.hpp"

#include <doctest/doctest.h>

#include "cli/help.hpp"
#include "cli/synonyms.hpp"

namespace scoville::cli {
namespace {

using text::Msg;

/// Takes what bench takes of these kinds, and remembers it.
class Probe final : public Command {
 public:
  Probe() {
    parameters_.under(Group::load);
    for (const char* name : {"--num-prompts",
                             "--duration",
                             "--request-rate",
                             "--arrivals",
                             "--burstiness",
                             "--max-concurrency",
                             "--num-warmups",
                             "--seed",
                             "--random-input-len",
                             "--random-output-len",
                             "--base-url",
                             "--model",
                             "--backend",
                             "--dataset-name",
                             "--dataset-path",
                             "--context-limit",
                             "--prefix-repetition-num-prefixes",
                             "--prefix-repetition-prefix-len",
                             "--prefix-repetition-suffix-len",
                             "--prefix-repetition-output-len",
                             "--cancel-share",
                             "--cancel-after",
                             "--ready-check-timeout"}) {
      add(name, false);
    }
    for (const char* name : {"--metadata", "--extra-body", "--header", "--lora-modules"}) add(name, true);
    declare_synonyms(parameters_);
    declare_foreign_words(parameters_);
  }
  std::string name() const override { return "probe"; }
  Msg summary() const override { return Msg::bench_summary; }
  std::vector<std::string> examples() const override { return {}; }
  Exit run() override { return Exit::fine; }

  std::string given;  ///< "--seed=1 --metadata=a"

 private:
  void add(const char* name, bool takes_many) {
    Parameter one{name, "X", Msg::flag_seed, "", [this, name](std::string_view value) -> Status {
                    given += (given.empty() ? "" : " ") + std::string(name) + "=" + std::string(value);
                    return Done{};
                  }};
    one.is_repeatable = one.takes_many = takes_many;
    parameters_.add(std::move(one));
  }
};

/// A command of a group, with words that stand without a flag.
class Pair final : public Command {
 public:
  Pair(std::string name, bool takes_many) : name_(std::move(name)) {
    const auto word = [this](const char* placeholder) {
      return Positional{placeholder, Msg::flag_seed, [this, placeholder](std::string_view value) -> Status {
                          given += std::string(placeholder) + "=" + std::string(value) + ";";
                          if (value == "bad") return Error{ErrorCode::invalid_argument, "a good one is expected"};
                          return Done{};
                        }};
    };
    parameters_.add(word("NAME"));
    Positional last = word("TAG");
    last.takes_many = takes_many;
    parameters_.add(std::move(last));
    parameters_.toggle("--yes", Msg::flag_yes, is_sure);
  }
  std::string name() const override { return name_; }
  Msg summary() const override { return Msg::runs_tag_summary; }
  std::vector<std::string> examples() const override { return {}; }
  Exit run() override { return Exit::fine; }

  std::string given;
  bool is_sure = false;

 private:
  std::string name_;
};

/// What the words do in a program with "runs tag" and "runs show": "runs tag: NAME=a;", "error: …", "output: …".
std::string of_group(std::vector<const char*> words) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<Probe>());
  commands.push_back(std::make_unique<Pair>("runs tag", false));
  commands.push_back(std::make_unique<Pair>("runs show", true));
  commands.push_back(std::make_unique<Pair>("cost", false));
  commands.push_back(std::make_unique<Pair>("cost init", false));
  words.insert(words.begin(), "scoville");
  const Result<Parsed> result = parse(static_cast<int>(words.size()), words.data(), commands);
  if (!result) return "error: " + result.error().message;
  if (!result->command) return "output: " + result->output;
  const Pair& chosen = dynamic_cast<const Pair&>(*result->command);
  return chosen.name() + ": " + chosen.given + (chosen.is_sure ? " sure" : "");
}

/// What the probe was given, or "error: …".
std::string parsed(std::vector<const char*> words, std::vector<std::string>* notes = nullptr) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<Probe>());
  words.insert(words.begin(), {"scoville", "probe"});
  const Result<Parsed> result = parse(static_cast<int>(words.size()), words.data(), commands);
  if (!result) return "error: " + result.error().message;
  if (notes) *notes = result->notes;
  return dynamic_cast<const Probe&>(*commands[0]).given;
}

}  // namespace

TEST_CASE("a command may have commands of its own beside its words") {
  CHECK(of_group({"cost", "a", "b"}) == "cost: NAME=a;TAG=b;");
  CHECK(of_group({"cost", "init", "a", "b", "--yes"}) == "cost init: NAME=a;TAG=b; sure");
  CHECK(of_group({"cost", "a"}).starts_with("error: "));
  CHECK(of_group({"cost", "--help"}).find("cost init") != std::string::npos);
  CHECK(of_group({"cost", "init", "--yess"}).find("--yes") != std::string::npos);
}

TEST_CASE("several words may follow one flag, and the flag may be repeated") {
  CHECK(parsed({"--metadata", "a=1", "b=2", "--seed", "3", "--metadata", "c=4"}) ==
        "--seed=3 --metadata=a=1 --metadata=b=2 --metadata=c=4");
  CHECK(parsed({"--seed", "1", "2"}).starts_with("error: unknown argument: 2"));
}

TEST_CASE("a synonym is its original, its value in our terms") {
  CHECK(parsed({"--concurrency", "4"}) == "--max-concurrency=4");
  CHECK(parsed({"-n", "7"}) == "--num-prompts=7");
  CHECK(parsed({"--number", "7"}) == "--num-prompts=7");
  CHECK(parsed({"--max-time-per-run", "1.5"}) == "--duration=90s");  // minutes
  CHECK(parsed({"--max-seconds", "30"}) == "--duration=30");
  CHECK(parsed({"--rate", "-1"}) == "--request-rate=inf");
  CHECK(parsed({"-u", "localhost:8000"}) == "--base-url=http://localhost:8000");
  CHECK(parsed({"--target", "https://h"}) == "--base-url=https://h");
  CHECK(parsed({"--endpoint-type", "chat"}) == "--backend=openai-chat");
  CHECK(parsed({"--extra-inputs", "top_k:5"}) == R"(--extra-body={"top_k":5})");
  CHECK(parsed({"--extra-inputs", "mode:fast"}) == R"(--extra-body={"mode":"fast"})");
  CHECK(parsed({"--extra-inputs", R"({"a": 1})"}) == R"(--extra-body={"a": 1})");
}

TEST_CASE("the words of a repeatable flag may be mixed") {
  CHECK(parsed({"--extra-body", R"({"a":1})", "--extra-inputs", "b:2", "--extra-inputs", "c:3", "--min-tokens", "4"}) ==
        R"(--extra-body={"a":1} --extra-body={"b":2} --extra-body={"c":3} --extra-body={"min_tokens":4})");
}

TEST_CASE("a synonym of a flag that takes several words takes them too") {
  CHECK(parsed({"--lora-name", "a", "b"}) == "--lora-modules=a --lora-modules=b");
  CHECK(parsed({"--request-cancellation-rate", "10", "--request-cancellation-delay", "2"}) ==
        "--cancel-share=10 --cancel-after=2");
  CHECK(parsed({"--endpoint-type", "embeddings"}) == "--backend=openai-embeddings");
}

TEST_CASE("every synonym stands for a flag that bench has") {
  Probe probe;
  for (const Synonym& each : probe.parameters().synonyms()) {
    CAPTURE(each.names);
    const auto& all = probe.parameters().all();
    CHECK(std::any_of(all.begin(), all.end(), [&](const Parameter& one) { return one.name == each.flag; }));
  }
}

TEST_CASE("a flag and its synonym, or two synonyms, are one flag given twice") {
  CHECK(parsed({"--num-prompts", "1", "--request-count", "1"}) ==
        "error: --num-prompts and --request-count mean the same: given twice");
  CHECK(parsed({"--isl", "1", "--input-len", "1"}) == "error: --input-len and --isl mean the same: given twice");
  CHECK(parsed({"--isl", "1", "--isl", "2"}) == "error: --isl is given twice");
}

TEST_CASE("a synonym's bad value is told under its own name") {
  CHECK(parsed({"--max-time-per-run", "x"}).starts_with("error: --max-time-per-run: cannot use \"x\""));
  CHECK(parsed({"--endpoint-type", "rankings"}).starts_with("error: --endpoint-type: cannot use \"rankings\""));
  CHECK(parsed({"--arrival-pattern", "concurrency_burst"}).starts_with("error: --arrival-pattern: cannot use"));
  CHECK(parsed({"--extra-inputs", "top_k"}).starts_with("error: --extra-inputs"));
}

TEST_CASE("words without effect are taken and told once, those with the same reason together") {
  std::vector<std::string> notes;
  CHECK(parsed({"--tokenizer-mode", "auto", "--streaming", "--trust-remote-code", "--seed", "1"}, &notes) ==
        "--seed=1");
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].starts_with("--tokenizer-mode, --trust-remote-code: tokens are counted by the server"));
  CHECK(notes[1].starts_with("--streaming: "));
  CHECK(parsed({"--seed", "1"}, &notes) == "--seed=1");
  CHECK(notes.empty());
}

TEST_CASE("a refused word says what to use instead, unless its value asks for nothing") {
  const std::string refused = parsed({"--random-range-ratio", "0"});
  for (const char* words : {"--random-range-ratio", "[L(1-r), L(1+r)]", "[L*r, L]", "--length-spread"}) {
    CHECK(refused.find(words) != std::string::npos);
  }
  CHECK(parsed({"--random-prefix-len", "0"}) == "");
  CHECK(parsed({"--random-prefix-len", "16"}).starts_with("error: --random-prefix-len is refused: "));
  CHECK(parsed({"--profile"}).starts_with("error: --profile is refused: "));
}

TEST_CASE("a refused key is not repeated in the error") {
  CHECK(parsed({"--api-key", "sk-secret"}).find("sk-secret") == std::string::npos);
}

TEST_CASE("help lists flags under their heading and other tools' words behind them") {
  Probe probe;
  const std::string help = help_of(probe);
  const auto place = [&](const char* words) {
    REQUIRE(help.find(words) != std::string::npos);
    return help.find(words);
  };
  CHECK(place("\nLoad:\n") < place("\n  --num-prompts X"));
  CHECK(place("\n  --num-prompts X") < place("\nOther tools' words:\n"));
  CHECK(place("\nOther tools' words:\n") < place("--concurrency (AIPerf)"));
  CHECK(help.find("\nServer:\n") == std::string::npos);  // no heading without a flag
}

TEST_CASE("words without a flag go to their command in their order, with flags anywhere between") {
  CHECK(of_group({"runs", "tag", "a", "b"}) == "runs tag: NAME=a;TAG=b;");
  CHECK(of_group({"runs", "tag", "a", "--yes", "b"}) == "runs tag: NAME=a;TAG=b; sure");
  CHECK(of_group({"runs", "tag", "a", ""}) == "runs tag: NAME=a;TAG=;");
  CHECK(of_group({"runs", "show", "a", "b", "c"}) == "runs show: NAME=a;TAG=b;TAG=c;");
}

TEST_CASE("a word may be spelled like a command") {
  CHECK(of_group({"runs", "tag", "show", "probe"}) == "runs tag: NAME=show;TAG=probe;");
  CHECK(of_group({"runs", "tag", "runs", "tag"}) == "runs tag: NAME=runs;TAG=tag;");
}

TEST_CASE("a word that is missing, too many or bad is one line that names it") {
  CHECK(of_group({"runs", "tag", "a"}) == "error: TAG is missing (see scoville runs tag --help)");
  CHECK(of_group({"runs", "tag"}) == "error: NAME is missing (see scoville runs tag --help)");
  CHECK(of_group({"runs", "tag", "a", "b", "c"}) == "error: unknown argument: c (see scoville runs tag --help)");
  CHECK(of_group({"runs", "tag", "bad", "b"}) == "error: NAME: cannot use \"bad\": a good one is expected");
  CHECK(of_group({"runs", "tag", "a", "b", "--yess"}) ==
        "error: unknown argument: --yess (did you mean --yes? see scoville runs tag --help)");
}

TEST_CASE("a group alone says which commands it has, and what comes near a misspelled one") {
  CHECK(of_group({"runs"}) == "error: scoville runs: a command is missing: tag, show (see scoville runs --help)");
  CHECK(of_group({"runs", "tga"}) == "error: unknown argument: tga (did you mean tag? see scoville runs --help)");
  CHECK(of_group({"rums", "tag"}) == "error: unknown argument: rums (did you mean runs? see scoville --help)");
  const std::string help = of_group({"runs", "--help"});
  CHECK(help.starts_with("output:   runs tag "));
  CHECK(help.find("probe") == std::string::npos);
  CHECK(of_group({"runs", "--lang", "fr"}).starts_with("error: --lang: cannot use \"fr\""));
}

TEST_CASE("help shows the words of a command in its first line, and explains them") {
  Pair command("runs show", true);
  const std::string help = help_of(command);
  CHECK(help.find("\n  scoville runs show NAME TAG … [") != std::string::npos);
  CHECK(help.find("\n  NAME  ") != std::string::npos);
}

}  // namespace scoville::cli
