#include <cstdio>

#include "cli/bench_run.hpp"
#include "cli/synonyms.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville bench`: one load on one endpoint.
class Bench final : public Command {
 public:
  Bench() {
    target_.declare(parameters_);
    parameters_.under(Group::target);
    parameters_.add({"--ready-check-timeout", "DUR", Msg::flag_ready_timeout, say(Msg::default_ready_timeout),
                     [this](std::string_view given) -> Status {
                       const std::optional<Nanos> limit = parse_duration(given);
                       if (!limit) return Error{ErrorCode::invalid_argument, say(Msg::expected_duration, "0 ns")};
                       target_.ready_timeout = *limit;
                       target_.waits_for_connection = true;
                       return Done{};
                     }});
    launch_.declare(parameters_);
    parameters_.under(Group::system);
    system_.declare(parameters_);
    price_.declare(parameters_);
    load_.declare(parameters_);
    parameters_.under(Group::load);
    parameters_.count("--repeats", Msg::flag_repeats, repeats_, 1, 100);
    parameters_.under(Group::output);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare_for_writing(parameters_);
    outputs_.declare(parameters_);
    parameters_.choice("--fail-on", Msg::flag_fail_on, {"instrument"}, "", [this](std::size_t) { fails_ = true; });
    declare_synonyms(parameters_);
    declare_foreign_words(parameters_);
  }

  std::string name() const override { return "bench"; }
  Msg summary() const override { return Msg::bench_summary; }
  std::vector<std::string> examples() const override {
    return {
        "scoville bench --base-url http://127.0.0.1:8000 --num-prompts 200 --request-rate 20",
        "scoville bench --base-url http://127.0.0.1:8000 --max-concurrency 16 --duration 60s --random-input-len 512 "
        "--random-output-len 128 --ignore-eos --goodput ttft:200 tpot:50",
        "scoville bench --base-url http://127.0.0.1:8000 --num-prompts 200 --request-rate 20 --repeats 5 --tag before",
        "scoville bench --launch 'llama-server -m model.gguf --port {port}' --ready /health --max-concurrency 4 "
        "--num-prompts 100",
        "scoville bench --launch-preset vllm --model Qwen/Qwen3-8B --launch-set tp=2 --request-rate 5 --num-prompts "
        "200",
        "scoville bench --backend vllm --endpoint /v1/completions --num-prompts 200 --request-rate 20 --save-result"};
  }

  Exit run() override {
    if (launch_.lists_presets()) {
      std::fputs(as_json_ ? pretty(preset_json()).c_str() : preset_table().c_str(), stdout);
      return Exit::fine;
    }
    for (const Status& settled : {launch_.settle(target_, repeats_), target_.settle(), system_.settle(), load_.settle(),
                                  price_.settle(), outputs_.settle()}) {
      if (settled) continue;
      complain(settled.error().message);
      return Exit::usage;
    }
    if (const Status followed = follow_file(); !followed) {
      complain(followed.error().message);
      return Exit::usage;
    }
    if (const Status fits = repeats_ > 1 ? outputs_.fits_repeats() : Status(Done{}); !fits) {
      complain(fits.error().message);
      return Exit::usage;
    }
    return BenchRun{target_, load_, store_, system_, price_, outputs_, as_json_, fails_, repeats_, false, &launch_}
        .run();
  }

 private:
  Status follow_file() {
    if (!load_.plan().is_offline && outputs_.keeps_answers())
      return Error{ErrorCode::invalid_argument, say(Msg::offline_output_needs)};
    const auto& file = load_.prompts().file;
    const dataset::BatchPrompts* const batch = file ? file->batch() : nullptr;
    if (batch) {
      if (Status followed = target_.follow_batch(file->name, batch->url(), batch->model()); !followed) return followed;
    }
    const plan::Limits& limits = load_.analysis().limits;
    return target_.can_limit("--goodput", limits.ttft ? "ttft" : limits.tpot ? "tpot" : "e2e");
  }

  TargetOptions target_;
  LaunchOptions launch_;
  LoadOptions load_;
  StoreOptions store_;
  SystemOptions system_;
  PriceOptions price_;
  OutputOptions outputs_;
  bool as_json_ = false, fails_ = false;
  std::size_t repeats_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_bench() { return std::make_unique<Bench>(); }

}  // namespace scoville::cli
