#include "environment/model_files.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"
#include "environment/made_gguf.hpp"

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;

namespace {

Result<event::Fingerprint> observe(const std::string& path) {
  ModelQuestion question;
  question.path = path;
  return observe_model_files(question);
}

}  // namespace

TEST_CASE("a model's folder: weights, tokenizer, configuration, origin") {
  MadeFolder folder;
  folder.file("config.json", R"({"architectures":["A"],"torch_dtype":"bfloat16"})");
  folder.file("model-00001-of-00002.safetensors", "first shard");
  folder.file("model-00002-of-00002.safetensors", "second shard");
  folder.file("tokenizer.json", "{}");
  const auto f = observe(folder.path());
  REQUIRE(f.ok());
  // LC_ALL=C sha256sum *.safetensors | sha256sum
  CHECK(f->text("model.sha256") == "ade991340d4fae885bf73af1898e5cee9351ad59bca7b98aaeffe3f9444db60b");
  CHECK(f->text("model.file_bytes") == "23");
  CHECK(f->find("model.files")->value.as_array().size() == 2);
  CHECK_FALSE(f->find("model.files")->is_comparable);
  CHECK(f->text("model.tokenizer_sha256") == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  CHECK(f->text("model.architecture") == "A");
  CHECK(f->text("model.source") == "local");
  CHECK(f->find("model.derivation")->status == FieldStatus::absent);
}

TEST_CASE("a tokenizer of two files has one hash; a folder without weights or tokenizer says so") {
  MadeFolder folder;
  folder.file("merges.txt", "m");
  folder.file("vocab.json", R"({"a":0})");
  // sha256sum merges.txt vocab.json | sha256sum
  CHECK(observe(folder.path())->text("model.tokenizer_sha256") ==
        "d8d6d4cf10504ff71dfc27b5d019b52153488aecf3833e78c977d30073fe2d76");
  MadeFolder empty;
  const auto f = observe(empty.path());
  REQUIRE(f.ok());
  CHECK(f->find("model.sha256")->status == FieldStatus::absent);
  CHECK(f->find("model.tokenizer_sha256")->status == FieldStatus::absent);
}

TEST_CASE("a GGUF file is the same model whether named itself or by its folder") {
  MadeFolder folder;
  folder.file("m.gguf", MadeGguf().text("general.architecture", "llama").u32("general.file_type", 15).bytes());
  const auto by_file = observe(folder / "m.gguf"), by_folder = observe(folder.path());
  REQUIRE(by_file.ok());
  REQUIRE(by_folder.ok());
  CHECK(by_file->comparable_hash() == by_folder->comparable_hash());
  CHECK(by_file->text("model.weights.quantisation") == "Q4_K_M");
  CHECK(by_file->text("model.sha256").size() == 64);
  folder.file("n.gguf", MadeGguf().bytes());
  CHECK_FALSE(observe(folder.path()).ok());  // which of the two?
}

TEST_CASE("what is no model is an error") {
  MadeFolder folder;
  folder.file("a.gguf", "not a model");
  CHECK_FALSE(observe(folder / "none").ok());
  CHECK_FALSE(observe(folder / "a.gguf").ok());
  CHECK_FALSE(observe("/dev/null").ok());
}
