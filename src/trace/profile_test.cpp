#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>

#include "trace/collector.hpp"
#include "trace/event_stream.hpp"

namespace scoville::trace {
namespace {

/// The table of events that are written one after the other.
OperatorTable table_of(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& each : events) text += each + "\n";
  const auto source = source_of(text);
  EventStream stream(*source);
  REQUIRE(stream.open().ok());
  Collector collector(Rules::built_in());
  TraceEvent event;
  while (*stream.next(event)) collector.take(event);
  REQUIRE_FALSE(stream.faults().damaged_at);
  OperatorTable table = collector.finish();
  settle(table);
  return table;
}

std::string complete(const std::string& category, const std::string& name, int thread, int at, int length,
                     const std::string& args = "") {
  return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", category,
                     name, thread, at, length, args);
}
std::string op(const std::string& name, int at, int length, int id) {
  return complete("cpu_op", name, 1, at, length, fmt::format(R"("External id":{})", id));
}
std::string device(const std::string& category, const std::string& name, int at, int length, int id, int bytes = 0) {
  return complete(category, name, 7, at, length, fmt::format(R"("External id":{},"bytes":{})", id, bytes));
}

const OperatorRow& row(const OperatorTable& table, const std::string& name) {
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const auto& each) { return each.name == name; });
  REQUIRE_MESSAGE(found != table.rows.end(), name);
  return *found;
}

constexpr const char* kToHost = "Memcpy DtoH (Device -> Pageable)";

TEST_CASE("a kernel belongs to the innermost operator that started it, and to those around it") {
  const OperatorTable table =
      table_of({device("kernel", "k", 40, 100, 2), op("aten::mm", 10, 20, 2), op("aten::linear", 0, 50, 1)});
  CHECK(row(table, "aten::mm").verdict == Verdict::supported);
  CHECK(row(table, "aten::mm").time == Nanos(100000));
  CHECK(row(table, "aten::mm").share == 1.0);
  CHECK(row(table, "aten::linear").verdict == Verdict::supported);
  CHECK(row(table, "aten::linear").device_total == Nanos(100000));
  CHECK(row(table, "aten::linear").device_self == Nanos(0));
  CHECK(row(table, "aten::linear").host_total == Nanos(50000));
  CHECK(row(table, "aten::linear").host_self == Nanos(30000));
}

TEST_CASE("without a number of the operator, the call of the runtime leads to it") {
  const OperatorTable table = table_of({op("aten::mm", 0, 50, 1), op("aten::add", 60, 10, 2),
                                        complete("hip_runtime", "hipLaunchKernel", 1, 62, 3, R"("correlation":9)"),
                                        complete("kernel", "k", 7, 100, 10, R"("correlation":9)")});
  CHECK(row(table, "aten::add").time == Nanos(10000));
  CHECK(row(table, "aten::mm").verdict == Verdict::unknown);
  CHECK(table.backend == "hip");
  CHECK(table.launches == 1);
}

TEST_CASE("a kernel that no operator started has a row of its own") {
  const OperatorTable table = table_of({op("aten::mm", 0, 50, 1), device("kernel", "lonely", 10, 5, 77)});
  CHECK(row(table, "lonely").kind == RowKind::kernel);
  CHECK(row(table, "lonely").evidence.back().code == "no_operator");
}

TEST_CASE("_to_cpu inside an operator is a fallback of that operator, with kernels or without") {
  const OperatorTable table =
      table_of({op("aten::outer", 0, 100, 1), op("aten::isin", 10, 80, 2), op("aten::_to_cpu", 12, 20, 3),
                device("gpu_memcpy", kToHost, 15, 5, 3, 4096), device("kernel", "k", 200, 5, 1)});
  CHECK(row(table, "aten::isin").verdict == Verdict::fallback);
  CHECK(row(table, "aten::isin").evidence[0].code == "to_cpu");
  CHECK(row(table, "aten::isin").time == Nanos(80000));
  CHECK(row(table, "aten::outer").verdict == Verdict::supported);
}

TEST_CASE("a copy to the host without a kernel makes a candidate, unless it was asked for") {
  const std::vector<std::string> steps{op("aten::odd", 0, 30, 1),
                                       op("aten::to", 5, 20, 2),
                                       device("gpu_memcpy", kToHost, 10, 5, 2, 4096),
                                       op("aten::to", 100, 20, 3),
                                       device("gpu_memcpy", kToHost, 110, 5, 3, 4096),  // alone: .cpu() of a user
                                       op("aten::item", 200, 9, 4),
                                       device("gpu_memcpy", kToHost, 201, 5, 4, 8),
                                       op("aten::nonzero", 300, 9, 5),
                                       device("gpu_memcpy", kToHost, 301, 5, 5, 4096),  // more than a number
                                       op("aten::mixed", 400, 30, 6),
                                       device("gpu_memcpy", kToHost, 401, 5, 6, 4096),
                                       device("kernel", "k", 410, 5, 6)};
  const OperatorTable table = table_of(steps);
  CHECK(row(table, "aten::odd").verdict == Verdict::fallback);
  CHECK(row(table, "aten::odd").evidence[0].code == "copy_to_host_without_kernel");
  CHECK(row(table, "aten::to").verdict == Verdict::supported);
  CHECK(row(table, "aten::item").verdict == Verdict::supported);
  CHECK(row(table, "aten::nonzero").verdict == Verdict::fallback);
  CHECK(row(table, "aten::mixed").verdict == Verdict::supported);
}

TEST_CASE("annotations and Python functions are no work; communication is told by its name") {
  const OperatorTable table =
      table_of({complete("gpu_user_annotation", "step", 7, 0, 1000), complete("python_function", "f", 1, 0, 1000),
                complete("user_annotation", "step", 1, 0, 1000), device("kernel", "gemm", 0, 30, 0),
                device("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 30, 70, 0)});
  CHECK(table.span == Nanos(100000));
  CHECK(table.shares->communication == doctest::Approx(0.7));
  CHECK(table.rows.size() == 2);
}

TEST_CASE("halves B and E make one call") {
  const OperatorTable table = table_of({R"({"ph":"B","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0})",
                                        R"({"ph":"B","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":2})",
                                        R"({"ph":"E","pid":1,"tid":1,"ts":5})", R"({"ph":"E","pid":1,"tid":1,"ts":9})",
                                        R"({"ph":"E","pid":1,"tid":1,"ts":10})"});
  CHECK(row(table, "a").host_total == Nanos(9000));
  CHECK(row(table, "a").host_self == Nanos(6000));
  CHECK(row(table, "b").host_total == Nanos(3000));
}

TEST_CASE("Ascend: tasks by the name of their process, wherever it stands, linked by flows") {
  const auto task = [](const char* name, const char* type, int at, int length) {
    return fmt::format(R"({{"ph":"X","name":"{}","pid":9,"tid":2,"ts":"{}.000","dur":{},"args":{{"Task Type":"{}"}}}})",
                       name, at, length, type);
  };
  const OperatorTable table =
      table_of({complete("cpu_op", "aten::matmul", 1, 10, 20),
                R"({"ph":"s","bp":"e","name":"async_npu","id":"77","pid":1,"tid":1,"ts":12,"cat":"async_npu"})",
                R"({"ph":"f","bp":"e","name":"async_npu","id":"77","pid":9,"tid":2,"ts":"100.000","cat":"async_npu"})",
                task("aclnnMatmul_MatMulCommon_MatMulV2", "AI_CORE", 100, 50),
                task("EVENT_WAIT", "EVENT_WAIT", 150, 500), task("aclnnNonzero_Nonzero", "AI_CPU", 200, 10),
                R"({"ph":"X","name":"hcom_allReduce__1","pid":8,"tid":3,"ts":"210","dur":20,"args":{}})",
                R"({"ph":"X","name":"Notify_Wait","pid":8,"tid":4,"ts":"210","dur":900,"args":{}})",
                R"({"ph":"M","name":"process_name","pid":9,"args":{"name":"Ascend Hardware"}})",
                R"({"ph":"M","name":"process_name","pid":8,"args":{"name":"HCCL"}})"});
  CHECK(table.backend == "npu");
  CHECK(row(table, "aten::matmul").time == Nanos(50000));
  CHECK(row(table, "aten::matmul").origins[static_cast<std::size_t>(Origin::vendor)] == 1);
  CHECK(row(table, "aclnnNonzero_Nonzero").device == "device_cpu");
  CHECK(row(table, "aclnnNonzero_Nonzero").evidence[0].code == "on_device_cpu");
  CHECK(table.busy == Nanos(80000));
  CHECK(table.shares->communication == doctest::Approx(20.0 / 220));
}

TEST_CASE("names that a terminal or JSON cannot take are made so that they can") {
  const OperatorTable table = table_of({complete("cpu_op", "a\\u001b[2Jb\x99", 1, 0, 5)});
  CHECK(table.rows[0].name == "a [2Jb\xEF\xBF\xBD");
}

TEST_CASE("events without a sound time are left out and told of") {
  const OperatorTable table = table_of({complete("kernel", "a", 7, 0, 10), complete("kernel", "b", 7, 0, -10),
                                        R"({"ph":"X","cat":"kernel","name":"c","pid":1,"tid":7,"dur":NaN})"});
  CHECK(table.kernels == 1);
  CHECK(std::count(table.flags.begin(), table.flags.end(), "events_without_time") == 1);
}

}  // namespace
}  // namespace scoville::trace
