#include "workload/prompt_reader.hpp"

#include <doctest/doctest.h>

namespace scoville::workload {
namespace {

ReadRequest read(std::string_view body, const SaltedHash& hash = SaltedHash("salt")) {
  const auto object = parse_object(body);
  REQUIRE(object);
  auto request = read_request(*object, hash);
  REQUIRE(request);
  return *request;
}

std::string chat(const std::string& text) { return R"({"messages":[{"role":"user","content":")" + text + R"("}]})"; }

}  // namespace

TEST_CASE("messages become a letter, a length and a hash each") {
  const ReadRequest request = read(
      R"({"model":"m","stream":true,"max_tokens":64,"user":"u7","messages":[{"role":"developer","content":"be brief"},)"
      R"({"role":"user","content":[{"type":"text","text":"你好"},{"type":"image_url","image_url":{"url":"x"}}]},)"
      R"({"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"4"}]})");
  CHECK(request.model == "m");
  CHECK(request.is_stream);
  CHECK(request.max_tokens == 64);
  CHECK(request.session == "u7");
  CHECK(request.prompt.roles == "suat");
  // "be brief" is 8, two Chinese characters are 2, an empty list of calls is written as "[]".
  CHECK(request.prompt.message_chars == std::vector<std::uint32_t>{8, 2, 2, 1});
  CHECK(request.prompt.other_parts == 1);
  // With each role and two line feeds: 9+8+2, 4+2+2, 9+2+2, 4+1+2; "developer" and "assistant" have 9 letters.
  CHECK(request.prompt.chars == 19 + 8 + 13 + 7);
}

TEST_CASE("a hash is the same for the same message under one salt, and no other") {
  const auto hash_of = [](std::string_view body, const char* salt) {
    return read(body, SaltedHash(salt)).prompt.message_hashes.at(0);
  };
  CHECK(hash_of(chat("a"), "x") == hash_of(chat("a"), "x"));
  CHECK(hash_of(chat("a"), "x") != hash_of(chat("b"), "x"));
  CHECK(hash_of(chat("a"), "x") != hash_of(chat("a"), "y"));
  CHECK(hash_of(R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]})", "x") ==
        hash_of(chat("a"), "x"));
  CHECK(read(chat("a"), SaltedHash()).prompt.message_hashes != read(chat("a"), SaltedHash()).prompt.message_hashes);
}

TEST_CASE("the hash is SHA-256 behind the salt, cut to 64 bits") {
  // printf salthello | sha256sum → cd31b3b98ece60cb…
  CHECK(SaltedHash("salt").of("hello") == 0xcd31b3b98ece60cbULL);
}

TEST_CASE("prefix hashes count whole blocks of 256 characters, and differ from the first block that differs") {
  const auto prefixes = [](const std::string& text) {
    return read(R"({"prompt":")" + text + R"("})").prompt.prefix_hashes;
  };
  CHECK(prefixes(std::string(255, 'a')).empty());
  CHECK(prefixes(std::string(256, 'a')).size() == 1);
  CHECK(prefixes(std::string(511, 'a')).size() == 1);
  const auto one = prefixes(std::string(256, 'a') + std::string(256, 'b') + std::string(256, 'c'));
  const auto two = prefixes(std::string(256, 'a') + std::string(256, 'x') + std::string(256, 'c'));
  REQUIRE(one.size() == 3);
  REQUIRE(two.size() == 3);
  CHECK(one[0] == two[0]);
  CHECK(one[1] != two[1]);
  CHECK(one[2] != two[2]);  // equal text behind another beginning
}

TEST_CASE("a block is cut between characters, not between bytes") {
  std::string han;
  for (int i = 0; i < 256; ++i) han += "字";
  const ReadRequest request = read(R"({"prompt":")" + han + R"("})");
  CHECK(request.prompt.chars == 256);
  CHECK(request.prompt.prefix_hashes.size() == 1);
}

TEST_CASE("prompts of the other interfaces are read as well") {
  CHECK(read(R"({"prompt":[1,2,3]})").prompt.token_ids == 3);
  CHECK(read(R"({"prompt":["ab","cd"]})").prompt.chars == 4);
  CHECK(read(R"({"input":"abc"})").prompt.chars == 3);
  CHECK(read(R"({"instructions":"be brief","input":[{"role":"user","content":"hi"}]})").prompt.roles == "su");
  CHECK(read(R"({"system":"be brief","messages":[{"role":"user","content":"hi"}]})").prompt.roles == "su");
}

TEST_CASE("a body of another kind is none, and broken JSON is none") {
  CHECK_FALSE(read_request(*parse_object(R"({"model":"m"})"), SaltedHash("s")));
  CHECK_FALSE(read_request(*parse_object(R"({"messages":"text"})"), SaltedHash("s")));
  CHECK_FALSE(parse_object("{\"a\":"));
  CHECK_FALSE(parse_object("[]"));
}

TEST_CASE("the field that the user names comes before those that clients use") {
  const auto body = parse_object(R"({"prompt":"x","user":"u","metadata":{"chat":17}})");
  CHECK(read_request(*body, SaltedHash("s"), "metadata.chat")->session == "17");
  CHECK(read_request(*body, SaltedHash("s"), "nothing")->session == "u");
}

}  // namespace scoville::workload
