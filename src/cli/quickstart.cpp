#include <cstdio>
#include <optional>
#include <thread>

#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/bench_run.hpp"
#include "cli/built_in_endpoint.hpp"
#include "cli/probe_options.hpp"
#include "cli/stop.hpp"
#include "text/catalogue/quickstart.hpp"

namespace scoville::cli {
namespace {

using text::QuickstartMsg;
using text::say;

constexpr const char* kScript = "ttft=50ms,itl=10ms,tokens=100,ttft_dist=lognormal";

/// One stage of the tour: a command of this very program, which can be repeated by hand.
struct Step {
  std::string name;  ///< its key in --json
  QuickstartMsg question;
  std::vector<std::string> words;
};

std::string joined(const std::vector<std::string>& words) {
  std::string line = "scoville";
  for (const std::string& word : words) line += " " + word;
  return line;
}

/// `scoville quickstart`: everything on this machine, one stage after the other.
class Quickstart final : public Command {
 public:
  Quickstart() {
    parameters_.text("--device", "NAME", QuickstartMsg::flag_device, device_);
    parameters_.text("--model", "NAME", QuickstartMsg::flag_model, model_);
    parameters_.toggle("--scripted", QuickstartMsg::flag_scripted, is_scripted_);
    parameters_.toggle("--json", text::Msg::flag_json, as_json_);
  }

  std::string name() const override { return "quickstart"; }
  text::Msg summary() const override { return QuickstartMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville quickstart", "scoville quickstart --lang zh", "scoville quickstart --device cuda --model 1b"};
  }

  Exit run() override {
    catch_stop_signals();
    if (is_scripted_) return measure_script();
    const Result<std::string> torch = sibling("scoville-torch");
    if (!torch) complain(say(QuickstartMsg::no_torch, torch.error().message));
    const std::vector<Step> steps = agenda(torch.ok());
    for (const Step& step : steps) {
      if (stop_requested()) return Exit::interrupted;
      take(step, steps.size() + 1);
    }
    const Exit exit = serve_and_measure(torch.ok(), steps.size() + 1);
    if (stop_requested()) return Exit::interrupted;
    if (as_json_) std::fputs(pretty(found_).c_str(), stdout);
    if (exit == Exit::fine && !as_json_) std::fprintf(stderr, "\n%s\n", say(QuickstartMsg::next).c_str());
    return exit;
  }

 private:
  std::vector<Step> agenda(bool has_torch) const {
    std::vector<Step> steps{
        {"environment", QuickstartMsg::environment, {"env"}},
        {"readiness", QuickstartMsg::readiness, {"probe", "readiness", "--device", device_}},
        {"device", QuickstartMsg::device, {"probe", "device", "--device", device_, "--level", "quick"}}};
    if (!has_torch) return steps;
    steps.push_back({"operators", QuickstartMsg::operators, {"probe", "operators", "--device", device_}});
    return steps;
  }

  /// The last step: its command needs the port of the server.
  Exit serve_and_measure(bool has_torch, std::size_t of) {
    const TemporaryFolder folder;
    BuiltInEndpoint::Options options;
    if (has_torch) {
      options.model = model_;
      options.device = device_;
      options.patience = std::chrono::minutes(5);
    } else {
      options.script = kScript;
    }
    const Result<BuiltInEndpoint> server = BuiltInEndpoint::start(folder, options);
    if (!server) {
      complain(say(QuickstartMsg::no_server, server.error().message));
      return stop_requested() ? Exit::interrupted : Exit::failed;
    }
    const Step step{"serving",
                    has_torch ? QuickstartMsg::serving : QuickstartMsg::scripted,
                    {"bench", "--base-url", server->url(), "--max-concurrency", "4", "--num-prompts", "32",
                     "--random-input-len", "128", "--random-output-len", "64", "--ignore-eos", "--no-store"}};
    return take(step, of) == 0 ? Exit::fine : Exit::failed;
  }

  /// Its exit status. A step that fails does not keep the others from being taken.
  int take(const Step& step, std::size_t of) {
    std::fprintf(stderr, "\n── %s\n\n",
                 say(QuickstartMsg::step, ++done_, of, say(step.question), joined(step.words)).c_str());
    std::vector<std::string> words = step.words;
    words.insert(words.end(), {"--lang", text::language() == text::Language::chinese ? "zh" : "en"});
    const TemporaryFolder folder;
    const std::string kept = folder.path() + "/found.json";
    if (as_json_) words.emplace_back("--json");
    Result<Child> child =
        as_json_ ? Child::start_keeping("/proc/self/exe", words, kept) : Child::start_shown("/proc/self/exe", words);
    if (!child) {
      complain(child.error().message);
      return 1;
    }
    while (child->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (as_json_) keep(step.name, kept);
    if (child->status() != 0) complain(say(QuickstartMsg::step_failed, child->status()));
    return child->status();
  }

  void keep(const std::string& name, const std::string& path) {
    const Result<std::string> content = read_file(path);
    boost::system::error_code failed;
    json::value value = content ? json::parse(*content, failed) : json::value();
    found_[name] = failed ? json::value() : std::move(value);
  }

  /// The endpoint whose true times are known: shows what a measurement looks like, and how near the truth it is.
  Exit measure_script() {
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
    std::fprintf(stderr, "%s\n\n", say(text::Msg::quickstart_what, kScript).c_str());
    return BenchRun{target, load, store, SystemOptions(), PriceOptions(), OutputOptions(), as_json_ && is_scripted_,
                    false}
        .run();
  }

  std::string device_ = "cpu", model_ = "small";
  bool is_scripted_ = false, as_json_ = false;
  std::size_t done_ = 0;
  json::object found_;
};

}  // namespace

std::unique_ptr<Command> make_quickstart() { return std::make_unique<Quickstart>(); }

}  // namespace scoville::cli
