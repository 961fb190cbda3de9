#include "environment/capture.hpp"

#include <doctest/doctest.h>

#include "environment/fixture.hpp"

namespace scoville::environment {
namespace {

/// A machine with two cards, as files and tools show it.
struct Machine {
  Machine() {
    files.pci("0000:01:00.0", "10de", "2330", "030200")
        .file("/proc/sys/kernel/hostname", "node17\n")
        .file("/proc/sys/kernel/osrelease", "6.1.0\n")
        .file("/proc/meminfo", "MemTotal: 1048576 kB\n");
    tools.says(
        "nvidia-smi --query-gpu",
        "0, NVIDIA H100, 550.1, 96.00, GPU-1, 1650000000001, 00000000:01:00.0, 81559, 700, 700, Enabled, Disabled, "
        "Enabled, Default, 5, 16, 16, 1980, 2619\n");
  }
  Options options() const {
    Options out;
    out.root = files.path();
    out.tools = &tools;
    out.variables = {{"NCCL_DEBUG", "INFO"}, {"HF_TOKEN", "hf_abcdefghijklmnop"}};
    return out;
  }
  FixtureRoot files;
  FakeTools tools;
};

}  // namespace

TEST_CASE("the same machine twice is the same fingerprint, byte for byte") {
  const Machine machine;
  CHECK(pretty(capture(machine.options()).to_json()) == pretty(capture(machine.options()).to_json()));
}

TEST_CASE("another host name, serial number or process changes the full hash and not the comparable one") {
  Machine machine;
  const event::Fingerprint before = capture(machine.options());
  machine.files.file("/proc/sys/kernel/hostname", "node18\n");
  machine.tools.says("nvidia-smi --query-compute-apps", "1, python, 1 MiB\n");
  const event::Fingerprint after = capture(machine.options());
  CHECK(after.full_hash() != before.full_hash());
  CHECK(after.comparable_hash() == before.comparable_hash());
}

TEST_CASE("another kernel changes both hashes") {
  Machine machine;
  const event::Fingerprint before = capture(machine.options());
  machine.files.file("/proc/sys/kernel/osrelease", "6.2.0\n");
  CHECK(capture(machine.options()).comparable_hash() != before.comparable_hash());
}

TEST_CASE("a whole fingerprint: files, tools and variables in one, no secret, readable again") {
  const Machine machine;
  const event::Fingerprint print = capture(machine.options());
  CHECK(print.text("pci.accelerator.0.name") == "H100 SXM5 80 GB");
  CHECK(print.text("driver.nvidia") == "550.1");
  CHECK(print.text("env.nccl_debug") == "INFO");
  const std::string text = pretty(print.to_json());
  CHECK(text.find("hf_abc") == std::string::npos);
  const auto again = event::Fingerprint::from_json(json::parse(text));
  REQUIRE(again.ok());
  CHECK(again->full_hash() == print.full_hash());
}

TEST_CASE("redacted, nothing names this one machine") {
  const Machine machine;
  Options options = machine.options();
  options.is_redacted = true;
  const std::string text = pretty(capture(options).to_json());
  for (const char* word : {"node17", "1650000000001", "GPU-1"}) {
    CAPTURE(word);
    CHECK(text.find(word) == std::string::npos);
  }
}

}  // namespace scoville::environment
