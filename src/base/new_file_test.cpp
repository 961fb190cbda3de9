#include "base/new_file.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/file.hpp"

using namespace scoville;

namespace {

struct Folder {
  std::string path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scoville-file-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(path)) ++count;
    return count;
  }
};

}  // namespace

TEST_CASE("a new file is at its place whole, once it is published") {
  const Folder folder;
  const std::string path = folder.path + "/a";
  auto file = NewFile::create(path);
  REQUIRE(file.ok());
  REQUIRE(file->write("one ").ok());
  REQUIRE(file->write("two").ok());
  CHECK_FALSE(std::filesystem::exists(path));
  REQUIRE(file->publish(NewFile::Existing::kept).ok());
  CHECK(read_file(path).value() == "one two");
  CHECK(folder.files() == 1);
}

TEST_CASE("what is not published leaves nothing") {
  const Folder folder;
  {
    auto file = NewFile::create(folder.path + "/a");
    REQUIRE(file.ok());
    REQUIRE(file->write("one").ok());
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a file that came to be at its place meanwhile is kept, or replaced if that is asked for") {
  const Folder folder;
  const std::string path = folder.path + "/a";
  {
    auto file = NewFile::create(path);
    REQUIRE(file->write("new").ok());
    REQUIRE(write_file(path, "old").ok());
    CHECK_FALSE(file->publish(NewFile::Existing::kept).ok());
  }
  CHECK(read_file(path).value() == "old");
  auto file = NewFile::create(path);
  REQUIRE(file->write("new").ok());
  REQUIRE(file->publish(NewFile::Existing::replaced).ok());
  CHECK(read_file(path).value() == "new");
  CHECK(folder.files() == 1);
}

TEST_CASE("a folder that is not there is one line with the path") {
  const auto file = NewFile::create("/nonexistent/a");
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().message.find("/nonexistent/a: ") == 0);
}
