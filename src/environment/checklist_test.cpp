#include "environment/checklist.hpp"

#include <doctest/doctest.h>

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;

const ChecklistRow& at(const std::vector<ChecklistRow>& rows, Row row) {
  return rows.at(static_cast<std::size_t>(row));
}

Fingerprint ascend() {
  Fingerprint print;
  print.add("driver.huawei", "25.2.0", "npu-smi info");
  print.add("firmware.huawei", "7.8.0", "file");
  print.add("runtime.cann", "8.0.0", "file");
  print.add("framework.python", "3.11", "python3");
  print.add("framework.torch", "2.5.1", "python3");
  print.add("framework.torch-npu", "2.5.1", "python3");
  print.add("framework.numpy", "1.26", "python3");
  print.add("device.huawei.count", 2, "npu-smi info");
  print.add("topology.huawei", "\tNPU0\tNPU1", "npu-smi info -t topo");
  return print;
}

}  // namespace

TEST_CASE("six rows in their order; what nobody asked is unknown") {
  const auto rows = checklist(ascend(), nullptr);
  REQUIRE(rows.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(rows[i].row == static_cast<Row>(i));
  CHECK(at(rows, Row::driver).state == RowState::fixed);
  CHECK(at(rows, Row::driver).detail == "huawei 25.2.0, huawei 7.8.0");
  CHECK(at(rows, Row::runtime).detail == "cann 8.0.0");
  CHECK(at(rows, Row::framework).detail == "torch 2.5.1, torch-npu 2.5.1");
  CHECK(at(rows, Row::engine).state == RowState::unknown);
  CHECK(at(rows, Row::engine).detail.starts_with("not asked"));
  CHECK(at(rows, Row::model).state == RowState::unknown);
  CHECK(at(rows, Row::topology).state == RowState::fixed);
}

TEST_CASE("engine and model become fixed by what others merge in, a version and a hash: names alone may move") {
  Fingerprint print = ascend(), known;
  known.add("engine.name", "vllm", "/v1/models");
  known.add("model.id", "m", "/v1/models");
  print.merge(known);
  auto rows = checklist(print, nullptr);
  CHECK(at(rows, Row::engine).state == RowState::unknown);
  CHECK(at(rows, Row::engine).detail.starts_with("vllm: "));
  CHECK(at(rows, Row::model).state == RowState::unknown);
  print.add("engine.version", "0.9", "/version");
  print.add("model.sha256", "0123456789abcdef", "model.safetensors");
  rows = checklist(print, nullptr);
  CHECK(at(rows, Row::engine).state == RowState::fixed);
  CHECK(at(rows, Row::engine).detail == "vllm, 0.9");
  CHECK(at(rows, Row::model).state == RowState::fixed);
  CHECK(at(rows, Row::model).detail == "m, 0123456789ab");
}

TEST_CASE("python and numpy alone are no framework; one device needs no links") {
  Fingerprint print;
  print.add("framework.python", "3.11", "");
  print.add("framework.numpy", "1", "");
  print.add("device.nvidia.count", 1, "");
  const auto rows = checklist(print, nullptr);
  CHECK(at(rows, Row::framework).state == RowState::unknown);
  CHECK(at(rows, Row::topology).state == RowState::fixed);
  CHECK(at(rows, Row::driver).state == RowState::unknown);
}

TEST_CASE("a tool that was there and did not answer is the reason given") {
  Fingerprint print;
  print.miss("tool.nvidia-smi", FieldStatus::error, "nvidia-smi: timed out after 1 s");
  print.miss("driver.amd", FieldStatus::absent, "/sys");
  CHECK(at(checklist(print, nullptr), Row::driver).detail == "nvidia-smi: timed out after 1 s");
}

TEST_CASE("the same system has changed in nothing") {
  const Fingerprint print = ascend();
  for (const ChecklistRow& row : checklist(print, &print)) {
    CHECK(row.state != RowState::changed);
    CHECK(row.changed.empty());
  }
}

TEST_CASE("a planted change is found in its row, by key; what is not compared is not") {
  const Fingerprint base = ascend();
  Fingerprint print = ascend();
  print.add("driver.huawei", "25.5.0", "npu-smi info");
  print.miss("runtime.cann", FieldStatus::absent, "file");
  print.add("topology.huawei", "\tNPU0", "");
  print.add("os.hostname", "other", "", false);
  print.add("memory.total_gib", 64, "");
  CHECK(changed_keys(print, base) ==
        std::vector<std::string>{"driver.huawei", "memory.total_gib", "runtime.cann", "topology.huawei"});
  const auto rows = checklist(print, &base);
  CHECK(at(rows, Row::driver).state == RowState::changed);
  CHECK(at(rows, Row::driver).changed == std::vector<std::string>{"driver.huawei"});
  CHECK(at(rows, Row::runtime).state == RowState::changed);
  CHECK(at(rows, Row::framework).state == RowState::fixed);
  CHECK(at(rows, Row::topology).state == RowState::changed);
}

TEST_CASE("what a tool did not tell this time has not changed") {
  const Fingerprint base = ascend();
  Fingerprint print;
  print.miss("tool.npu-smi", FieldStatus::error, "npu-smi info: timed out after 1 s");
  print.miss("framework.python", FieldStatus::error, "python3: timed out after 1 s");
  print.miss("os.kernel", FieldStatus::denied, "/proc");
  print.add("env.nccl_debug", "INFO", "NCCL_DEBUG");
  CHECK(changed_keys(print, base) == std::vector<std::string>{"env.nccl_debug"});
  const auto rows = checklist(print, &base);
  CHECK(at(rows, Row::driver).state == RowState::unknown);
  CHECK(at(rows, Row::driver).detail == "npu-smi info: timed out after 1 s");
}

}  // namespace scoville::environment
