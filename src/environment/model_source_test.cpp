#include "environment/model_source.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;
using event::Fingerprint;

namespace {

constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";
constexpr const char* kOther = "89abcdef0123456789abcdef0123456789abcdef";

std::string source(const std::string& folder) {
  Fingerprint out;
  read_model_source(folder, out);
  return out.text("model.source") + " " + out.text("model.repository") + " " + out.text("model.revision");
}

const event::FingerprintField derivation(const MadeFolder& folder, const char* quantisation = "none",
                                         bool is_release = true, std::string user = "", std::string gguf = "") {
  Fingerprint out;
  out.add("model.weights.quantisation", json::value(quantisation), "config.json");
  if (is_release) out.add("model.repository", "org/name", "");
  if (is_release) out.add("model.revision", kCommit, "");
  read_derivation(folder.path(), user, gguf, out);
  return *out.find("model.derivation");
}

}  // namespace

TEST_CASE("a folder of the Hugging Face cache names repository and commit; its entry leads to refs/main") {
  MadeFolder root;
  const std::string entry = "hub/models--Qwen--Qwen2.5-7B-Instruct";
  root.file(entry + "/refs/main", kCommit);
  root.file(entry + "/snapshots/" + kCommit + "/config.json", "{}");
  CHECK(source(root / (entry + "/snapshots/" + kCommit)) ==
        std::string("huggingface Qwen/Qwen2.5-7B-Instruct ") + kCommit);
  CHECK(model_folder(root / entry) == root / (entry + "/snapshots/" + kCommit));
  CHECK(model_folder((root / entry) + "/") == (root / entry) + "/snapshots/" + kCommit);
  CHECK(model_folder(root / "hub") == root / "hub");
  root.link("linked", entry + "/snapshots/" + kCommit);
  CHECK(source(root / "linked").starts_with("huggingface Qwen/"));
}

TEST_CASE("a downloaded folder has one commit, or none that speaks for all files") {
  MadeFolder root;
  const std::string notes = ".cache/huggingface/download/";
  root.file(notes + "config.json.metadata", std::string(kCommit) + "\netag\n1714000000.5\n");
  CHECK(source(root.path()) == std::string("huggingface  ") + kCommit);
  root.file(notes + "model.safetensors.metadata", std::string(kOther) + "\netag\n1\n");
  CHECK(source(root.path()) == "huggingface  ");
}

TEST_CASE("ModelScope's notes, a git clone and a plain folder") {
  MadeFolder scope, git, packed, plain;
  scope.file(".mdl", std::string("\x80\x04\x95\x28\0}\x94\x8c\2id\x94\x8c\x0fQwen/Qwen2.5-7B\x94s.", 30));
  scope.file(".mv", "Revision:master,CreatedAt:1714000000");
  CHECK(source(scope.path()) == "modelscope Qwen/Qwen2.5-7B master");
  git.file(".git/HEAD", "ref: refs/heads/main\n");
  git.file(".git/refs/heads/main", std::string(kCommit) + "\n");
  git.file(".git/config", "[remote \"origin\"]\n\turl = https://u:t@example.org/org/name\n");
  CHECK(source(git.path()) == std::string("git https://example.org/org/name ") + kCommit);
  packed.file(".git/HEAD", "ref: refs/heads/main\n");
  packed.file(".git/packed-refs", std::string("# pack-refs\n") + kCommit + " refs/heads/main\n");
  CHECK(source(packed.path()) == std::string("git  ") + kCommit);
  CHECK(source(plain.path()) == "local  ");
}

TEST_CASE("the user's word on the derivation wins") {
  MadeFolder folder;
  folder.file("README.md", "---\nbase_model: org/base\nbase_model_relation: quantized\n---\n");
  const auto field = derivation(folder, "awq", true, "abc");
  CHECK(field.value == json::value("derived from abc"));
  CHECK(field.source == "--derived-from");
}

TEST_CASE("a derived model is known by its card, its adapter or its GGUF header") {
  MadeFolder card, list, adapter, none;
  card.file("README.md", "---\nlicense: mit\nbase_model: org/base\nbase_model_relation: finetune\n---\ntext");
  CHECK(derivation(card).value == json::value("derived from org/base"));
  list.file("README.md", "---\nbase_model:\n- org/base\n- org/more\n---\n");
  CHECK(derivation(list, "awq").value == json::value("derived from org/base"));
  CHECK(derivation(list, "none").status == FieldStatus::absent);  // a publisher's own chat model names its base too
  adapter.file("adapter_config.json", R"({"base_model_name_or_path":"org/base"})");
  CHECK(derivation(adapter).value == json::value("derived from org/base"));
  CHECK(derivation(none, "Q4_1", true, "", "org/base").source == "GGUF header");
}

TEST_CASE("original is said of an unquantised release that names no other model, and of nothing else") {
  MadeFolder folder;
  folder.file("config.json", "{}");
  CHECK(derivation(folder).status == FieldStatus::absent);  // without a card nobody has said that there is no base
  folder.file("README.md", "---\nlicense: mit\n---\n");
  CHECK(derivation(folder).value == json::value("original"));
  CHECK(derivation(folder, "awq").status == FieldStatus::absent);
  CHECK(derivation(folder, "none", false).status == FieldStatus::absent);
  folder.file("config.json", R"({"_name_or_path":"org/other"})");
  CHECK(derivation(folder).status == FieldStatus::absent);
  folder.file("config.json", R"({"_name_or_path":"org/name"})");
  CHECK(derivation(folder).value == json::value("original"));
  folder.file("README.md", "---\nbase_model: [unclosed\n---\n");
  CHECK(derivation(folder).status == FieldStatus::absent);
}
