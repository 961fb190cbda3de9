#include <cstdio>
#include <map>

#include "base/json_fields.hpp"
#include "cli/run_set.hpp"
#include "cli/runs.hpp"
#include "cli/sweep_show.hpp"
#include "report/saturation.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville runs show`: the report that the run, or the set, printed when it was measured.
class RunsShow final : public Command {
 public:
  RunsShow() {
    parameters_.add(plain_positional("NAME", Msg::word_run_name, name_));
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs show"; }
  Msg summary() const override { return Msg::runs_show_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs show 20261130T101530Z-9f3c2a71", "scoville runs show before --json"};
  }

  Exit run() override {
    const Result<std::string> report = read();
    if (!report) {
      complain(report.error().message);
      return Exit::failed;
    }
    std::fputs(report->c_str(), stdout);
    return Exit::fine;
  }

 private:
  /// Which of them were not measured into this store, and where they came from.
  static void tell_origins(const store::RunStore& store, const std::vector<store::RunInfo>& runs) {
    std::map<std::pair<std::string, std::string>, std::string> ids;  // by bundle and day
    for (const store::RunInfo& each : runs) {
      const Result<json::value> origin = store.document(each.id, "origin");
      if (!origin || !origin->is_object()) continue;
      std::string file;
      Nanos imported{};
      JsonIn in(*origin, "origin");
      in("file", file);
      in("imported_ns", imported);
      std::string& known = ids[{file, utc(imported)}];
      known += (known.empty() ? "" : ", ") + each.id;
    }
    for (const auto& [from, names] : ids) complain(say(Msg::runs_origin, names, from.first, from.second));
  }

  Result<std::string> read() const {
    const Result<store::RunStore> store = store_.open_for_reading();
    if (!store) return store.error();
    Result<std::vector<store::RunInfo>> runs = store->find(name_);
    if (!runs) return runs.error();
    keep_newest_set(*runs, name_);
    for (const store::RunInfo& each : *runs) {
      if (each.kind != "bench" && each.kind != "saturate" && each.kind != "sweep")
        return Error{ErrorCode::invalid_argument, say(Msg::runs_not_bench, each.id, each.kind)};
      if (each.status == store::RunStatus::running) complain(say(Msg::runs_still_running, each.id));
    }
    tell_origins(*store, *runs);
    return runs->size() == 1 && runs->front().set != name_ ? one(*store, runs->front().id) : set(*store, *runs);
  }

  Result<std::string> one(const store::RunStore& store, const std::string& id) const {
    const Result<Measured> run = read_measured(store, id);
    if (!run) return run.error();
    return as_json_ ? pretty(report::bench_json(run->analysis, run->plan, run->shape, run->subject))
                    : report::bench_table(run->analysis, run->plan, run->shape, run->subject);
  }

  /// Runs at one load after the other have no median together: the answer of their search is shown.
  Result<std::string> search_of(const json::value& answer) const {
    const Result<report::SaturationView> view = report::saturation_from(answer);
    if (!view) return view.error();
    return as_json_ ? pretty(report::saturation_json(*view)) : report::saturation_table(*view);
  }

  Result<std::string> set(const store::RunStore& store, const std::vector<store::RunInfo>& runs) const {
    if (runs.front().kind == "saturate") {
      const Result<std::vector<store::Finding>> answers = store.findings(kSaturation, runs.front().set);
      if (!answers) return answers.error();
      if (!answers->empty()) return search_of(answers->front().body);
    }
    if (runs.front().kind == "sweep") return show_sweep(store, runs.front().set, {}, as_json_);
    const Result<report::RunSet> set = read_set(store, name_, runs);
    if (!set) return set.error();
    return as_json_ ? pretty(report::set_json(*set)) : report::set_table(*set);
  }

  StoreOptions store_;
  std::string name_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_show() { return std::make_unique<RunsShow>(); }

}  // namespace scoville::cli
