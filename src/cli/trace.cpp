#include "text/catalogue/trace.hpp"
#include "cli/trace_show.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::TraceMsg;

/// `scoville trace`: what a profiler trace or an engine's log says of the operators.
class Trace final : public Command {
 public:
  Trace() {
    Positional files{"FILE", TraceMsg::trace_flag_files, [this](std::string_view given) -> Status {
                       if (given.empty()) return Error{ErrorCode::invalid_argument, "FILE"};
                       files_.emplace_back(given);
                       return Done{};
                     }};
    files.takes_many = true;
    parameters_.add(std::move(files));
    parameters_.text("--rules", "FILE", TraceMsg::trace_flag_rules, rules_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "trace"; }
  Msg summary() const override { return TraceMsg::trace_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville trace step.trace.json.gz", "scoville trace kernel_details.csv op_statistic.csv --json",
            "scoville trace vllm.log --lang zh"};
  }

  Exit run() override {
    if (rules_.empty()) return show_trace(files_, as_json_);
    const Result<trace::Rules> rules = trace::Rules::with(rules_);
    if (rules) return show_trace(files_, as_json_, *rules);
    complain("--rules " + rules.error().message);
    return Exit::usage;
  }

 private:
  std::vector<std::string> files_;
  std::string rules_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_trace() { return std::make_unique<Trace>(); }

}  // namespace scoville::cli
