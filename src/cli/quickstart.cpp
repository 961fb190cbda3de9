#include <cstdio>

#include "cli/bench_run.hpp"
#include "cli/built_in_endpoint.hpp"
#include "cli/stop.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr const char* kScript = "ttft=50ms,itl=10ms,tokens=100,ttft_dist=lognormal";

/// `scoville quickstart`: measures the built-in endpoint, to show what a measurement looks like.
class Quickstart final : public Command {
 public:
  Quickstart() { parameters_.toggle("--json", Msg::flag_json, as_json_); }

  std::string name() const override { return "quickstart"; }
  Msg summary() const override { return Msg::quickstart_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville quickstart", "scoville quickstart --lang zh"};
  }

  Exit run() override {
    catch_stop_signals();
    const TemporaryFolder folder;
    Result<BuiltInEndpoint> server = BuiltInEndpoint::start(folder, {kScript});
    if (!server) {
      complain(server.error().message);
      return stop_requested() ? Exit::interrupted : Exit::failed;
    }
    TargetOptions target;
    target.set_base_url(server->url());
    target.shape.ignore_eos = true;
    if (const Status settled = target.settle(); !settled) {
      complain(settled.error().message);
      return Exit::usage;
    }
    StoreOptions store;
    store.keep_nothing();
    LoadOptions load;
    if (const Status settled = settle_with(load, {{"--num-prompts", "200"},
                                                  {"--request-rate", "20"},
                                                  {"--random-input-len", "512"},
                                                  {"--random-output-len", "100"}});
        !settled) {
      complain(settled.error().message);
      return Exit::usage;
    }
    std::fprintf(stderr, "%s\n\n", say(Msg::quickstart_what, kScript).c_str());
    const Exit exit =
        BenchRun{target, load, store, SystemOptions(), PriceOptions(), OutputOptions(), as_json_, false}.run();
    if (exit == Exit::fine && !as_json_) std::fprintf(stderr, "\n%s\n", say(Msg::quickstart_next).c_str());
    return exit;
  }

 private:
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_quickstart() { return std::make_unique<Quickstart>(); }

}  // namespace scoville::cli
