#include "model/tokenizer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "model/sampler.hpp"
#include "model/tokenizer_file.hpp"

namespace scoville::torch_probe::model {
namespace {

TEST_CASE("a byte is a token, and a conversation says who speaks") {
  const auto tokenizer = byte_tokenizer();
  CHECK(*tokenizer->encode("a\xc3\xa9", true) == std::vector<std::int64_t>{256, 97, 0xc3, 0xa9});
  CHECK(*tokenizer->encode("a", false) == std::vector<std::int64_t>{97});
  CHECK(*tokenizer->encode_chat({{"system", "s"}, {"user", "u"}}) ==
        std::vector<std::int64_t>{256, 258, 's', 259, 'u', 260});
  CHECK(tokenizer->bytes_of(97) == "a");
  CHECK(tokenizer->bytes_of(257).empty());
  CHECK(tokenizer->answers().size() == 95);
}

TEST_CASE("ids go in and come out where no tokenizer is read") {
  CHECK(id_tokenizer()->bytes_of(17) == "<17>");
  CHECK_FALSE(id_tokenizer()->encode("text", true));
}

TEST_CASE("a stream is cut at whole characters, whatever bytes come") {
  TextCutter cutter;
  CHECK(cutter.push("a\xe4\xbd") == "a");
  CHECK(cutter.push("\xa0") == "\xe4\xbd\xa0");  // 你, complete
  CHECK(cutter.push("\xff") == "\xef\xbf\xbd");  // begins nothing
  CHECK(cutter.push("\xc3"
                    "b") ==
        "\xef\xbf\xbd"
        "b");                                                    // broken off
  CHECK(cutter.push("\xe0\x80") == "\xef\xbf\xbd\xef\xbf\xbd");  // overlong: e0 wants a0 … bf
  CHECK(cutter.push("\xf0\x9f\x98").empty());
  CHECK(cutter.rest() == "\xef\xbf\xbd");
  CHECK(cutter.rest().empty());
}

/// Ġ is a blank, Ċ a line feed in GPT-2's letters.
constexpr const char* kBpe =
    R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"\u0120":3,"\u0120ab":4,"1":5,"12":6,"\u00c3":7,"\u00a9":8,"\u010a":9,"\u00c3\u00a9":10},)"
    R"("merges":["a b",["\u0120","ab"],"1 2","\u00c3 \u00a9"]},"decoder":{"type":"ByteLevel"},"post_processor":{"single":"<s>"},)"
    R"("added_tokens":[{"id":20,"content":"<s>"},{"id":21,"content":"<|im_start|>"},{"id":22,"content":"<|im_end|>"}])";

TEST_CASE("byte-level BPE joins the pairs learnt first, within words") {
  const auto read = bpe_tokenizer(std::string(kBpe) + "}", 20);
  REQUIRE(read);
  REQUIRE(*read);
  const Tokenizer& tokenizer = **read;
  CHECK(*tokenizer.encode("ab ab12", true) == std::vector<std::int64_t>{20, 2, 4, 6});
  CHECK(*tokenizer.encode("a  ab", false) ==
        std::vector<std::int64_t>{0, 3, 4});  // of two blanks the last joins the word
  CHECK(*tokenizer.encode("\xc3\xa9", false) == std::vector<std::int64_t>{10});
  CHECK(tokenizer.bytes_of(4) == " ab");
  CHECK(tokenizer.bytes_of(7) == "\xc3");
  CHECK(tokenizer.bytes_of(21).empty());
  CHECK(*tokenizer.encode_chat({{"a", "b"}}) ==
        std::vector<std::int64_t>{20, 21, 0, 9, 1, 22, 9, 21, 0, 0, 9});  // "assistant" has two known letters
}

TEST_CASE("digits stand alone where the file says so; what is no byte-level BPE is left to ids") {
  const auto read =
      bpe_tokenizer(std::string(kBpe) + R"(,"pre_tokenizer":{"type":"Digits","individual_digits":true}})", 20);
  REQUIRE(read);
  CHECK(*(*read)->encode("11", false) == std::vector<std::int64_t>{5, 5});
  CHECK(*bpe_tokenizer(R"({"model":{"type":"Unigram"}})", {}) == nullptr);
  CHECK(bpe_tokenizer("[]", {}).error().message == "expected a JSON object");
}

TEST_CASE("greedy takes the likeliest, the lowest id among equals, none that is forbidden or not allowed") {
  const std::array<float, 4> logits{1, 3, 3, 2};
  const std::array<std::int64_t, 1> one{1};
  const std::array<std::int64_t, 2> allowed{0, 3};
  CHECK(Sampler({}, {}).choose(logits, {}, 0) == 1);
  CHECK(Sampler({}, {}).choose(logits, one, 0) == 2);
  CHECK(Sampler({}, allowed).choose(logits, {}, 0) == 3);
  const std::array<float, 2> broken{std::numeric_limits<float>::quiet_NaN(), -1};
  CHECK(Sampler({}, {}).choose(broken, {}, 0) == 1);
}

TEST_CASE("draws follow the probabilities, cut by top_p, and are the same for the same seed and place") {
  // Probabilities 0.6, 0.3, 0.1. Of 4000 draws 2400 ± 155 (five standard deviations) are the first.
  const std::array<float, 3> logits{std::log(0.6f), std::log(0.3f), std::log(0.1f)};
  std::array<int, 3> seen{}, cut{};
  Sampler all({1, 1, 7}, {}), most({1, 0.85, 7}, {});
  for (std::uint64_t i = 0; i < 4000; ++i) {
    ++seen[static_cast<std::size_t>(all.choose(logits, {}, i))];
    ++cut[static_cast<std::size_t>(most.choose(logits, {}, i))];
  }
  CHECK(std::abs(seen[0] - 2400) < 155);
  CHECK(std::abs(seen[2] - 400) < 95);
  CHECK(cut[2] == 0);
  CHECK(std::abs(cut[0] - 2667) < 150);  // 0.6 of 0.9
  CHECK(Sampler({1, 1, 7}, {}).choose(logits, {}, 11) == all.choose(logits, {}, 11));
}

}  // namespace
}  // namespace scoville::torch_probe::model
