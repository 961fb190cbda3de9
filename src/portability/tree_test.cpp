#include "portability/tree.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "portability/language.hpp"

namespace scoville::portability {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "scoville-tree-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string put(const std::string& name, const std::string& content) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << content;
    return (path_ / name).string();
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> keys(const Tree& tree) {
  std::vector<std::string> out;
  for (const File& each : tree.files) out.push_back(each.key);
  return out;
}

}  // namespace

TEST_CASE("files are told by their names") {
  CHECK(language_of("Dockerfile.cuda") == Language::dockerfile);
  CHECK(language_of("requirements-dev.txt") == Language::requirements);
  CHECK(language_of("notes.txt") == std::nullopt);
  CHECK(language_of("ops.cuh") == Language::cuda);
  CHECK(language_of(".py") == std::nullopt);
}

TEST_CASE("kinds that are read are found; builds, repositories and links are left out; large ones are said") {
  const Folder folder;
  folder.put("a.py", "x");
  folder.put("sub/b.cu", "x");
  folder.put("notes.txt", "x");
  folder.put("build/c.py", "x");
  folder.put(".git/d.py", "x");
  folder.put("big.py", std::string(kLargestFile + 1, 'x'));
  fs::create_symlink(fs::temp_directory_path(), folder.path() / "out");
  const Result<Tree> tree = walk({folder.path().string()});
  REQUIRE(tree.ok());
  CHECK(keys(*tree) == std::vector<std::string>{"a.py", "sub/b.cu"});
  REQUIRE(tree->skipped.size() == 1);
  CHECK(tree->skipped[0].why == Skip::too_large);
  CHECK(tree->links == 1);
}

TEST_CASE("a file that two paths lead to is read once; a folder named itself is read whatever its name") {
  const Folder folder;
  const std::string file = folder.put("build/c.py", "x");
  const Result<Tree> tree = walk({(folder.path() / "build").string(), file});
  REQUIRE(tree.ok());
  CHECK(tree->files.size() == 1);
}

TEST_CASE("a path that is not there, or a file of another kind, is an error") {
  const Folder folder;
  CHECK_FALSE(walk({(folder.path() / "none").string()}).ok());
  CHECK_FALSE(walk({folder.put("a.txt", "x")}).ok());
}

}  // namespace scoville::portability
