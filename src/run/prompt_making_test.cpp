#include "run/prompt_making.hpp"

#include <doctest/doctest.h>

#include <map>

#include "base/json.hpp"

namespace scoville::run {
namespace {

std::int64_t words_in(std::string_view text) {
  std::int64_t words = 0;
  bool is_within = false;
  for (const char each : text) {
    words += each != ' ' && !is_within;
    is_within = each != ' ';
  }
  return words;
}

/// A server that counts words: 24 tokens of template, then one a word.
struct FakeServer {
  int counts = 0;
  bool has_tokenizer = true;
  std::optional<std::uint32_t> context;

  ServerAccess access() {
    ServerAccess access;
    access.model = std::string("m");
    access.post = [this](const std::string& path, const std::string& body) -> Result<wire::Response> {
      wire::Response response;
      response.head.status = has_tokenizer && path == "/tokenize" ? 200 : 404;
      if (response.head.status != 200) return response;
      ++counts;
      const json::value asked = json::parse(body);
      const std::string text(asked.at("messages").at(0).at("content").as_string());
      response.body = compact(json::object{{"count", 24 + words_in(text)}});
      return response;
    };
    access.usage_of = [](const std::string& prompt) -> Result<std::int64_t> { return 24 + words_in(prompt); };
    access.context = [this] { return context; };
    return access;
  }
};

PromptPlan plan_of(const std::string& content, bool is_multi_turn = false) {
  dataset::ReadOptions options;
  options.is_multi_turn = is_multi_turn;
  auto read = dataset::parse_dataset("f", content, options);
  REQUIRE(read.ok());
  PromptPlan plan;
  plan.file = std::make_shared<dataset::Dataset>(std::move(*read));
  return plan;
}

MadePrompts made(const PromptPlan& plan, FakeServer& server) {
  auto prompts = make_prompts(plan, server.access());
  REQUIRE(prompts.ok());
  return std::move(*prompts);
}

std::vector<std::string> codes_of(const MadePrompts& prompts) {
  std::vector<std::string> codes;
  for (const auto& each : prompts.warnings) codes.push_back(each.code);
  return codes;
}

const char* const kLengths = R"({"prompt_tokens":100,"output_tokens":50}
{"prompt_tokens":200,"output_tokens":60}
{"prompt_tokens":1100,"output_tokens":60}
{"prompt_tokens":0,"output_tokens":60})";

/// Conversations whose answers have 5, 2 and 2 words.
const char* const kTalks =
    R"({"conversations":[{"from":"human","value":"a b c d"},{"from":"gpt","value":"one two three four five"},{"from":"human","value":"e"},{"from":"gpt","value":"six seven"}]}
{"conversations":[{"from":"human","value":"a b c d e f"},{"from":"gpt","value":"one two"}]})";

}  // namespace

TEST_CASE("lengths of a file become prompts that this server counts as so long") {
  FakeServer server;
  const MadePrompts prompts = made(plan_of(kLengths), server);
  CHECK(prompts.length_is_exact);
  CHECK(prompts.fixed_tokens == 25);
  CHECK(codes_of(prompts) == std::vector<std::string>{"rows_left_out"});
  CHECK(prompts.source->size() == 3);
  CHECK(24 + words_in(prompts.source->make(1).text) == 200);
  CHECK(prompts.source->make(1).max_tokens == 60);
  CHECK(prompts.source->describe().english == "lengths of f (lengths, 3 requests)");
}

TEST_CASE("the flag's context wins over the server's; all rows beyond it are an error") {
  FakeServer server;
  server.context = 259;
  PromptPlan plan = plan_of(kLengths);
  CHECK(made(plan, server).source->size() == 1);
  plan.context_limit = 260;
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->size() == 2);
  CHECK(codes_of(prompts) == std::vector<std::string>{"rows_left_out", "rows_too_long"});
  plan.context_limit = 149;
  const auto none = make_prompts(plan, server.access());
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message == "no line of f can be used: no prompt fits a context of 149 tokens");
}

TEST_CASE("--prune vllm counts what it leaves out, and fixed outputs win over the file's") {
  FakeServer server;
  PromptPlan plan = plan_of(kLengths);
  plan.prunes_like_vllm = true;
  plan.output_tokens = 7;
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->size() == 2);
  CHECK(prompts.source->make(0).max_tokens == 7);
  CHECK(codes_of(prompts) == std::vector<std::string>{"rows_left_out", "rows_pruned"});
}

TEST_CASE("answers are counted for as many rows as will be used, none where their lengths are fixed") {
  FakeServer server;
  PromptPlan plan = plan_of(kTalks);
  plan.rows = 1;
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->make(0).max_tokens == 5);
  CHECK(prompts.source->make(0).text == "a b c d");
  CHECK(codes_of(prompts).empty());
  const int counts = server.counts;
  plan.output_tokens = 9;
  CHECK(made(plan, server).source->make(1).max_tokens == 9);
  CHECK(server.counts == counts);
}

TEST_CASE("a conversation that is left out makes room for the next one, whose length is found, too") {
  FakeServer server;
  const std::string talks = kTalks;
  PromptPlan plan = plan_of(talks.substr(talks.find('\n') + 1) + "\n" + talks);  // 2, 5 and 2 words of answer
  plan.rows = 1;
  plan.prunes_like_vllm = true;
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->make(0).max_tokens == 5);
  REQUIRE(codes_of(prompts) == std::vector<std::string>{"rows_pruned"});
  CHECK(prompts.warnings[0].sentence.english.starts_with("f: 1 of 2 rows are left out by --prune vllm"));
}

TEST_CASE("without a tokenizer answers are estimated, and that is said") {
  FakeServer server;
  server.has_tokenizer = false;
  PromptPlan plan = plan_of(kTalks);
  plan.rows = 2;
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->make(2).max_tokens == 2);  // the second conversation: 7 characters
  CHECK(codes_of(prompts) == std::vector<std::string>{"output_lengths_estimated"});
}

TEST_CASE("conversations go on to every turn, and fit the context as a whole") {
  FakeServer server;
  PromptPlan plan = plan_of(kTalks, /*is_multi_turn=*/true);
  plan.rows = 2;
  plan.think = std::chrono::seconds(2);
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->chain(0).turns == 2);
  CHECK(prompts.source->think_time(0, 1) == std::chrono::seconds(2));
  plan.context_limit = 11;  // the first has 4 + 5 + 1 + 2
  CHECK(made(plan, server).source->chain(0).turns == 1);
}

TEST_CASE("messages go to a completions API as plain text") {
  FakeServer server;
  ServerAccess access = server.access();
  access.api = dataset::Api::completions;
  const auto prompts =
      make_prompts(plan_of(R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]})"), access);
  REQUIRE(prompts.ok());
  CHECK(prompts->source->make(0).text == "s\n\nq");
}

TEST_CASE("rows with images do not go to an API that cannot carry them, whatever the format") {
  const std::string image = R"({"type":"image_url","image_url":{"url":"data:,"}})";
  for (const std::string& content :
       {R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},)" + image + "]}]}",
        R"([{"id":"m","messages":[{"role":"user","content":[)" + image + "]}]}]"}) {
    FakeServer server;
    ServerAccess access = server.access();
    PromptPlan plan = plan_of(content);
    plan.output_tokens = 4;
    CHECK(make_prompts(plan, access).ok());
    access.takes_images = false;  // Ollama's chat API: messages, but images elsewhere
    const auto refused = make_prompts(plan, access);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("openai-responses") != std::string::npos);
  }
}

TEST_CASE("adapters are spread over whatever prompts were made, several texts over synthetic ones") {
  FakeServer server;
  PromptPlan plan;
  plan.input = dataset::LengthDistribution::constant(64);
  plan.output = dataset::LengthDistribution::constant(8);
  plan.adapters = {{"a", "b"}, /*is_random=*/false};
  const MadePrompts prompts = made(plan, server);
  CHECK(prompts.source->make(0).model == "a");
  CHECK(prompts.source->make(1).model == "b");
  plan.adapters = {};
  plan.inputs_per_request = 3;
  const dataset::Prompt grouped = made(plan, server).source->make(0);
  CHECK(grouped.more_texts.size() == 2);
  CHECK(grouped.asked_prompt_tokens == 3 * 64);
}

}  // namespace scoville::run
