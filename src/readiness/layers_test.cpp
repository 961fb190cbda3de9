#include "readiness/layers.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace scoville;
using namespace scoville::readiness;
using environment::CommandResult;

namespace {

class FakeTools final : public environment::ToolRunner {
 public:
  CommandResult run(const std::vector<std::string>& words) const override {
    CommandResult result;
    if (words.front() == "nvcc") {
      result.end = CommandResult::End::exited;
      result.exit_code = 0;
      result.output = "Cuda compilation tools, release 12.4, V12.4.131";
    }
    return result;
  }
};

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "scoville-readiness-test").string();
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a program says its version; a library's stands behind .so; a package's is the distribution's") {
  const Folder folder;
  std::ofstream(folder.path + "/libnccl.so.2.21.5") << "x";
  std::ofstream(folder.path + "/libncclx.so") << "x";
  const FakeTools tools;
  const Surroundings here{tools, {{"nvidia-cublas-cu12", "12.4.5.8"}}, {"/nowhere", folder.path}};
  const Check compiler = find_layer(Item::compiler, "nvidia", built_in_ways(), here);
  CHECK(compiler.verdict == Verdict::yes);
  CHECK(compiler.version == "12.4");
  const Check collectives = find_layer(Item::communication_library, "nvidia", built_in_ways(), here);
  CHECK(collectives.version == "2.21.5");
  CHECK(collectives.evidence == folder.path + "/libnccl.so.2.21.5");
  CHECK(find_layer(Item::operator_library, "nvidia", built_in_ways(), here).version == "12.4.5.8");
}

TEST_CASE("what is not there is no, with what was looked for; a vendor nobody knows is unknown") {
  const FakeTools tools;
  const Surroundings here{tools, {}, {}};
  const Check profiler = find_layer(Item::profiler, "nvidia", built_in_ways(), here);
  CHECK(profiler.verdict == Verdict::no);
  CHECK(profiler.evidence.find("nsys, ncu") != std::string::npos);
  CHECK(find_layer(Item::profiler, "acme", built_in_ways(), here).verdict == Verdict::unknown);
}

TEST_CASE("a file of one's own: faults have file, line and field") {
  CHECK(read_ways("tools:\n  - {vendor: acme, layer: compiler, program: [acc, -v], version: 'v([0-9]+)'}", "mine.yaml")
            .ok());
  const auto wrong = read_ways("tools:\n  - {vendor: acme, layer: compilers, program: [acc]}", "mine.yaml");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message.starts_with("mine.yaml:2: tools[0].layer"));
  CHECK(
      read_ways("tools:\n  - {vendor: acme, layer: compiler}", "mine.yaml").error().message.starts_with("mine.yaml:2"));
}
