#include "trace/engine_log.hpp"

#include <doctest/doctest.h>

namespace scoville::trace {
namespace {

OperatorTable read(const std::vector<std::string>& lines) {
  LogReader reader;
  for (const std::string& line : lines) reader.take(line);
  return reader.table();
}

std::string first(const OperatorTable& table) { return table.rows.empty() ? "" : table.rows[0].name; }

TEST_CASE("a fallback of each backend, in its own words") {
  const std::vector<std::array<std::string, 3>> lines{
      {"mps", "aten::x",
       "UserWarning: The operator 'aten::x' is not currently supported on the MPS backend and will fall back to run on "
       "the CPU."},
      {"xpu", "aten::x", "[W] The operator 'aten::x' on the XPU backend is falling back to run on the CPU. (function)"},
      {"hpu", "exponential_", "[07:34:02.925][PT_FALLBACK][warning] CPU fallback exponential_ : self=HPUBFloat16Type"},
      {"onnxruntime", "(nodes on CPUExecutionProvider)",
       "[V:onnxruntime] Node(s) placed on [CPUExecutionProvider]. Number of nodes: 12"},
      {"onnxruntime", "Shape_1", "Force fallback to CPU execution for node: Shape_1 because ..."},
      {"onnxruntime", "(nodes not named)",
       "[W] Some nodes were not assigned to the preferred execution providers which may"}};
  for (const auto& [backend, op, line] : lines) {
    CAPTURE(line);
    const OperatorTable table = read({line});
    CHECK(table.backend == backend);
    CHECK(first(table) == op);
    CHECK(table.rows.size() == 1);
    CHECK(table.rows[0].verdict == Verdict::fallback);
  }
}

TEST_CASE("several operators in one line, and a list below its heading") {
  CHECK(read({"pt-xla-profiler: Op(s) not lowered: aten::a, aten::b,  Please open a GitHub issue"}).rows.size() == 2);
  CHECK(read({"There are 3 ops of 2 different types in the TorchScript that are not compiled by neuron-cc: "
              "aten::embedding, aten::view, (For more information"})
            .rows.size() == 2);
  const OperatorTable table = read({"Frequency of op and op name that were executed on CPU:", "12 aten::nonzero",
                                    "3\taten::masked_select", "INFO 7 aten::done is no item here"});
  CHECK(table.rows.size() == 2);
  CHECK(first(table) == "aten::masked_select");
  CHECK(table.rows[1].calls == 12);
}

TEST_CASE("what did not run, and for which type") {
  const OperatorTable half = read({"RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'"});
  CHECK(first(half) == "addmm_impl_cpu_");
  CHECK(half.rows[0].verdict == Verdict::unsupported);
  CHECK(half.rows[0].evidence.back().words.english == "for Half");
  CHECK(first(read({"NotImplementedError: Could not run 'aten::x' with arguments from the 'HPU' backend."})) ==
        "aten::x");
  CHECK(first(read({"NotImplementedError: The operator 'aten::x' is not current implemented for the MPS device"})) ==
        "aten::x");
  CHECK(first(read({"[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Gelu(20) node "
                    "with name"})) == "Gelu(20)");
  CHECK(read({"UserWarning: Flash attention kernel not used because: (Triggered internally"})
            .log->unused_kernels.size() == 1);
}

TEST_CASE("counters of XLA: the value on the next line, and running totals are not added") {
  const OperatorTable table = read({"Counter: aten::nms", "  Value: 3", "Counter: xla::mm", "  Value: 9",
                                    "Counter: aten::nms", "  Value: 5", "Counter: UncachedCompile", "Value: 2"});
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].calls == 5);
  CHECK(table.log->recompiles == 2);
  CHECK_FALSE(table.log->syncs);
}

TEST_CASE("retractions of one rank at one time are two events, of two ranks one") {
  const auto line = [](const char* rank) {
    return std::string("[t ") + rank + "] KV cache pool is full. Retract requests. #retracted_reqs: 2, x";
  };
  CHECK(read({line("TP0"), line("TP1")}).log->retracted == 2);
  CHECK(read({line("TP0"), line("TP1"), line("TP0"), line("TP1")}).log->retracted == 4);
}

TEST_CASE("memory that could not be had, in bytes") {
  const auto bytes = [](const char* line) { return read({line}).log->out_of_memory.at(0); };
  CHECK(bytes("RuntimeError: NPU out of memory. Tried to allocate 1.50 GiB (NPU 3; 60.97 GiB total capacity").device ==
        3);
  CHECK(bytes("CUDA out of memory. Tried to allocate 20.00 MiB").bytes == 20u << 20);
  CHECK(bytes("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes. Error code 12").bytes ==
        4096);
}

TEST_CASE("nothing behind the beginning of a prompt is looked at, in any of its forms") {
  for (const char* prompt : {"prompt: '", "prompt: \"", "{\"messages\": [", "{'content': '", "params: prompt="}) {
    const OperatorTable table =
        read({std::string("INFO Received request: ") + prompt +
              "CUDA out of memory. Tried to allocate 2.00 GiB EngineDeadError offloaded 0/25 layers to GPU"});
    CAPTURE(prompt);
    CHECK(table.log->out_of_memory.empty());
    CHECK_FALSE(table.log->is_engine_dead);
    CHECK(table.log->offload.empty());
  }
}

TEST_CASE("phrases of a file are read with their faults") {
  const Result<Phrases> wrong = Phrases::parse(
      "ranks: x\ntimes: x\ncounters: {fallback: x}\nphrases:\n  - {kind: odd, contains: a, match: b}\n", "mine.yaml");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message.find("mine.yaml:5") != std::string::npos);
}

}  // namespace
}  // namespace scoville::trace
