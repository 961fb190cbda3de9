#pragma once

#include "analyse/analysis.hpp"
#include "analyse/made_record.hpp"
#include "report/bench_report.hpp"
#include "run/runner.hpp"

namespace scoville::report {

/// For tests: a run that never was, the same each time, with something in every part of a report: 200 requests at 10/s,
/// a schedule, two classes of prompt length, three kinds of failure, limits to be met, a scripted endpoint's emit
/// times.
struct MadeBench {
  run::RunResult run;
  plan::LoadPlan plan;
  plan::RequestShape shape;
  analyse::AnalysisOptions options;
  BenchSubject subject;

  analyse::Analysis analysis() const { return analyse::analyse(run, plan, options).value(); }
};

inline event::RequestRecord made_request(std::size_t i) {
  // Neither sorted nor alike their neighbours: i · 43 mod 200 walks through 0 … 199.
  const double due = static_cast<double>(i) * 100, shuffled = static_cast<double>(i * 43 % 200);
  const double first = due + 50 + 0.1 * shuffled, gap = 10 + 0.005 * shuffled;
  event::RequestRecord record = analyse::answered(due + 0.02, analyse::every(gap, 16, first), first + 15 * gap + 0.1);
  for (event::TokenEvent& each : record.tokens) {
    each.since_emit_ns = static_cast<std::int32_t>(4000 + 10 * i);
    each.read_lag_ns = 2000;
  }
  return record;
}

inline MadeBench made_bench() {
  using event::Failure;
  MadeBench made;
  for (std::size_t i = 0; i < 200; ++i) {
    const double due = static_cast<double>(i) * 100;
    event::RequestRecord record = made_request(i);
    if (i == 30) record = analyse::failure(due + 0.02, due + 5, Failure::http_status);
    if (i == 90) record = analyse::failure(due + 0.02, due + 8000, Failure::timeout_request);
    if (i == 91) record = analyse::failure(due + 0.02, due + 60, Failure::truncated);
    record.index = i;
    record.due = analyse::at_ms(due);
    record.dequeued = record.written;
    record.max_tokens = 16;
    record.asked_prompt_tokens = i % 4 == 0 ? 1024 : 128;
    record.prompt_hash = i;
    record.rtt_us = 40;
    if (record.succeeded()) record.prompt_tokens = record.asked_prompt_tokens;
    made.run.records.push_back(std::move(record));
  }
  made.run.warmups = 8;
  made.run.loaders.emplace_back();
  made.run.loaders[0].busy_seconds.push_back({analyse::ms(120), analyse::ms(1000)});
  made.run.loaders[0].connections_opened = 5;
  made.run.loaders[0].cpu = analyse::ms(900);
  made.run.steal_share = 0.001;
  made.plan.arrivals.rate = 10;
  made.plan.arrivals.is_constant = true;
  made.plan.arrivals.seed = 7;
  made.plan.num_prompts = 200;
  made.plan.num_warmups = 8;
  made.shape.model = "tiny-1b";
  made.shape.ignore_eos = true;
  made.options.limits.ttft = analyse::ms(65);
  made.options.limits.tpot = analyse::ms(20);
  made.subject.run_id = "20250102T030405Z-0a1b2c";
  made.subject.url = "http://127.0.0.1:8000/v1/chat/completions";
  made.subject.peer = "127.0.0.1:8000";
  made.subject.dataset = {"synthetic 128 → 16", "合成 128 → 16"};
  made.subject.token_method = "vllm_tokenize";
  made.subject.prompt_length_is_exact = true;
  made.subject.dataset_hash = 0x1234;
  made.subject.seed = 7;
  event::Fingerprint& system = made.subject.system;
  system.add("engine.name", "vllm", "/v1/models");
  system.add("engine.version", "0.11.0", "/version");
  system.add("engine.flags.tensor_parallel_size", 2, "/server_info");
  system.add("model.context_length", 8192, "/v1/models");
  system.add("model.dtype", "bfloat16", "/server_info");
  system.add("model.revision", "0123456789abcdef", "/server_info");
  for (const char* card : {"0", "1"}) {
    system.add(std::string("device.nvidia.") + card + ".name", "NVIDIA H800", "nvidia-smi");
  }
  system.add("driver.nvidia", "550.54.15", "nvidia-smi");
  system.add("runtime.cuda", "12.4", "version.json");
  return made;
}

}  // namespace scoville::report
