#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/file.hpp"
#include "base/run_id.hpp"
#include "cli/command.hpp"
#include "cli/evaluation_gather.hpp"
#include "cli/evaluation_record.hpp"
#include "cli/evaluation_run.hpp"
#include "cli/runs.hpp"
#include "cli/stop.hpp"
#include "report/evaluation.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using evaluate::Record;
using text::EvaluateMsg;
using text::Msg;
using text::say;

/// The language of what is said while it lives.
class InLanguage {
 public:
  explicit InLanguage(text::Language language) : before_(text::language()) { text::set_language(language); }
  ~InLanguage() { text::set_language(before_); }
  InLanguage(const InLanguage&) = delete;
  InLanguage& operator=(const InLanguage&) = delete;

 private:
  text::Language before_;
};

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(now));
}

/// `scoville evaluate`: from a plan to a decision.
class Evaluate final : public Command {
 public:
  Evaluate() {
    parameters_.add(plain_positional("PLAN", EvaluateMsg::word_plan, file_));
    parameters_.toggle("--plan-only", EvaluateMsg::flag_plan_only, only_plans_);
    parameters_.toggle("--dry", EvaluateMsg::flag_dry, is_dry_);
    parameters_.text("--out", "DIR", EvaluateMsg::flag_out, folder_);
    parameters_.add({"--date", "DATE", EvaluateMsg::flag_date, "", [this](std::string_view given) -> Status {
                       if (!config::is_date(given))
                         return Error{ErrorCode::invalid_argument, say(EvaluateMsg::expected_date)};
                       date_ = given;
                       return Done{};
                     }});
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
    parameters_.toggle("--disable-tqdm", Msg::flag_disable_tqdm, is_quiet_);
  }

  std::string name() const override { return "evaluate"; }
  Msg summary() const override { return EvaluateMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville evaluate init --who own-infrastructure -o plan.yaml", "scoville evaluate plan.yaml --plan-only",
            "scoville evaluate plan.yaml --dry", "scoville evaluate plan.yaml --lang zh"};
  }

  Exit run() override {
    catch_stop_signals();
    Result<EvaluationPlan> input = read_evaluation(file_);
    if (!input) return failed(input.error());
    if (is_dry_) input->plan = evaluate::rehearsal_of(std::move(input->plan));
    const evaluate::Agenda agenda = evaluate::make_agenda(input->plan);
    if (only_plans_) return show_agenda(input->plan, agenda);
    if (folder_.empty()) folder_ = "evaluation-" + input->plan.name + (is_dry_ ? "-dry" : "");
    const Result<std::string> file = is_dry_ ? Result<std::string>(folder_ + "/dry.db") : store_.path();
    if (!file) return failed(file.error());
    Result<Record> record = measure(*input, agenda, *file);
    if (!record) return stop_requested() ? interrupted(record.error()) : failed(record.error());
    if (const Status kept = keep(*record, *file); !kept) return failed(kept.error());
    print(*record);
    return exit_of(*record);
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }
  static Exit interrupted(const Error& error) {
    complain(error.message);
    return Exit::interrupted;
  }

  Exit show_agenda(const evaluate::Plan& plan, const evaluate::Agenda& agenda) const {
    std::fputs(as_json_ ? pretty(report::agenda_json(plan, agenda)).c_str() : report::agenda_text(plan, agenda).c_str(),
               stdout);
    return Exit::fine;
  }

  Result<Record> measure(const EvaluationPlan& input, const evaluate::Agenda& agenda, const std::string& file) {
    EvaluationEngines engines(input.plan, store_, is_dry_);
    EvaluationRun run(input.plan, agenda, engines, folder_, file);
    if (Status open = run.open(); !open) return open.error();
    Result<store::RunStore> store = store::RunStore::open(file);
    if (!store) return store.error();
    if (Status ran = run.run(!is_quiet_); !ran) return ran.error();
    const std::string date = date_.empty() ? today() : date_;
    Result<Record> record = make_record(input, *store, store_, agenda, run.journal(), date, is_dry_);
    if (!record) return record;
    if (Status noted = note_unsound(*record, run); !noted) return noted.error();
    record->journal = run.journal();
    return record;
  }

  /// Where our own client was the bottleneck nothing is learnt of the systems: the step is done again the next time.
  static Status note_unsound(const Record& record, EvaluationRun& run) {
    for (const evaluate::Serving& each : record.findings.serving) {
      if (!each.comparison) continue;
      const std::vector<std::string>& refused = each.comparison->gate.refused;
      if (std::find(refused.begin(), refused.end(), "runs.instrument") == refused.end()) continue;
      for (const evaluate::Step& step : record.agenda.steps) {
        if (step.workload != each.workload || (step.candidate != each.candidate && !step.candidate.empty())) continue;
        if (Status noted = run.redo(step, evaluate::kClientBottleneck); !noted) return noted;
      }
    }
    return Done{};
  }

  /// The record and the page, both in both languages; the record in the store as well.
  Status keep(Record& record, const std::string& file) const {
    const json::object body = in_english(record);
    if (Status written = write_file(folder_ + "/decision.json", pretty(body)); !written) return written;
    for (const auto& [language, ending] :
         {std::pair(text::Language::english, "en"), std::pair(text::Language::chinese, "zh")}) {
      const InLanguage speaking(language);
      evaluate::decide_all(record);
      const report::Page page = report::manager_page(record);
      const std::string name = fmt::format("{}/page.{}", folder_, ending);
      if (Status written = write_file(name + ".md", report::page_markdown(page)); !written) return written;
      if (Status written = write_file(name + ".html", report::page_html(page)); !written) return written;
    }
    if (is_dry_) return Done{};
    Result<store::RunStore> store = store::RunStore::open(file);
    if (!store) return store.error();
    return store->add_finding({new_run_id(), "decision", record.plan.name, {}, body});
  }

  /// Machine output, whatever is spoken.
  static json::object in_english(Record& record) {
    const InLanguage english(text::Language::english);
    evaluate::decide_all(record);
    return report::evaluation_json(record);
  }

  void print(Record& record) const {
    if (as_json_) {
      std::fputs(pretty(in_english(record)).c_str(), stdout);
      return;
    }
    evaluate::decide_all(record);
    std::printf("%s\n%s\n", report::evaluation_text(record).c_str(), say(EvaluateMsg::written, folder_).c_str());
  }

  static Exit exit_of(const Record& record) {
    const evaluate::CandidateRecord* const best = record.best();
    if (best) {
      if (best->matrix.overall == matrix::Overall::reject) return Exit::gate;
      return best->matrix.overall == matrix::Overall::hold ? Exit::cannot_tell : Exit::fine;
    }
    for (const evaluate::Serving& each : record.findings.serving) {
      if (each.base) return Exit::fine;
    }
    return Exit::failed;  // a baseline of nothing
  }

  StoreOptions store_;
  std::string file_, folder_, date_;
  bool only_plans_ = false, is_dry_ = false, as_json_ = false, is_quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_evaluate() { return std::make_unique<Evaluate>(); }

}  // namespace scoville::cli
