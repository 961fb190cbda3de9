#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "environment/command.hpp"
#include "environment/interview.hpp"

namespace scoville::environment {

/// For tests: a folder that stands for "/", gone when the test is over.
class FixtureRoot {
 public:
  FixtureRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "scoville-root-XXXXXX").string();
    SCOVILLE_CHECK(mkdtemp(name.data()) != nullptr, "a folder for fixtures can be made");
    path_ = name;
  }
  FixtureRoot(const FixtureRoot&) = delete;
  FixtureRoot& operator=(const FixtureRoot&) = delete;
  ~FixtureRoot() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  FixtureRoot& file(const std::string& path, const std::string& content) {
    const std::filesystem::path real = path_ + path;
    std::filesystem::create_directories(real.parent_path());
    std::ofstream(real, std::ios::binary) << content;
    return *this;
  }
  FixtureRoot& link(const std::string& path, const std::string& target) {
    const std::filesystem::path real = path_ + path;
    std::filesystem::create_directories(real.parent_path());
    std::filesystem::create_symlink(target, real);
    return *this;
  }
  FixtureRoot& pci(const std::string& address, const std::string& vendor, const std::string& device,
                   const std::string& class_code) {
    const std::string folder = "/sys/bus/pci/devices/" + address;
    return file(folder + "/vendor", "0x" + vendor + "\n")
        .file(folder + "/device", "0x" + device + "\n")
        .file(folder + "/class", "0x" + class_code + "\n");
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// For tests: programs that answer at once, by their whole command line or its beginning; all others do not exist.
class FakeTools final : public ToolRunner {
 public:
  FakeTools& says(const std::string& command, const std::string& output, int exit_code = 0) {
    results_[command] = {CommandResult::End::exited, exit_code, output, ""};
    return *this;
  }
  FakeTools& hangs(const std::string& command) {
    results_[command] = {CommandResult::End::timed_out, -1, "", ""};
    return *this;
  }

  CommandResult run(const std::vector<std::string>& words) const override {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    const CommandResult* best = nullptr;
    std::size_t length = 0;
    for (const auto& [command, result] : results_) {
      if (!line.starts_with(command) || command.size() < length) continue;
      best = &result;
      length = command.size();
    }
    return best ? *best : CommandResult{};
  }

 private:
  std::map<std::string, CommandResult> results_;
};

}  // namespace scoville::environment
