#include "numerics/run_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include "base/file.hpp"
#include "base/sha256.hpp"

namespace scoville::numerics {
namespace {

/// A folder with one tensor of four floats, removed at the end.
class MadeFolder {
 public:
  MadeFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "scoville-run-XXXXXX").string();
    path = mkdtemp(name.data());
    const StoredTensor tensor{"seed1/embed", "F32", {2, 2}, std::as_bytes(std::span(floats))};
    REQUIRE(write_safetensors(path + "/" + kTensorFile, std::span(&tensor, 1)));
    manifest.tensors["seed1/embed"] = sha256({reinterpret_cast<const char*>(floats.data()), sizeof floats});
    write();
  }
  ~MadeFolder() { std::filesystem::remove_all(path); }
  void write() const { REQUIRE(write_file(path + "/" + kManifestFile, pretty(to_json(manifest)))); }

  std::string path;
  Manifest manifest;
  std::array<float, 4> floats{1, 2, 3, 4};
};

TEST_CASE("a folder is opened, its tensors are found, and hold what their hashes say") {
  const MadeFolder folder;
  const Result<RunFolder> run = RunFolder::open(folder.path);
  REQUIRE(run);
  CHECK(run->verify());
  const Side side = run->side();
  CHECK(*values_of(*side.tensor("seed1/embed")) == std::vector<double>{1, 2, 3, 4});
  CHECK_FALSE(side.tensor("seed2/embed"));
}

TEST_CASE("another hash, a tensor that is not there and a folder that is none are told with the path") {
  MadeFolder folder;
  folder.manifest.tensors["seed1/embed"] = "00";
  folder.write();
  CHECK(RunFolder::open(folder.path)->verify().error().message.find("seed1/embed") != std::string::npos);
  folder.manifest.tensors["seed9/embed"] = "00";
  folder.write();
  CHECK(RunFolder::open(folder.path).error().message.find("seed9/embed") != std::string::npos);
  REQUIRE(write_file(folder.path + "/" + kManifestFile, "{"));
  CHECK(RunFolder::open(folder.path).error().message.find(kManifestFile) != std::string::npos);
  CHECK_FALSE(RunFolder::open(folder.path + "/none"));
}

}  // namespace
}  // namespace scoville::numerics
