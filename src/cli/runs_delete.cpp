#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/byte_size.hpp"
#include "cli/external.hpp"
#include "cli/runs.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville runs delete`: all of the runs named, or none of them.
class RunsDelete final : public Command {
 public:
  RunsDelete() {
    parameters_.add(names_positional(names_));
    parameters_.toggle("--yes", Msg::flag_yes, is_sure_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs delete"; }
  Msg summary() const override { return Msg::runs_delete_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs delete 20261130T101530Z-9f3c2a71", "scoville runs delete before after --yes"};
  }

  Exit run() override {
    Result<store::RunStore> store = open_existing(store_);
    if (!store) return failed(store.error());
    const Result<Named> named = find_named(*store, names_);
    if (!named) return failed(named.error());
    for (const store::RunInfo& each : named->runs) {
      if (each.status == store::RunStatus::running)
        return failed({ErrorCode::invalid_argument, say(Msg::store_still_running, each.id)});
    }
    if (!is_sure_ && isatty(STDIN_FILENO) != 1) {
      complain(named->runs.empty() ? say(Msg::external_needs_yes, named->evidence.size())
                                   : say(Msg::runs_needs_yes, named->runs.size()));
      return Exit::usage;
    }
    if (!is_sure_ && !asked(*named)) {
      std::fprintf(stderr, "%s\n", say(Msg::runs_kept).c_str());
      return Exit::fine;
    }
    const Result<std::int64_t> freed = erase(*store, *named);
    if (!freed) return failed(freed.error());
    tell(*named, *freed);
    return Exit::fine;
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return Exit::failed;
  }

  void tell(const Named& named, std::int64_t freed) const {
    if (as_json_) {
      json::object out{{"deleted", ids_of(named.runs)}, {"freed_bytes", freed}};
      if (!named.evidence.empty()) out["external"] = ids_of(named.evidence);
      std::fputs(pretty(out).c_str(), stdout);
      return;
    }
    if (!named.runs.empty())
      std::printf("%s\n", say(Msg::runs_deleted, named.runs.size(), format_byte_size(freed)).c_str());
    if (!named.evidence.empty()) std::printf("%s\n", say(Msg::external_deleted, named.evidence.size()).c_str());
  }

  static bool asked(const Named& named) {
    return (named.runs.empty() || asked_runs(named.runs)) && (named.evidence.empty() || asked_evidence(named.evidence));
  }

  static bool asked_evidence(const std::vector<report::StoredEvidence>& evidence) {
    std::string ids;
    for (const report::StoredEvidence& each : evidence) ids += (ids.empty() ? "" : ", ") + each.id;
    return answers_yes(say(Msg::external_ask_delete, evidence.size(), ids));
  }

  static bool asked_runs(const std::vector<store::RunInfo>& runs) {
    std::int64_t requests = 0;
    std::string ids;
    for (const store::RunInfo& each : runs) {
      requests += each.requests;
      ids += (ids.empty() ? "" : ", ") + each.id;
    }
    return answers_yes(say(Msg::runs_ask_delete, runs.size(), requests, ids));
  }

  static bool answers_yes(const std::string& question) {
    std::fputs(question.c_str(), stderr);
    std::fflush(stderr);
    std::array<char, 16> answer{};
    return std::fgets(answer.data(), answer.size(), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
  }

  /// How much smaller the file is for it.
  static Result<std::int64_t> erase(store::RunStore& store, const Named& named) {
    const Result<std::int64_t> before = store.size();
    if (!before) return before;
    for (const store::RunInfo& each : named.runs) {
      if (const Status erased = store.erase(each.id); !erased) return erased.error();
    }
    std::vector<std::string> evidence;
    for (const report::StoredEvidence& each : named.evidence) evidence.push_back(each.id);
    if (!evidence.empty()) {
      if (const Status erased = store.erase_findings(evidence); !erased) return erased.error();
    }
    const Result<std::int64_t> after = store.size();
    if (!after) return after;
    return *before - *after;
  }

  StoreOptions store_;
  std::vector<std::string> names_;
  bool is_sure_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_delete() { return std::make_unique<RunsDelete>(); }

}  // namespace scoville::cli
