#include <cstdio>

#include "cli/command.hpp"
#include "matrix/scenario.hpp"
#include "report/scenario.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::cli {
namespace {

using text::MatrixMsg;
using text::Msg;

/// `scoville scenario list`: those that are built in.
class ScenarioList final : public Command {
 public:
  ScenarioList() { parameters_.toggle("--json", Msg::flag_json, as_json_); }

  std::string name() const override { return "scenario list"; }
  Msg summary() const override { return MatrixMsg::scenario_list_summary; }
  std::vector<std::string> examples() const override { return {"scoville scenario list"}; }

  Exit run() override {
    const std::vector<matrix::Scenario>& all = matrix::built_in_scenarios();
    if (!as_json_) {
      std::fputs(report::scenario_list(all).c_str(), stdout);
      return Exit::fine;
    }
    json::array scenarios;
    for (const matrix::Scenario& each : all) scenarios.push_back(report::scenario_json(each));
    std::fputs(pretty(json::object{{"schema", "scoville.scenarios/1"}, {"scenarios", std::move(scenarios)}}).c_str(),
               stdout);
    return Exit::fine;
  }

 private:
  bool as_json_ = false;
};

/// `scoville scenario show NAME`: what one of them asks for.
class ScenarioShow final : public Command {
 public:
  ScenarioShow() {
    parameters_.add(Positional{"NAME", MatrixMsg::word_scenario, [this](std::string_view given) -> Status {
                                 name_ = given;
                                 return Done{};
                               }});
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "scenario show"; }
  Msg summary() const override { return MatrixMsg::scenario_show_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville scenario show chat", "scoville scenario show my-scenario.yaml --json"};
  }

  Exit run() override {
    const Result<matrix::Scenario> found = matrix::find_scenario(name_);
    if (!found) {
      complain(found.error().message);
      return Exit::usage;
    }
    std::fputs(as_json_ ? pretty(report::scenario_json(*found)).c_str() : report::scenario_table(*found).c_str(),
               stdout);
    return Exit::fine;
  }

 private:
  std::string name_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_scenario_list() { return std::make_unique<ScenarioList>(); }
std::unique_ptr<Command> make_scenario_show() { return std::make_unique<ScenarioShow>(); }

}  // namespace scoville::cli
