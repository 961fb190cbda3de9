#include "environment/join.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;
using event::Fingerprint;

TEST_CASE("the later witness wins, but for a command line, and ignorance hides nothing") {
  Observations o;
  o.server.add("engine.flags.dtype", "bfloat16", "/server_info");
  o.server.add("engine.flags.tp", 1, "/server_info");
  o.server.add("model.revision", "r", "/info");
  o.server.miss("engine.version", FieldStatus::absent, "/version");
  o.process.add("engine.flags.dtype", "auto", "/proc/PID/cmdline");
  o.process.add("engine.flags.eager", true, "/proc/PID/cmdline");
  o.system.add("engine.version", "0.11", "pip");
  o.system.add("os.kernel", "6.1", "uname");
  o.model_files.miss("model.revision", FieldStatus::absent, "folder");
  o.engine_args.add("engine.flags.tp", 2, "--engine-arg");
  const Fingerprint f = join(o);
  CHECK(f.text("engine.flags.dtype") == "bfloat16");
  CHECK(f.text("engine.flags.eager") == "true");
  CHECK(f.text("engine.version") == "0.11");
  CHECK(f.text("os.kernel") == "6.1");
  CHECK(f.text("model.revision") == "r");
  CHECK(f.find("engine.flags.tp")->source == "--engine-arg");
}

TEST_CASE("what the server does not tell of its model comes from its settings, else from the weights") {
  Observations o;
  o.server.miss("model.dtype", FieldStatus::absent, "/server_info");
  o.server.miss("model.quantisation", FieldStatus::absent, "/server_info");
  o.process.add("engine.flags.dtype", "auto", "/proc/PID/cmdline");
  o.process.add("engine.flags.quantization", "fp8", "/proc/PID/cmdline");
  o.process.add("engine.flags.max_model_len", 4096, "/proc/PID/cmdline");
  o.model_files.add("model.weights.dtype", "bfloat16", "config.json");
  o.model_files.add("model.weights.quantisation", "none", "config.json");
  const Fingerprint f = join(o);
  CHECK(f.text("model.dtype") == "bfloat16");
  CHECK(f.find("model.dtype")->source == "config.json");
  CHECK(f.text("model.quantisation") == "fp8");  // quantised when it was loaded
  CHECK(f.text("model.context_length") == "4096");
  o.server.add("model.quantisation", "awq", "/server_info");
  CHECK(join(o).text("model.quantisation") == "awq");
}

TEST_CASE("what was joined can be written and read again, whatever bytes a command line had") {
  Observations o;
  o.process.add("engine.command_line", json::array{json::string("caf\xE9")}, "/proc/PID/cmdline", false);
  const Fingerprint f = join(o);
  const auto read = Fingerprint::from_json(json::parse(compact(f.to_json())));
  REQUIRE(read.ok());
  CHECK(read->full_hash() == f.full_hash());
}
