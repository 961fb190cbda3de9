#include <algorithm>
#include <cstdio>

#include "cli/arms.hpp"
#include "cli/compare_options.hpp"
#include "cli/external.hpp"
#include "cli/noise_floors.hpp"
#include "cli/runs.hpp"
#include "decide/history.hpp"
#include "report/history.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// Runs of one set, or one run that belongs to none.
struct Group {
  std::string name;
  std::vector<store::RunInfo> runs;
};

/// In the order of their first runs.
std::vector<Group> grouped(const std::vector<store::RunInfo>& runs) {
  std::vector<Group> out;
  for (const store::RunInfo& each : runs) {
    if (each.kind != "bench") continue;
    const std::string& name = each.set.empty() ? each.id : each.set;
    auto found = std::find_if(out.begin(), out.end(), [&](const Group& group) { return group.name == name; });
    if (found == out.end()) found = out.insert(out.end(), Group{name, {}});
    found->runs.push_back(each);
  }
  return out;
}

/// `scoville history`: one baseline over time.
class HistoryCommand final : public Command {
 public:
  HistoryCommand() {
    parameters_.add(plain_positional("TAG", Msg::history_word_tag, tag_));
    options_.declare_shared(parameters_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "history"; }
  Msg summary() const override { return Msg::history_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville history nightly", "scoville history nightly --primary output_tokens_per_s --margin 5%",
            "scoville history nightly --allow client.version --json"};
  }

  Exit run() override {
    if (options_.primary().size() != 1) return failed({ErrorCode::invalid_argument, say(Msg::history_one_metric)});
    Result<store::RunStore> store = open_existing(store_);
    if (!store) return failed(store.error());
    Result<std::vector<decide::Arm>> points = read_points(*store);
    if (!points) return failed(points.error());
    const std::string& client = points->back().setup.client;
    const auto known = read_floors(&*store, client);
    if (!known) return failed(known.error());
    const decide::HarnessHealth health = decide::judge_harness(*known, options_.primary().front());
    if (health.is_broken) {
      complain(say(Msg::aa_broken, health.differences, health.tests));
      return Exit::gate;
    }
    const Result<report::HistoryView> view = follow(*known, std::move(*points));
    if (!view) return failed(view.error());
    std::fputs(as_json_ ? pretty(report::history_json(*view)).c_str() : report::history_table(*view).c_str(), stdout);
    return exit_of(view->history.outcome);
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  static Exit exit_of(decide::Outcome outcome) {
    if (outcome == decide::Outcome::slower) return Exit::gate;
    return outcome == decide::Outcome::holds ? Exit::fine : Exit::cannot_tell;
  }

  Result<std::vector<decide::Arm>> read_points(store::RunStore& store) const {
    const Result<std::vector<store::RunInfo>> runs = store.find(tag_);
    if (!runs) return not_compared(store, tag_, runs.error());
    std::vector<decide::Arm> out;
    for (const Group& each : grouped(*runs)) {
      Result<decide::Arm> arm = arm_of(store, each.name, each.runs, /*keeps=*/true);
      if (!arm) return arm.error();
      if (!arm->runs.empty()) out.push_back(std::move(*arm));
    }
    if (out.empty()) return Error{ErrorCode::not_found, say(Msg::history_nothing, tag_)};
    return out;
  }

  Result<report::HistoryView> follow(const std::vector<decide::NoiseFloor>& known,
                                     std::vector<decide::Arm> points) const {
    const decide::Setup newest = points.back().setup;
    const KnownFloors floors = known_floors(known, newest, newest);
    decide::HistoryOptions options;
    options.metric = options_.primary().front();
    options.allow = options_.allowed();
    options.margin = options_.margin();
    options.floors = floors.by_metric;
    report::HistoryView view{tag_, decide::follow(std::move(points), options), {}};
    if (floors.sides == 0) view.warnings.push_back(dataset::make_warning("no_noise_floor", Msg::compare_warn_no_floor));
    return view;
  }

  CompareOptions options_;
  StoreOptions store_;
  std::string tag_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_history() { return std::make_unique<HistoryCommand>(); }

}  // namespace scoville::cli
