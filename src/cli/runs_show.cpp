#include <cstdio>
#include <map>

#include "base/json_fields.hpp"
#include "cli/external.hpp"
#include "cli/run_set.hpp"
#include "cli/runs.hpp"
#include "cli/sweep_show.hpp"
#include "report/saturation.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville runs show`: the report that the run, or the set, printed when it was measured; external evidence alone, or
/// beside one of ours.
class RunsShow final : public Command {
 public:
  RunsShow() {
    Positional names = names_positional(names_);
    names.help = Msg::external_word_show;
    parameters_.add(std::move(names));
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs show"; }
  Msg summary() const override { return Msg::external_show_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs show 20261130T101530Z-9f3c2a71", "scoville runs show before --json",
            "scoville runs show before theirs"};
  }

  Exit run() override {
    const Result<std::string> report = read();
    if (!report) {
      complain(report.error().message);
      return names_.size() > 1 && report.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
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
    std::vector<report::StoredEvidence> evidence;
    std::vector<store::RunInfo> runs;
    std::string ours;
    for (const std::string& name : names_) {
      Result<Named> found = find_named(*store, {name});
      if (!found) return found.error();
      for (report::StoredEvidence& each : found->evidence) evidence.push_back(std::move(each));
      if (found->runs.empty()) continue;
      if (!runs.empty()) return Error{ErrorCode::invalid_argument, say(Msg::external_show_one_ours, ours, name)};
      runs = std::move(found->runs);
      ours = name;
    }
    if (const Status fits = prepare(*store, runs, ours); !fits) return fits.error();
    if (!evidence.empty()) return beside(*store, runs, ours, evidence);
    return runs.size() == 1 && runs.front().set != ours ? one(*store, runs.front().id) : set(*store, ours, runs);
  }

  /// Of a tag's sets the newest; only runs that have a report.
  static Status prepare(const store::RunStore& store, std::vector<store::RunInfo>& runs, const std::string& name) {
    if (runs.empty()) return Done{};
    keep_newest_set(runs, name);
    for (const store::RunInfo& each : runs) {
      if (each.kind != "bench" && each.kind != "saturate" && each.kind != "sweep")
        return Error{ErrorCode::invalid_argument, say(Msg::runs_not_bench, each.id, each.kind)};
      if (each.status == store::RunStatus::running) complain(say(Msg::runs_still_running, each.id));
    }
    tell_origins(store, runs);
    return Done{};
  }

  Result<std::string> beside(const store::RunStore& store, const std::vector<store::RunInfo>& runs,
                             const std::string& name, const std::vector<report::StoredEvidence>& evidence) const {
    if (runs.empty() && evidence.size() == 1)
      return as_json_ ? pretty(report::external_json(evidence.front())) : report::external_table(evidence.front());
    std::optional<report::OwnFigures> ours;
    if (!runs.empty()) {
      const Result<report::RunSet> set = read_set(store, name, runs);
      if (!set) return set.error();
      std::vector<const report::RunOfSet*> all;
      for (const report::RunOfSet& each : set->runs) all.push_back(&each);
      ours = report::own_figures(name, all);
    }
    return as_json_ ? pretty(report::beside_json(ours, evidence)) : report::beside_table(ours, evidence);
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

  Result<std::string> set(const store::RunStore& store, const std::string& name,
                          const std::vector<store::RunInfo>& runs) const {
    if (runs.front().kind == "saturate") {
      const Result<std::vector<store::Finding>> answers = store.findings(kSaturation, runs.front().set);
      if (!answers) return answers.error();
      if (!answers->empty()) return search_of(answers->front().body);
    }
    if (runs.front().kind == "sweep") return show_sweep(store, runs.front().set, {}, as_json_);
    const Result<report::RunSet> set = read_set(store, name, runs);
    if (!set) return set.error();
    return as_json_ ? pretty(report::set_json(*set)) : report::set_table(*set);
  }

  StoreOptions store_;
  std::vector<std::string> names_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_show() { return std::make_unique<RunsShow>(); }

}  // namespace scoville::cli
