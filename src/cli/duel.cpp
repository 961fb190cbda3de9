#include <array>
#include <cstdio>

#include "base/run_id.hpp"
#include "cli/arms.hpp"
#include "cli/compare_options.hpp"
#include "cli/load_options.hpp"
#include "cli/runs.hpp"
#include "cli/session.hpp"
#include "cli/stop.hpp"
#include "cli/store_options.hpp"
#include "cli/system_options.hpp"
#include "cli/target_options.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// What is said to one endpoint only.
struct Side {
  std::string url, set;
  TargetOptions target;
  StoreOptions store;
  std::optional<Session> session;
  decide::Arm arm;
};

/// `scoville duel`: pairs of runs, A B, B A, A B, …: whatever drifts on the machine meets both.
class Duel final : public Command {
 public:
  Duel() {
    parameters_.add(plain_positional("A", Msg::duel_word_a, url_a_));
    parameters_.add(plain_positional("B", Msg::duel_word_b, url_b_));
    target_.declare_beside_url(parameters_);
    parameters_.text("--b-model", "NAME", Msg::duel_flag_b_model, b_model_);
    parameters_.under(Group::system);
    system_.declare(parameters_);
    b_system_.declare_for_b(parameters_);
    load_.declare(parameters_);
    parameters_.under(Group::load);
    parameters_.count("--pairs", Msg::duel_flag_pairs, pairs_, 2, 100);
    parameters_.under(Group::output);
    options_.declare(parameters_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare_for_writing(parameters_);
    parameters_.toggle("--disable-tqdm", Msg::flag_disable_tqdm, is_quiet_);
  }

  std::string name() const override { return "duel"; }
  Msg summary() const override { return Msg::duel_summary; }
  std::vector<std::string> examples() const override {
    return {
        "scoville duel http://gpu01:8000 http://gpu02:8000 --max-concurrency 16 --num-prompts 200 --ignore-eos",
        "scoville duel http://127.0.0.1:8000 http://127.0.0.1:8001 --request-rate 20 --subject engine --tag v9-v10"};
  }

  Exit run() override {
    catch_stop_signals();
    for (const Status& settled : {settle_sides(), system_.settle(), b_system_.settle(), load_.settle(),
                                  options_.check_family(decide::Design::paired, 1, pairs_)}) {
      if (settled) continue;
      complain(settled.error().message);
      return Exit::usage;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (const Status open = open_side(sides_[i], i == 0 ? system_ : b_system_); !open) {
        complain(open.error().message);
        if (stop_requested()) return Exit::interrupted;
        return open.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
      }
    }
    if (const std::optional<Exit> refused = refuse_early()) return *refused;
    const Status measured = measure_pairs();
    if (!measured && measured.error().code != ErrorCode::aborted) complain(measured.error().message);
    return report(measured.ok());
  }

 private:
  Status settle_sides() {
    sides_[0].url = url_a_;
    sides_[1].url = url_b_;
    for (std::size_t i = 0; i < 2; ++i) {
      Side& side = sides_[i];
      side.target = target_;
      side.target.set_base_url(side.url);
      if (i == 1 && !b_model_.empty()) side.target.set_model(b_model_);
      if (Status settled = side.target.settle(); !settled) return settled;
      side.store = store_;
      if (!store_.tag().empty()) side.store.set_tag(store_.tag() + (i == 0 ? "-a" : "-b"));
      side.arm.name = i == 0 ? "A" : "B";
    }
    return Done{};
  }

  Status open_side(Side& side, const SystemOptions& system) {
    Result<Session> session = Session::open(side.target, load_, side.store, system);
    if (!session) return std::move(session.error()).within(side.arm.name);
    side.session.emplace(std::move(*session));
    return Done{};
  }

  Status begin_sets() {
    for (Side& side : sides_) {
      side.set = "set-" + new_run_id();
      store::RunStore* const store = side.session->store();
      if (Status begun = store ? store->begin_set(side.set, side.store.tag()) : Status(Done{}); !begun) return begun;
    }
    return Done{};
  }

  /// What is known to be no comparison is not measured: the gate, as far as it needs no runs.
  std::optional<Exit> refuse_early() {
    for (Side& side : sides_) side.arm.setup = setup_of(side.session->prepared());
    const Result<report::CompareView> view =
        options_.compare({sides_[0].arm, sides_[1].arm}, decide::Design::paired, sides_[0].session->store());
    if (!view) {
      complain(view.error().message);
      return view.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    if (view->comparisons.front().gate.result != decide::GateResult::refuse) return std::nullopt;
    print(*view);
    return Exit::gate;
  }

  void print(const report::CompareView& view) const {
    if (as_json_) {
      std::fputs(pretty(report::comparison_json(view)).c_str(), stdout);
      return;
    }
    std::printf("%s\n%s", say(Msg::duel_names, sides_[0].url, sides_[1].url).c_str(),
                report::comparison_table(view).c_str());
  }

  Status measure_one(Side& side, std::size_t pair) {
    if (!is_quiet_) std::fprintf(stderr, "%s\n", say(Msg::duel_progress, pair + 1, pairs_, side.arm.name).c_str());
    Result<Measured> measured = side.session->measure(side.set, !is_quiet_);
    if (!measured) return std::move(measured.error()).within(side.arm.name);
    if (measured->result.was_interrupted) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
    side.arm.runs.push_back(arm_run_of(*measured));
    if (side.session->storage_fault())
      return Error{ErrorCode::io, say(Msg::store_lost, side.session->storage_fault()->message)};
    return Done{};
  }

  /// A B, B A, …: what stops it leaves the pairs that are complete.
  Status measure_pairs() {
    if (Status begun = begin_sets(); !begun) return begun;
    for (std::size_t pair = 0; pair < pairs_ && !stop_requested(); ++pair) {
      for (const std::size_t turn : {pair % 2, 1 - pair % 2}) {
        if (Status measured = measure_one(sides_[turn], pair); !measured) return measured;
        if (stop_requested()) return Done{};
      }
    }
    return Done{};
  }

  Exit report(bool is_sound) {
    const std::size_t complete = std::min(sides_[0].arm.runs.size(), sides_[1].arm.runs.size());
    const Exit otherwise = stop_requested() ? Exit::interrupted : Exit::failed;
    if (complete == 0) {
      complain(say(Msg::duel_stopped, complete, pairs_));
      return otherwise;
    }
    for (Side& side : sides_) side.arm.runs.resize(complete);
    const store::RunStore* const store = sides_[0].session->store();
    Result<report::CompareView> view = options_.compare({sides_[0].arm, sides_[1].arm}, decide::Design::paired, store);
    if (!view) {
      complain(view.error().message);
      return Exit::failed;
    }
    if (complete < pairs_)
      view->warnings.push_back(dataset::make_warning("duel_stopped", Msg::duel_stopped, complete, pairs_));
    print(*view);
    if (!as_json_ && store)
      std::printf("%s\n", say(Msg::duel_stored, stored_name(sides_[0]), stored_name(sides_[1])).c_str());
    return complete < pairs_ || !is_sound ? otherwise : options_.exit_of(*view);
  }

  static const std::string& stored_name(const Side& side) {
    return side.store.tag().empty() ? side.set : side.store.tag();
  }

  std::string url_a_, url_b_, b_model_;
  TargetOptions target_;
  SystemOptions system_, b_system_;
  LoadOptions load_;
  StoreOptions store_;
  CompareOptions options_;
  std::array<Side, 2> sides_;
  std::size_t pairs_ = 8;
  bool as_json_ = false, is_quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_duel() { return std::make_unique<Duel>(); }

}  // namespace scoville::cli
