#include <cstdio>

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/environment_block.hpp"
#include "cli/probe_options.hpp"
#include "cli/readiness_ask.hpp"
#include "cli/stop.hpp"
#include "environment/capture.hpp"
#include "report/readiness.hpp"
#include "text/catalogue/readiness.hpp"

namespace scoville::cli {
namespace {

using text::ReadinessMsg;
using text::say;

/// `scoville probe readiness`: the gate before any number.
class ProbeReadiness final : public Command {
 public:
  ProbeReadiness() {
    probe_.declare(parameters_);
    parameters_.text("--python", "PROGRAM", ReadinessMsg::flag_python, question_.python);
    parameters_.text("--base-url", "URL", ReadinessMsg::flag_base_url, question_.base_url);
    parameters_.text("--model", "NAME", ReadinessMsg::flag_model, question_.model);
    parameters_.text("--image", "NAME", ReadinessMsg::flag_image, question_.image);
    parameters_.add({"--tools", "FILE", ReadinessMsg::flag_tools, "", [this](std::string_view given) -> Status {
                       const std::string path(given);
                       const Result<std::string> yaml = read_file(path);
                       if (!yaml) return yaml.error();
                       Result<std::vector<readiness::Way>> ways = readiness::read_ways(*yaml, path);
                       if (!ways) return ways.error();
                       question_.ways = *std::move(ways);
                       return Done{};
                     }});
    parameters_.toggle("--json", text::Msg::flag_json, as_json_);
  }

  std::string name() const override { return "probe readiness"; }
  text::Msg summary() const override { return ReadinessMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe readiness", "scoville probe readiness --device cuda --base-url http://127.0.0.1:8000",
            "scoville probe readiness --device npu --probe 'python3 probes/scoville_torch.py' --image "
            "quay.io/ascend/vllm-ascend"};
  }

  Exit run() override {
    catch_stop_signals();
    question_.device = probe_.device();
    question_.variables = environment_block();
    const auto& known = readiness::built_in_ways();
    question_.ways.insert(question_.ways.end(), known.begin(), known.end());
    const Result<std::unique_ptr<probe::Session>> session = probe_.open();
    if (!session) {
      complain(session.error().message);
      return Exit::failed;
    }
    environment::Options options;
    options.variables = question_.variables;
    const event::Fingerprint machine = environment::capture(options);
    probe::Outcome described = (*session)->ask(probe_.request("describe", {}));
    const json::object description = described.result.value_or(json::object());
    std::vector<readiness::Check> checks = ask_probe(**session, probe_.request("readiness", {}));
    if (stop_requested()) return Exit::interrupted;
    const std::string vendor = vendor_of(description, machine, question_.device);
    for (readiness::Check& each : ask_layers(question_, vendor, machine)) checks.push_back(std::move(each));
    std::vector<readiness::Item> asked_for;
    if (!question_.base_url.empty()) asked_for.push_back(readiness::Item::engine);
    if (!question_.image.empty()) asked_for.push_back(readiness::Item::image);
    const readiness::Finding finding = readiness::judge(std::move(checks), asked_for);
    show(finding, description);
    return finding.is_ready == readiness::Verdict::yes  ? Exit::fine
           : finding.is_ready == readiness::Verdict::no ? Exit::gate
                                                        : Exit::cannot_tell;
  }

 private:
  void show(const readiness::Finding& finding, const json::object& description) const {
    const json::value* name = description.if_contains("probe");
    const std::string probe = name && name->is_string() ? std::string(name->as_string()) : "?";
    const std::string out = as_json_ ? pretty(report::readiness_json(finding, question_.device, probe))
                                     : report::readiness_table(finding, question_.device, probe);
    std::fputs(out.c_str(), stdout);
  }

  ProbeOptions probe_{"torch", "cpu"};
  ReadinessQuestion question_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_probe_readiness() { return std::make_unique<ProbeReadiness>(); }

}  // namespace scoville::cli
