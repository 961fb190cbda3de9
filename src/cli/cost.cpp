#include <cstdio>

#include "cli/cost_perf.hpp"
#include "cli/runs.hpp"
#include "report/cost.hpp"
#include "text/catalogue/cost.hpp"

namespace scoville::cli {
namespace {

using text::CostMsg;
using text::Msg;
using text::say;

/// The study of a file: at its top, or under the key `tco`.
Result<cost::Study> read_file(const std::string& path) {
  const Result<config::Node> root = config::Node::load(path);
  if (!root) return root.error();
  const config::Node nested = root->maybe_map("tco");
  return root->finish(cost::read_study(nested.exists() ? nested : *root));
}

bool has_links(const cost::Study& study) {
  for (const cost::Option& each : study.options) {
    if (each.perf.link) return true;
  }
  return false;
}

/// `scoville cost`: what a token costs, by each of the things that could be done.
class CostCommand final : public Command {
 public:
  CostCommand() {
    parameters_.add(plain_positional("FILE", CostMsg::word_file, file_));
    parameters_.toggle("--detail", CostMsg::flag_detail, has_detail_);
    parameters_.choice("--fail-on", CostMsg::flag_fail_on, {"not-resolved"}, "",
                       [this](std::size_t) { fails_unresolved_ = true; });
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "cost"; }
  Msg summary() const override { return CostMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville cost study.yaml", "scoville cost study.yaml --detail --lang zh",
            "scoville cost study.yaml --json --fail-on not-resolved"};
  }

  Exit run() override {
    Result<cost::Study> study = read_file(file_);
    if (!study) return failed(study.error());
    if (Status linked = link(*study); !linked) return failed(linked.error());
    const Result<cost::Outcome> outcome = cost::work_out(*study);
    if (!outcome) return failed(outcome.error());
    if (as_json_) std::fputs(pretty(report::cost_json(*outcome)).c_str(), stdout);
    if (!outcome->is_complete()) {
      std::fputs(("scoville: " + report::cost_missing(*outcome)).c_str(), stderr);
      return Exit::usage;
    }
    if (!as_json_) std::fputs(report::cost_table(*outcome, has_detail_).c_str(), stdout);
    return exit_of(*outcome);
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  Status link(cost::Study& study) const {
    if (!has_links(study)) return Done{};
    Result<store::RunStore> store = open_existing(store_);
    if (!store) return store.error();
    return link_perf(*store, study);
  }

  Exit exit_of(const cost::Outcome& outcome) const {
    if (!fails_unresolved_) return Exit::fine;
    for (const cost::PairOutcome& each : outcome.pairs) {
      if (each.saving.verdict == cost::Verdict::not_resolved) return Exit::cannot_tell;
    }
    return Exit::fine;
  }

  StoreOptions store_;
  std::string file_;
  bool has_detail_ = false, fails_unresolved_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cost() { return std::make_unique<CostCommand>(); }

}  // namespace scoville::cli
