#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "base/new_file.hpp"
#include "cli/command.hpp"
#include "evaluate/templates.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using text::EvaluateMsg;
using text::Msg;
using text::say;

/// `scoville evaluate init`: the shortest plan for who decides.
class EvaluateInit final : public Command {
 public:
  EvaluateInit() {
    parameters_.choice("--who", EvaluateMsg::flag_who, evaluate::names_of_who(), "",
                       [this](std::size_t place) { who_ = static_cast<evaluate::Who>(place); });
    parameters_.text("--baseline", "URL", EvaluateMsg::flag_baseline, baseline_);
    parameters_.text("--candidate", "URL", EvaluateMsg::flag_candidate, candidate_);
    parameters_.text("-o,--output", "FILE", EvaluateMsg::flag_init_output, output_);
  }

  std::string name() const override { return "evaluate init"; }
  Msg summary() const override { return EvaluateMsg::init_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville evaluate init --who own-infrastructure --baseline http://h20:8000 --candidate http://910b:8000",
            "scoville evaluate init --who small-team -o baseline.yaml"};
  }

  Exit run() override {
    if (!who_ && !ask()) {
      complain(say(EvaluateMsg::who_missing, fmt::format("{}", names())));
      return Exit::usage;
    }
    const std::string plan = evaluate::plan_template(*who_, text::language(), baseline_, candidate_);
    if (output_.empty()) {
      std::fputs(plan.c_str(), stdout);
      return Exit::fine;
    }
    if (const Status written = write_new_file(output_, plan); !written) {
      complain(written.error().message);
      return written.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    std::fprintf(stderr, "%s\n", say(EvaluateMsg::init_written, output_).c_str());
    return Exit::fine;
  }

 private:
  static std::string names() {
    std::string out;
    for (const std::string& each : evaluate::names_of_who()) out += (out.empty() ? "" : ", ") + each;
    return out;
  }

  /// Only where somebody sits at a terminal.
  bool ask() {
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return false;
    constexpr EvaluateMsg questions[] = {EvaluateMsg::who_small_team, EvaluateMsg::who_own_infrastructure,
                                         EvaluateMsg::who_single_developer, EvaluateMsg::who_vendor};
    std::fprintf(stderr, "%s\n", say(EvaluateMsg::who_question).c_str());
    for (int i = 0; i < 4; ++i) std::fprintf(stderr, "  %d  %s\n", i + 1, say(questions[i]).c_str());
    std::string line;
    if (!std::getline(std::cin, line) || line.size() != 1 || line[0] < '1' || line[0] > '4') return false;
    who_ = static_cast<evaluate::Who>(line[0] - '1');
    return true;
  }

  std::optional<evaluate::Who> who_;
  std::string baseline_ = "http://127.0.0.1:8000", candidate_ = "http://127.0.0.1:8001", output_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_init() { return std::make_unique<EvaluateInit>(); }

}  // namespace scoville::cli
