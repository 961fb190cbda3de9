#include "environment/gguf_header.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"
#include "environment/made_gguf.hpp"

using namespace scoville;
using namespace scoville::environment;

namespace {

Result<GgufHeader> read(const std::string& bytes) {
  MadeFolder folder;
  folder.file("m.gguf", bytes);
  return read_gguf_header(folder / "m.gguf");
}

MadeGguf small() {
  MadeGguf out;
  out.text("general.architecture", "llama")
      .u32("general.file_type", 15)
      .texts("tokenizer.ggml.tokens", {"a", "bc", ""});
  out.u16s("odd", 5).f32_zero("zero").text("general.name", "Tiny");
  return out;
}

}  // namespace

TEST_CASE("a header gives its entries, of arrays their length, and the number of tensors") {
  const Result<GgufHeader> header = read(small().bytes(7));
  REQUIRE(header.ok());
  CHECK(header->version == 3);
  CHECK(header->tensor_count == 7);
  CHECK(header->text("general.architecture") == "llama");
  CHECK(header->find("general.file_type")->to_number<int>() == 15);
  CHECK(header->find("tokenizer.ggml.tokens")->to_number<int>() == 3);
  CHECK(header->find("odd")->to_number<int>() == 5);
  CHECK(header->find("zero")->to_number<double>() == 0);
  CHECK(header->text("general.name") == "Tiny");  // behind the arrays: they were passed over rightly
  CHECK(header->find("none") == nullptr);
}

TEST_CASE("a header cut at any byte is an error, never a crash") {
  const std::string whole = small().bytes();
  for (std::size_t n = 0; n < whole.size(); ++n) CHECK_FALSE(read(whole.substr(0, n)).ok());
}

TEST_CASE("lengths beyond the end of the file and unknown types are refused before memory is taken") {
  const auto number = &MadeGguf::number;
  CHECK_FALSE(read(MadeGguf().entry("a", 8, number(1ull << 60, 8)).bytes()).ok());
  CHECK_FALSE(read(MadeGguf().entry("a", 9, number(12, 4) + number(1ull << 61, 8)).bytes()).ok());
  CHECK_FALSE(read(MadeGguf().entry("a", 13, number(0, 8)).bytes()).ok());
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += number(9, 4) + number(1, 8);
  CHECK_FALSE(read(MadeGguf().entry("a", 9, nested + nested).bytes()).ok());
}

TEST_CASE("the list of tensors counts parameters and tells a head of its own from one that is the embedding") {
  const std::string embedding = MadeGguf::tensor("token_embd.weight", {4, 10}), norm = MadeGguf::tensor("n", {4});
  const Result<GgufHeader> tied = read(small().bytes(2) + embedding + norm);
  REQUIRE(tied.ok());
  CHECK(tied->parameters == 44);  // 4 * 10 + 4
  CHECK(tied->ties_embeddings == true);
  const Result<GgufHeader> own = read(small().bytes(2) + embedding + MadeGguf::tensor("output.weight", {4, 10}));
  CHECK(own->parameters == 80);
  CHECK(own->ties_embeddings == false);
}

TEST_CASE("a list of tensors that is cut off leaves both unknown; the metadata stand") {
  const std::string list = MadeGguf::tensor("token_embd.weight", {4, 10});
  const Result<GgufHeader> cut = read(small().bytes(1) + list.substr(0, list.size() - 1));
  REQUIRE(cut.ok());
  CHECK_FALSE(cut->parameters);
  CHECK_FALSE(cut->ties_embeddings);
  CHECK_FALSE(read(small().bytes(1) + MadeGguf::tensor("a", {1ull << 40, 1ull << 40}))->parameters);
}

TEST_CASE("another format and another version say so") {
  CHECK(read("PK\3\4").error().message.ends_with("not a GGUF file"));
  CHECK(read(MadeGguf(1).bytes()).error().message.find("version 1") != std::string::npos);
  CHECK_FALSE(read_gguf_header("/nowhere/m.gguf").ok());
}

TEST_CASE("file types have llama.cpp's names") {
  CHECK(gguf_file_type(0) == "F32");
  CHECK(gguf_file_type(1) == "F16");
  CHECK(gguf_file_type(3) == "Q4_1");
  CHECK(gguf_file_type(7) == "Q8_0");
  CHECK(gguf_file_type(15) == "Q4_K_M");
  CHECK(gguf_file_type(18) == "Q6_K");
  CHECK(gguf_file_type(30) == "IQ4_XS");
  CHECK(gguf_file_type(32) == "BF16");
  CHECK(gguf_file_type(38) == "MXFP4_MOE");
  CHECK(gguf_file_type(40) == "Q1_0");
  CHECK(gguf_file_type(41).empty());
  CHECK(gguf_file_type(-1).empty());
}
