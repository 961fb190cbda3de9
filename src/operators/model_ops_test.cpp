#include "operators/model_ops.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.hpp"

using namespace scoville;
using namespace scoville::operators;

namespace {

bool needs(const ModelUse& use, const std::string& name) { return use.needs(*built_in_table().named(name).front()); }

}  // namespace

TEST_CASE("a decoder with SwiGLU and RMSNorm needs silu and rms_norm, and no convolution") {
  const Result<ModelUse> llama = model_use(built_in_table(), "llama");
  REQUIRE(llama.ok());
  CHECK(needs(*llama, "silu"));
  CHECK(needs(*llama, "rms_norm"));
  CHECK(needs(*llama, "scaled_dot_product_attention"));
  CHECK_FALSE(needs(*llama, "conv2d"));
  CHECK_FALSE(needs(*llama, "_fused_adamw_"));
  CHECK(model_use(built_in_table(), "qwen3")->parts == llama->parts);
}

TEST_CASE("a folder is asked for its model_type; a family that is not there is taken as a decoder, and said so") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "scoville_model_ops_test";
  std::filesystem::create_directories(folder);
  REQUIRE(write_file((folder / "config.json").string(), R"({"model_type": "bert"})").ok());
  CHECK(model_use(built_in_table(), folder.string())->model_type == "bert");
  CHECK(needs(*model_use(built_in_table(), folder.string()), "layer_norm"));
  REQUIRE(write_file((folder / "config.json").string(), R"({"model_type": "brand_new"})").ok());
  const Result<ModelUse> unknown = model_use(built_in_table(), (folder / "config.json").string());
  REQUIRE(unknown.ok());
  CHECK_FALSE(unknown->is_known);
  CHECK(needs(*unknown, "silu"));
  REQUIRE(write_file((folder / "config.json").string(), "{}").ok());
  CHECK_FALSE(model_use(built_in_table(), folder.string()).ok());
  std::filesystem::remove_all(folder);
  CHECK_FALSE(model_use(built_in_table(), "lama").ok());  // a word that is no family is a slip of the pen
}
