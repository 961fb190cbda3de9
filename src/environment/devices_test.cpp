#include <doctest/doctest.h>

#include <set>

#include "environment/areas.hpp"
#include "environment/findings.hpp"
#include "environment/fixture.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;

constexpr const char* kCard =
    "0, NVIDIA L4, 550.1, 95.04, GPU-1, 1, 00000000:31:00.0, 23034, 72.00, 72.00, Enabled, [N/A], Enabled, Default, 4, "
    "16, 16, 2040, 6251\n";

Fingerprint asked(const FakeTools& tools, Fingerprint print = {}) {
  std::vector<Inquiry> inquiries = device_inquiries();
  for (Inquiry& each : framework_inquiries()) inquiries.push_back(std::move(each));
  Interview interview(tools, inquiries);
  collect_devices(interview.answers(), std::chrono::seconds(1), print);
  collect_frameworks(interview.answers(), std::chrono::seconds(1), print);
  return print;
}

}  // namespace

TEST_CASE("every question has an id of its own") {
  std::set<std::string> ids;
  for (const Inquiry& each : device_inquiries()) CHECK(ids.insert(each.id).second);
}

TEST_CASE("where there is no tool, each is absent and no device is made up") {
  const Fingerprint print = asked({});
  CHECK(print.find("tool.nvidia-smi")->status == FieldStatus::absent);
  CHECK(print.find("tool.npu-smi")->status == FieldStatus::absent);
  CHECK(print.find("framework.python")->status == FieldStatus::absent);
  for (const auto& field : print.fields()) CHECK_FALSE(field.key.starts_with("device."));
}

TEST_CASE("an NVIDIA machine: driver, devices, links with their columns in place, processes not compared") {
  const FakeTools tools = FakeTools()
                              .says("nvidia-smi --query-gpu", kCard)
                              .says("nvidia-smi topo", "\t\x1b[4mGPU0\tGPU1\x1b[0m\nGPU0\t X \tNV18\n\nLegend:\n\n")
                              .says("nvidia-smi --query-compute-apps", "42, python, 7000 MiB\n");
  const Fingerprint print = asked(tools);
  CHECK(print.text("driver.nvidia") == "550.1");
  CHECK(print.text("device.nvidia.count") == "1");
  CHECK(print.text("device.nvidia.0.vbios") == "95.04");
  CHECK(print.text("topology.nvidia") == "\tGPU0\tGPU1\nGPU0\t X \tNV18\n\nLegend:");
  CHECK(print.text("device.nvidia.processes") == R"(["42, python, 7000 MiB"])");
  CHECK_FALSE(print.find("device.nvidia.processes")->is_comparable);
}

TEST_CASE("nvidia-smi on a machine whose cards are another vendor's speaks of that vendor") {
  Fingerprint print;
  print.add("pci.accelerator.0.vendor", "iluvatar", "sysfs");
  print.add("pci.accelerator.1.vendor", "iluvatar", "sysfs");
  const Fingerprint out = asked(FakeTools().says("nvidia-smi --query-gpu", kCard), print);
  CHECK(out.text("driver.iluvatar") == "550.1");
  CHECK(out.find("driver.nvidia") == nullptr);
}

TEST_CASE("a tool that hangs, one that fails and one that may not: error, error, denied, each with its reason") {
  const Fingerprint print = asked(FakeTools()
                                      .hangs("nvidia-smi")
                                      .says("cnmon", "driver not loaded\n", 1)
                                      .says("npu-smi info", "Permission denied: /dev/davinci_manager\n", 255));
  CHECK(print.find("tool.nvidia-smi")->status == FieldStatus::error);
  CHECK(print.find("tool.nvidia-smi")->source.ends_with("timed out after 1 s"));
  CHECK(print.find("tool.cnmon")->source == "cnmon: exit status 1: driver not loaded");
  CHECK(print.find("tool.npu-smi")->status == FieldStatus::denied);
}

TEST_CASE("an answer of unknown shape is kept as it is, valid UTF-8, and never compared") {
  const Fingerprint print = asked(FakeTools().says("efsmi", "Enflame\xff card\n").says("xpu-smi", "something else\n"));
  CHECK(print.text("device.tool.efsmi.raw") == "Enflame? card\n");
  CHECK_FALSE(print.find("device.tool.efsmi.raw")->is_comparable);
  CHECK(print.text("tool.xpu-smi") == "kept as it is");
  CHECK(print.find("driver.enflame") == nullptr);
}

TEST_CASE("the xpu-smi of Intel is asked once more for its driver and firmware") {
  const Fingerprint print = asked(
      FakeTools()
          .says("xpu-smi", "Intel XPU System Management Interface -- v1.2\n")
          .says("xpu-smi discovery -j",
                R"({"device_list": [{"device_name": "Max 1550"}, {"device_name": "Max 1550"}]})")
          .says("xpu-smi discovery -d 0 -j", R"({"driver_version": "1.6.33", "gfx_firmware_version": "PVC2_1.23"})")
          .says("xpu-smi topo -m", "unknown command\n", 1)
          .says("xpu-smi topology -m", "         GPU 0/0|GPU 1/0\nGPU 0/0  S      |XL8\n"));
  CHECK(print.text("driver.intel") == "1.6.33");
  CHECK(print.text("firmware.intel") == "PVC2_1.23");
  CHECK(print.text("device.intel.count") == "2");
  CHECK(print.text("topology.intel") == "         GPU 0/0|GPU 1/0\nGPU 0/0  S      |XL8");
}

TEST_CASE("a Hygon machine: cards from one answer, the driver from another") {
  const Fingerprint print =
      asked(FakeTools()
                .says("hy-smi --showproductname", R"({"card0": {"Card Series": "K100_AI"}})")
                .says("hy-smi --showdriverversion", "==== log ====\nDriver Version: 6.3.32-V1.6.0\n"));
  CHECK(print.text("driver.hygon") == "6.3.32-V1.6.0");
  CHECK(print.text("device.hygon.0.name") == "K100_AI");
}

TEST_CASE("frameworks come from python's own list of what is installed") {
  const Fingerprint print = asked(FakeTools().says(
      "python3",
      R"({"python": "3.11.7", "packages": {"torch": "2.5.1", "torch-npu": "2.5.1.post1"}, "torch": {"cuda": "12.4"}})"));
  CHECK(print.text("framework.python") == "3.11.7");
  CHECK(print.text("framework.torch") == "2.5.1");
  CHECK(print.text("framework.torch-npu") == "2.5.1.post1");
  CHECK(print.text("framework.torch.cuda") == "12.4");
  CHECK(asked(FakeTools().says("python3", "Traceback", 1)).find("framework.python")->status == FieldStatus::error);
  CHECK(asked(FakeTools().says("python3", "[]")).find("framework.python")->status == FieldStatus::error);
}

}  // namespace scoville::environment
