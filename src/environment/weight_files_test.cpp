#include "environment/weight_files.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"

using namespace scoville;
using namespace scoville::environment;

// Expected hashes come from sha256sum (GNU coreutils) over the same bytes.

TEST_CASE("weight files are found by their endings, in the order of their bytes, without a trainer's leavings") {
  MadeFolder folder;
  for (const char* name : {"b.safetensors", "B.bin", "a.gguf", "c.pt", "training_args.bin", "optimizer.pt",
                           "scheduler.pt", "model.safetensors.index.json", "README.md", "sub/d.bin"}) {
    folder.file(name, "x");
  }
  folder.link("linked.safetensors", "b.safetensors");
  folder.link("dangling.safetensors", "nowhere");
  CHECK(weight_file_names(folder.path()) ==
        std::vector<std::string>{"B.bin", "a.gguf", "b.safetensors", "c.pt", "linked.safetensors"});
  CHECK(weight_file_names(folder / "none").empty());
}

TEST_CASE("one hash for each file, one over all of them") {
  MadeFolder folder;
  folder.file("model-00001-of-00002.safetensors", "first shard");
  folder.file("model-00002-of-00002.safetensors", "second shard");
  const auto files = hash_files(folder.path(), weight_file_names(folder.path()), nullptr);
  REQUIRE(files.ok());
  REQUIRE(files->size() == 2);
  CHECK((*files)[0].sha256 == "a3e22cd5cca8db957aece026c784a8a626125cc0402be8f62c8eab5a8065506a");
  CHECK((*files)[1].sha256 == "002938d8f07d48cb7da5de9da065c9db8a03d212152df46905c60f5d8ea06438");
  CHECK((*files)[1].size == 12);
  CHECK(digest_of(*files) == "ade991340d4fae885bf73af1898e5cee9351ad59bca7b98aaeffe3f9444db60b");
  CHECK(digest_of({(*files)[0]}) == (*files)[0].sha256);
}

TEST_CASE("a file of three million zeros is read in pieces, and each is told") {
  MadeFolder folder;
  folder.file("w.bin", std::string(3'000'000, '\0'));
  std::vector<std::uint64_t> told;
  const auto files = hash_files(folder.path(), {"w.bin"}, [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 3'000'000);
    told.push_back(done);
    return true;
  });
  CHECK(told == std::vector<std::uint64_t>{1'048'576, 2'097'152, 3'000'000});
  CHECK(files->front().sha256 == "35bce4eae54ec8e6cc2868baa8d157914d6ae2858811b4cc0c078c94460fa26f");
}

TEST_CASE("hashing ends where it is told to stop, and where a file is not there") {
  MadeFolder folder;
  folder.file("w.bin", "x");
  const auto stopped = hash_files(folder.path(), {"w.bin"}, [](std::uint64_t, std::uint64_t) { return false; });
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().code == ErrorCode::aborted);
  const auto missing = hash_files(folder.path(), {"v.bin"}, nullptr);
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message.find("v.bin") != std::string::npos);
}
