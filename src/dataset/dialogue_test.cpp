#include "dataset/dialogue.hpp"

#include <doctest/doctest.h>

#include "dataset/case_file.hpp"
#include "dataset/conversations.hpp"
#include "dataset/dialogue_rows.hpp"
#include "dataset/fake_tokenizer.hpp"
#include "dataset/rows_report.hpp"

namespace scoville::dataset {
namespace {

Dialogues sharegpt(std::string_view content) {
  auto read = parse_sharegpt(content);
  REQUIRE(read.ok());
  return *std::move(read);
}

ConversationPrompts prompts_of(Dialogues dialogues, Api api = Api::chat) {
  ConversationOptions options;
  options.api = api;
  options.think = std::chrono::seconds(3);
  return {std::move(dialogues), options};
}

const char* const kThreeTurns =
    R"({"id":"x","conversations":[{"from":"human","value":"one"},{"from":"gpt","value":"a b"},{"from":"human","value":"two \"2\""},{"from":"gpt","value":"c"},{"from":"human","value":"three"}]})";

}  // namespace

TEST_CASE("DAT-01: first pairs that can be used are, and each other row is skipped for its reason") {
  const auto expect = expected("DAT-01");
  const Dialogues read = sharegpt(case_file("DAT-01.json"));
  json::array used, prompts;
  for (const Dialogue& row : read.rows) {
    used.push_back(json::string(row.id));
    prompts.push_back(json::string(row.turns.at(0).text));
  }
  CHECK(used == expect.at("used").as_array());
  CHECK(prompts == expect.at("prompts").as_array());
  CHECK(read.rows[0].turns[0].answer == "a");
  REQUIRE(read.bad.size() == expect.at("skipped").as_array().size());
  // a c d e h are entries 1 3 4 5 8.
  CHECK(reasons_of(read.bad) == "no turns (2: row 1, 5); no prompt (2: row 3, 4); no answer (1: row 8)");
  const auto warning = left_out_warning("f", read.bad, read.rows.size());
  REQUIRE(warning.has_value());
  CHECK(warning->sentence.english ==
        "f: 5 of 8 rows are left out: no turns (2: row 1, 5); no prompt (2: row 3, 4); no answer (1: row 8)");
}

TEST_CASE("ShareGPT as JSON lines, with a byte order mark, and with a system message before") {
  const Dialogues read = sharegpt(
      std::string("\xEF\xBB\xBF") + kThreeTurns +
      "\nnot JSON\n"
      R"({"conversations":[{"from":"system","value":"s"},{"from":"human","value":"q"},{"from":"gpt","value":"a"}]})");
  REQUIRE(read.rows.size() == 2);
  CHECK(read.rows[0].turns.size() == 2);  // nobody answered the third
  CHECK(read.rows[1].turns[0].messages_json == R"({"role":"system","content":"s"},{"role":"user","content":"q"})");
  REQUIRE(read.bad.size() == 1);
  CHECK(read.bad[0].line == 2);
  CHECK_FALSE(parse_sharegpt("[{]").ok());
}

TEST_CASE("a turn after the first is asked after the answers that the server really gave") {
  const auto prompts = prompts_of(sharegpt(kThreeTurns));
  CHECK(prompts.chain(0).turns == 2);
  CHECK(prompts.chain(3).first == 6);
  CHECK(prompts.size() == 2);
  CHECK(prompts.think_time(0, 1) == std::chrono::seconds(3));
  CHECK(prompts.shares_prefixes());
  CHECK(prompts.make(0).text == "one");
  CHECK(prompts.make(2).text == "one");
  const std::string answers[] = {"said by the server"};
  const Prompt second = prompts.follow_up(0, answers);
  CHECK(
      json::parse(second.messages_json) ==
      json::parse(
          R"([{"role":"user","content":"one"},{"role":"assistant","content":"said by the server"},{"role":"user","content":"two \"2\""}])"));
  const auto plain = prompts_of(sharegpt(kThreeTurns), Api::completions);
  CHECK(plain.follow_up(0, answers).text == "one\n\nsaid by the server\n\ntwo \"2\"");
}

TEST_CASE("OpenAI's messages become turns: what stands between two answers belongs together") {
  const Dialogues read = parse_message_dialogues(
      R"({"id":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"q1"},{"role":"assistant","content":"a1"},{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:,"}}]}],"max_tokens":9}
[{"role":"assistant","content":"hello"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}]
{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"1"}],"content":null}]}
{"messages":[{"role":"assistant","content":"a"}]}
{"messages":[{"content":"a"}]}
{"messages":"x"}
{"messages":[]})");
  REQUIRE(read.rows.size() == 2);
  const auto& turns = read.rows[0].turns;
  REQUIRE(turns.size() == 2);
  CHECK(json::parse('[' + turns[0].messages_json + ']') ==
        json::parse(R"([{"role":"system","content":"s"},{"role":"user","content":"q1"}])"));
  CHECK(turns[0].text == "s\n\nq1");
  CHECK(turns[0].answer == "a1");
  CHECK(turns[1].has_more_than_text);
  CHECK(turns[1].output_tokens == 9);
  CHECK(turns[1].text == "look");
  REQUIRE(read.rows[1].turns.size() == 1);
  CHECK(read.rows[1].turns[0].text == "q");
  CHECK(read.rows[1].turns[0].messages_json.empty());
  CHECK(reasons_of(read.bad) ==
        "no prompt (2: row 4, 7); it calls tools, and the server's own answers need not call the same (1: row 3); a "
        "message has "
        "no role or no content (1: row 5); \"messages\" is not a list of objects (1: row 6)");
  const auto prompts = prompts_of(read);
  CHECK(json::parse(prompts.make(0).messages_json).as_array().size() == 2);
  const std::string answers[] = {"real"};
  const json::array sent = json::parse(prompts.follow_up(0, answers).messages_json).as_array();
  REQUIRE(sent.size() == 4);
  CHECK(sent[2].at("content").as_string() == "real");
  CHECK(sent[3].at("content").is_array());
}

TEST_CASE("answers are counted by the server, without template, and the rest estimated at the ratio of those") {
  FakeTokenizer tokenizer(24, [](std::string_view word) { return static_cast<std::int64_t>(word.size()); });
  TextLengths lengths(&tokenizer, 2);
  // "The" costs 3 here: the fixed part comes out as 26, two more than it is.
  CHECK(lengths.tokens("abcdefgh") == 6);
  CHECK(lengths.tokens("abcd") == 2);
  CHECK(lengths.counted() == 2);
  // Guessed 2 and 1, counted 6 and 2: 8 ÷ 3 a guess.
  CHECK(lengths.tokens("abcdefghijkl") == 8);
  CHECK(lengths.estimated() == 1);
  CHECK(tokenizer.calls == 3);
}

TEST_CASE("without a counter a token is four characters of ASCII, two tokens three of others") {
  TextLengths lengths(nullptr, 100);
  CHECK(lengths.tokens("abcdefgh") == 2);
  CHECK(lengths.tokens("\xE4\xBD\xA0\xE5\xA5\xBD\xE5\x90\x97") == 2);
  CHECK(lengths.tokens("a") == 1);
  CHECK(lengths.estimated() == 3);
}

TEST_CASE("lengths are found for as many rows as will be used, and fixed ones need none") {
  Dialogues read = sharegpt(std::string(kThreeTurns) + "\n" + kThreeTurns);
  FakeTokenizer tokenizer(24);
  TextLengths lengths(&tokenizer, 100);
  LengthsWanted wanted;
  wanted.rows = 1;
  find_lengths(read, wanted, lengths);
  CHECK(read.rows[0].turns[0].output_tokens == 2);
  CHECK(read.rows[0].turns[1].output_tokens == 1);
  CHECK(read.rows[1].turns[0].output_tokens == 0);
  CHECK(read.rows[0].turns[0].input_tokens == 0);
  fix_outputs(read, 50);
  CHECK(read.rows[1].turns[1].output_tokens == 50);
  limit_turns(read, 1);
  CHECK(read.rows[0].turns.size() == 1);
}

TEST_CASE("vLLM's pruning keeps from 4 tokens on, prompts up to 1024 and both up to 2048") {
  CHECK_FALSE(vllm_prunes(4, 4));
  CHECK(vllm_prunes(3, 4));
  CHECK(vllm_prunes(4, 3));
  CHECK_FALSE(vllm_prunes(1024, 1024));
  CHECK(vllm_prunes(1025, 4));
  CHECK(vllm_prunes(1024, 1025));
  Dialogues read = sharegpt(std::string(kThreeTurns) + "\n" + kThreeTurns);
  read.rows[0].turns[0].input_tokens = read.rows[0].turns[0].output_tokens = 100;
  read.rows[1].turns[0].input_tokens = 3;
  read.rows[1].turns[0].output_tokens = 100;
  CHECK(prune_like_vllm(read) == 1);
  CHECK(read.rows.size() == 1);
}

TEST_CASE("a conversation fits the context by the sum of its turns") {
  Dialogues read = sharegpt(std::string(kThreeTurns) + "\n" + kThreeTurns + "\n" + kThreeTurns);
  for (std::size_t row = 0; row < 2; ++row) {
    for (DialogueTurn& turn : read.rows[row].turns) turn = {"q", "", false, "a", 20, 30};
  }
  read.rows[1].turns[1].output_tokens = 31;
  CHECK(drop_too_long(read, 100) == std::vector<std::uint64_t>{2});
  CHECK(read.rows.size() == 2);  // the third is of unknown length
}

TEST_CASE("the hash of conversations holds texts and recorded answers, not limits counted by one server's tokenizer") {
  Dialogues read = sharegpt(kThreeTurns);
  const auto hash = prompts_of(read).dataset_hash();
  Dialogues counted = read;
  counted.rows[0].turns[0].output_tokens = 7;
  CHECK(prompts_of(counted).dataset_hash() == hash);
  Dialogues other = read;
  other.rows[0].turns[1].answer = "d";
  CHECK(prompts_of(other).dataset_hash() != hash);
  other = read;
  other.rows[0].turns[0].text = "One";
  CHECK(prompts_of(other).dataset_hash() != hash);
}

}  // namespace scoville::dataset
