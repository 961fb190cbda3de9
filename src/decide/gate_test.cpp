#include "decide/gate.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;

namespace {

using Keys = std::vector<std::string>;

Arm made_arm() { return arm_of_tpots("arm", {10.0, 10.1, 9.9, 10.2, 9.8}); }

/// A gate in which the candidate was changed.
Gate changed(const std::function<void(Arm&)>& change, const GateOptions& options = {}) {
  Arm candidate = made_arm();
  change(candidate);
  return check(made_arm(), candidate, options);
}

std::function<void(Arm&)> field(std::string key, json::value value) {
  return [key = std::move(key), value = std::move(value)](Arm& arm) { arm.setup.system.add(key, value, "test"); };
}

std::function<void(Arm&)> unknown(std::string key) {
  return [key = std::move(key)](Arm& arm) { arm.setup.system.miss(key, event::FieldStatus::absent, "test"); };
}

}  // namespace

TEST_CASE("two arms that are alike in everything pass in full words") {
  const Gate gate = changed([](Arm&) {});
  CHECK(gate.result == GateResult::ok);
  CHECK(gate.unverified == Keys{});
  CHECK(gate.scope == Scope::same);
  for (const GateField& each : gate.fields) {
    CAPTURE(each.key);
    CHECK(each.state == FieldState::equal);
  }
}

TEST_CASE("each field that must be equal refuses by its name") {
  const std::vector<std::pair<const char*, std::function<void(Arm&)>>> cases{
      {"model", field("model.sha256", "cc33")},
      {"model.tokenizer", field("model.tokenizer_sha256", "dd44")},
      {"dataset", [](Arm& arm) { arm.setup.dataset_hash = 8; }},
      {"dataset", [](Arm& arm) { arm.setup.seed = 1; }},
      {"prompt_tokens",
       [](Arm& arm) {
         arm.runs[0].statistics.usage = {{0, 521, 128}, {1, 525, 128}};
       }},
      {"output_tokens",
       [](Arm& arm) {
         for (ArmRun& run : arm.runs) run.statistics.mean_output_tokens = 115;
       }},
      {"request.dialect", [](Arm& arm) { arm.setup.shape.dialect = plan::Dialect::tgi; }},
      {"request.sampling", [](Arm& arm) { arm.setup.shape.ignore_eos = true; }},
      {"request.sampling", [](Arm& arm) { arm.setup.shape.temperature = 0.7; }},
      {"load.arrivals", [](Arm& arm) { arm.setup.load.arrivals.rate = 20; }},
      {"load.concurrency", [](Arm& arm) { arm.setup.load.max_concurrency = 32; }},
      {"load.warmup", [](Arm& arm) { arm.setup.load.num_warmups = 32; }},
      {"load.failures", [](Arm& arm) { arm.setup.load.timeouts.request = std::chrono::seconds(5); }},
      {"load.beside", [](Arm& arm) { arm.setup.load.probe_rate = 2; }},
      {"load.beside", [](Arm& arm) { arm.setup.load.cancel.share = 0.1; }},
      {"limits", [](Arm& arm) { arm.setup.limits.ttft = std::chrono::milliseconds(200); }},
      {"prefix_cache",
       [](Arm& arm) {
         for (ArmRun& run : arm.runs) run.statistics.cached_share = 0.4;
       }},
      {"client.version", [](Arm& arm) { arm.setup.version = "2.0.0"; }},
      {"client.host", [](Arm& arm) { arm.setup.client = "another"; }},
      {"client.threads", [](Arm& arm) { arm.setup.load.threads = 2; }},
  };
  for (const auto& [key, change] : cases) {
    CAPTURE(key);
    const Gate gate = changed(change);
    CHECK(gate.result == GateResult::refuse);
    CHECK(gate.refused == Keys{key});
    GateOptions options;
    options.allow = {key};
    const Gate allowed = changed(change, options);
    CHECK(allowed.result == GateResult::flag);
    CHECK(allowed.allowed == Keys{key});
    CHECK(allowed.find(key)->is_allowed);
  }
}

TEST_CASE("the number of requests is part of the load") {
  const Gate gate = changed([](Arm& arm) { arm.setup.load.num_prompts = 100; });
  CHECK(gate.refused == Keys{"load.requests"});
}

TEST_CASE("undeclared, the whole stack may differ, and the verdict is on stacks") {
  const Gate gate = changed([](Arm& arm) {
    field("engine.version", "0.10.0")(arm);
    field("driver.nvidia", "560.28")(arm);
  });
  CHECK(gate.result == GateResult::ok);
  CHECK(gate.differs == Keys{"driver", "engine"});
  CHECK(gate.scope == Scope::stack);
  CHECK(gate.find("engine")->base == "engine.version 0.9.1");
  CHECK(gate.find("engine")->candidate == "engine.version 0.10.0");
}

TEST_CASE("a declared subject alone may differ") {
  GateOptions options;
  options.subject = {"engine"};
  const Gate one = changed(field("engine.version", "0.10.0"), options);
  CHECK(one.result == GateResult::ok);
  CHECK(one.scope == Scope::single);
  CHECK(changed(field("engine.flags.max_num_seqs", 128), options).scope == Scope::single);

  const Gate confounded = changed(field("driver.nvidia", "560.28"), options);
  CHECK(confounded.result == GateResult::refuse);
  CHECK(confounded.refused == Keys{"driver"});
}

TEST_CASE("unknown on either side goes on, unverified, as service against service") {
  const Gate gate = changed(unknown("device.nvidia.0.name"));
  CHECK(gate.result == GateResult::flag);
  CHECK(gate.unverified == Keys{"device.slice", "device"});
  CHECK(gate.scope == Scope::service);
  CHECK(changed(unknown("cpu.model")).unverified == Keys{"host"});
}

TEST_CASE("a difference that is only recorded is noted") {
  const Gate gate = changed(field("cpu.model", "another processor"));
  CHECK(gate.result == GateResult::ok);
  CHECK(gate.noted == Keys{"host"});
  CHECK(gate.scope == Scope::same);
}

TEST_CASE("a slice is not a card") {
  for (const auto& slice :
       {field("device.nvidia.0.mig", "Enabled"), field("device.nvidia.0.name", "GRID H20-48C"),
        field("device.nvidia.0.name", "NVIDIA H20 MIG 1g.12gb"), field("device.nvidia.0.name", "Ascend910B-vir04_3c"),
        field("env.NVIDIA_VISIBLE_DEVICES", "MIG-4d2f")}) {
    GateOptions options;
    options.subject = {"device"};
    const Gate gate = changed(slice, options);
    CHECK(gate.result == GateResult::refuse);
    CHECK(gate.find("device.slice")->state == FieldState::different);
  }
  CHECK(changed(field("device.amd.0.partition", "SPX")).find("device.slice")->state == FieldState::equal);
  CHECK(changed(field("device.amd.0.partition", "CPX")).find("device.slice")->candidate == "partition CPX");
}

TEST_CASE("different numbers of devices: figures per device, also where the device is the subject") {
  for (const Keys& subject : {Keys{}, Keys{"device"}}) {
    GateOptions options;
    options.subject = subject;
    const Gate gate = changed([](Arm& arm) { arm.setup.devices = 2; }, options);
    CHECK(gate.result == GateResult::flag);
    CHECK(gate.is_per_device);
  }
  GateOptions options;
  options.allow = {"device.count"};
  CHECK_FALSE(changed([](Arm& arm) { arm.setup.devices = 2; }, options).is_per_device);
}

TEST_CASE(
    "how many devices worked: said, or by the engine's degrees, or the only one; a machine of eight does not tell") {
  Setup setup = made_setup();
  CHECK(devices_of(setup) == 1);
  setup.system.add("engine.flags.tensor_parallel_size", 2, "test");
  setup.system.add("engine.flags.pipeline_parallel_size", 2, "test");
  CHECK(devices_of(setup) == 4);
  setup.devices = 8;
  CHECK(devices_of(setup) == 8);
  Setup bare;
  bare.system.add("device.nvidia.count", 8, "test");
  CHECK_FALSE(devices_of(bare));
  bare.system.add("device.nvidia.count", 1, "test");
  CHECK(devices_of(bare) == 1);
  CHECK_FALSE(devices_of({}));
}

TEST_CASE("another precision needs answers of equal worth") {
  const auto quantised = [](Arm& arm) {
    field("model.sha256", "ee55")(arm);
    field("model.derivation", "derived from aa11")(arm);
    field("model.dtype", "fp8")(arm);
  };
  const Gate gate = changed(quantised);
  CHECK(gate.find("model")->state == FieldState::equal);
  CHECK(gate.refused == Keys{"accuracy"});
  CHECK(gate.find("accuracy")->code == "precision_without_accuracy");
  CHECK(gate.find("accuracy")->base == "model.dtype bfloat16");
  CHECK(gate.find("accuracy")->candidate == "model.dtype fp8");
  GateOptions options;
  options.accuracy = Accuracy::passed;
  CHECK(changed(quantised, options).result == GateResult::ok);
  CHECK(changed(quantised, options).differs == Keys{"precision"});
  options.accuracy = Accuracy::failed;
  CHECK(changed(quantised, options).refused == Keys{"accuracy"});
}

TEST_CASE("weights that are not known: names that differ are different models, equal names prove nothing") {
  const auto named = [](const char* name) {
    return [name](Arm& arm) {
      unknown("model.sha256")(arm);
      field("model.id", name)(arm);
    };
  };
  CHECK(changed(named("M")).find("model")->state == FieldState::unknown);
  CHECK(changed(named("/models/m.gguf")).find("model")->state == FieldState::unknown);
  CHECK(changed(named("org/other")).find("model")->state == FieldState::different);
  Arm base = made_arm(), candidate = made_arm();
  for (Arm* arm : {&base, &candidate}) {
    unknown("model.sha256")(*arm);
    field("model.revision", "abc")(*arm);
  }
  CHECK(check(base, candidate).find("model")->state == FieldState::equal);
  field("model.revision", "def")(candidate);
  CHECK(check(base, candidate).find("model")->state == FieldState::different);
}

TEST_CASE("caches that did equally much are equal, whatever their settings; where nobody counts, the settings tell") {
  const auto no_caching = field("engine.flags.enable_prefix_caching", false);
  CHECK(changed(no_caching).find("prefix_cache")->state == FieldState::equal);
  const auto cached = [](std::optional<double> share) {
    return [share](Arm& arm) {
      for (ArmRun& run : arm.runs) run.statistics.cached_share = share;
    };
  };
  CHECK(changed(cached(0.015)).find("prefix_cache")->state == FieldState::equal);
  CHECK(changed(cached(0.025)).refused == Keys{"prefix_cache"});
  CHECK(changed(cached(0.025)).find("prefix_cache")->candidate == "2.5 % cached");
  GateOptions options;
  options.subject = {"prefix_cache"};
  CHECK(changed(cached(0.5), options).result == GateResult::ok);

  CHECK(changed(cached(std::nullopt)).find("prefix_cache")->state == FieldState::equal);  // by the settings
  const Gate by_settings = changed([&](Arm& arm) {
    cached(std::nullopt)(arm);
    no_caching(arm);
  });
  CHECK(by_settings.refused == Keys{"prefix_cache"});
}

TEST_CASE("runs that are not what they were meant to be are not compared") {
  const std::vector<std::pair<const char*, std::function<void(analyse::RunStatistics&)>>> cases{
      {"runs.instrument", [](auto& run) { run.instrument = analyse::Verdict::bottleneck; }},
      {"runs.complete", [](auto& run) { run.was_interrupted = true; }},
      {"runs.complete", [](auto& run) { run.attempted = run.succeeded = 150; }},
      {"runs.failures", [](auto& run) { run.succeeded = 190; }},
      {"runs.schedule", [](auto& run) { run.schedule_met = false; }},
      {"runs.schedule", [](auto& run) { run.reached_concurrency = false; }},
      {"runs.steady", [](auto& run) { run.is_drifting = true; }},
      {"runs.empty_outputs", [](auto& run) { run.empty_outputs = 10; }},
  };
  for (const auto& [key, change] : cases) {
    CAPTURE(key);
    const Gate gate = changed([&](Arm& arm) { change(arm.runs[3].statistics); });
    CHECK(gate.refused == Keys{key});
    CHECK(gate.find(key)->base == "0/5");
    CHECK(gate.find(key)->candidate == "1/5");
  }
  // Time-outs are right-censored at their limit: they flatter nobody.
  CHECK(changed([](Arm& arm) {
          arm.runs[0].statistics.succeeded = 190;
          arm.runs[0].statistics.timeouts = 10;
        }).result == GateResult::ok);
}

TEST_CASE("a client that was the bottleneck cannot be allowed away") {
  GateOptions options;
  options.allow = {"runs.instrument"};
  const Gate gate =
      changed([](Arm& arm) { arm.runs[0].statistics.instrument = analyse::Verdict::bottleneck; }, options);
  CHECK(gate.result == GateResult::refuse);
}

TEST_CASE("runs of one arm that are not of one plan") {
  CHECK(changed([](Arm& arm) { arm.is_one_plan = false; }).refused == Keys{"runs.one_plan"});
}

TEST_CASE("a run that was to last a minute must have") {
  const auto timed = [](Nanos length) {
    Arm arm = made_arm();
    arm.setup.load.num_prompts = 0;
    arm.setup.load.duration = std::chrono::seconds(60);
    for (ArmRun& run : arm.runs) run.statistics.length = length;
    return arm;
  };
  CHECK(check(timed(std::chrono::seconds(61)), timed(std::chrono::seconds(61))).result == GateResult::ok);
  CHECK(check(timed(std::chrono::seconds(61)), timed(std::chrono::seconds(30))).refused == Keys{"runs.complete"});
}

TEST_CASE("requests given up on purpose are not missing, but others are") {
  const auto cancelling = [](std::size_t attempted) {
    Arm arm = made_arm();  // 200 requests
    arm.setup.load.cancel.share = 0.25;
    for (ArmRun& run : arm.runs) run.statistics.attempted = run.statistics.succeeded = attempted;
    return arm;
  };
  CHECK(check(cancelling(150), cancelling(140)).result == GateResult::ok);
  CHECK(check(cancelling(150), cancelling(110)).refused == Keys{"runs.complete"});  // 150 less five times 6.1 is 119
}

TEST_CASE("one machine: by host name, else by address") {
  const Setup here = made_setup();
  Setup there = made_setup();
  there.peer = "127.0.0.1:8001";
  CHECK(is_one_machine(here, there));
  there.peer = "10.0.0.7:8000";
  CHECK_FALSE(is_one_machine(here, there));
  Setup named = made_setup();
  named.system.add("os.hostname", "gpu01", "test", false);
  there.system.add("os.hostname", "gpu01", "test", false);
  CHECK(is_one_machine(named, there));
  CHECK_FALSE(is_one_machine(here, Setup{}));
  Setup elsewhere = made_setup();  // behind one address, as with a proxy
  elsewhere.system.add("os.hostname", "gpu02", "test", false);
  CHECK_FALSE(is_one_machine(named, elsewhere));
}

TEST_CASE("what may be named: a subject is part of the system, and a bottleneck is never allowed") {
  const auto has = [](const Keys& keys, const char* key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const char* key : {"model", "runs.failures", "accuracy", "device.count", "driver"})
    CHECK(has(allowable_keys(), key));
  for (const char* key : {"runs.instrument", "runs.client_bound", "host"}) CHECK_FALSE(has(allowable_keys(), key));
  for (const char* key : {"engine", "device", "prefix_cache"}) CHECK(has(subject_keys(), key));
  for (const char* key : {"model", "host", "device.count"}) CHECK_FALSE(has(subject_keys(), key));
}
