#include "correctness/correctness.hpp"

// Before doctest: torch brings glog's CHECK, and the later one holds.
#include <torch/script.h>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/file.hpp"
#include "correctness/reduce.hpp"
#include "correctness/repeats.hpp"
#include "correctness/tensor_file.hpp"
#include "numerics/baseline.hpp"

namespace scoville::torch_probe::correctness {
namespace {

namespace fs = std::filesystem;

/// A folder for files, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "scoville-torch-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

probe::Answer asked(json::object params) {
  static const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  probe::Speaker silent(nowhere, 1);
  return answer_correctness({"correctness", "cpu", std::move(params)}, silent);
}

numerics::Manifest manifest_in(const std::string& folder) {
  return *numerics::manifest_from(json::parse(*read_file(folder + "/manifest.json")));
}

at::Tensor stored(const std::string& folder, const std::string& name) {
  const auto file = numerics::SafetensorsFile::open(folder + "/tensors.safetensors");
  return tensor_of(*file->find(name));
}

TEST_CASE("int8 rows are scaled by their largest value: 127 steps of it, to the nearest") {
  const at::Tensor matrix = at::tensor({1.27, 0.014, -0.006, 0.0, 0.0, 0.0}).view({2, 3}).to(at::kFloat);
  const at::Tensor expected = at::tensor({1.27, 0.01, -0.01, 0.0, 0.0, 0.0}).view({2, 3}).to(at::kFloat);
  CHECK(at::allclose(int8_and_back(matrix), expected, 1e-6, 1e-7));
}

TEST_CASE("the same again is bitwise; another last bit is not, and is told by its size") {
  const at::Tensor one = at::ones({4}, at::kFloat);
  CHECK(repeat_of("a", one, one).is_bitwise);
  at::Tensor other = one.clone();
  other[0] = 1.5;
  CHECK_FALSE(repeat_of("a", other, one).is_bitwise);
  CHECK(*repeat_of("a", other, one).rel_l2 == doctest::Approx(0.25));  // 0.5 / √4
  CHECK_FALSE(repeat_of("a", one, at::zeros({4}, at::kFloat)).rel_l2);
}

TEST_CASE("a run against its own folder feeds each part what the folder holds, and gets the same") {
  const Folder folder;
  const json::object params{{"model", "tiny"}, {"seed", 3}, {"save", folder.path + "/a"}, {"greedy_tokens", 2}};
  REQUIRE(std::holds_alternative<json::object>(asked(params)));
  json::object again = params;
  again["save"] = folder.path + "/b";
  again["against"] = folder.path + "/a";
  asked(again);
  const numerics::Manifest a = manifest_in(folder.path + "/a"), b = manifest_in(folder.path + "/b");
  CHECK(b.against_sha256 == a.identity());
  CHECK(b.identity() == a.identity());
  CHECK(at::equal(stored(folder.path + "/b", "isolated/seed1/layer.3"), stored(folder.path + "/a", "seed1/layer.3")));
  CHECK(stored(folder.path + "/a", "seed2/greedy").numel() == 2);
  CHECK(stored(folder.path + "/a", "seed1/tokens").numel() == 24);
}

TEST_CASE(
    "each tensor of a TorchScript graph is a part; a later node that writes into it does not change what was kept") {
  const Folder folder;
  torch::jit::Module module("made");
  module.define("def forward(self, x, y):\n  z = x + y\n  w = z * 2\n  z.relu_()\n  return w + z\n");
  module.save(folder.path + "/m.pt");
  TensorFile inputs;
  inputs.put("x", at::full({2}, -3.0, at::kFloat));
  inputs.put("y", at::ones({2}, at::kFloat));
  REQUIRE(inputs.write(folder.path + "/in.safetensors"));
  asked({{"torchscript", folder.path + "/m.pt"},
         {"inputs", folder.path + "/in.safetensors"},
         {"save", folder.path + "/out"}});
  const numerics::Manifest manifest = manifest_in(folder.path + "/out");
  CHECK(manifest.weights == "torchscript");
  REQUIRE(manifest.parts.size() == 4);
  CHECK(manifest.parts[0].name == "0.aten::add");
  CHECK(stored(folder.path + "/out", "inputs/0.aten::add")[0].item<double>() == -2);  // though relu_ made it 0 later
  CHECK(stored(folder.path + "/out", "inputs/" + manifest.parts[3].name)[1].item<double>() == -4);
  for (const numerics::Repeat& each : manifest.again) CHECK(each.is_bitwise);
}

TEST_CASE("parameters that are none are refused with what was expected") {
  CHECK_THROWS_WITH(asked({{"model", "tiny"}}), "save: expected a folder");
  CHECK_THROWS_WITH(asked({{"model", "tiny"}, {"save", "/x"}, {"plant", "bf16"}}),
                    doctest::Contains("plant: expected"));
  CHECK_THROWS_WITH(asked({{"model", "tiny"}, {"save", "/x"}, {"prompts", 3}}), "prompts: expected a list of texts");
  CHECK_THROWS_WITH(asked({{"model", "tiny"}, {"save", "/x"}, {"dtype", "fp9"}}), doctest::Contains("fp9"));
}

}  // namespace
}  // namespace scoville::torch_probe::correctness
