#include <algorithm>
#include <cstdio>

#include "base/run_id.hpp"
#include "cli/command.hpp"
#include "cli/runs.hpp"
#include "cli/stop.hpp"
#include "cli/sweep_run.hpp"
#include "cli/sweep_shapes.hpp"
#include "cli/sweep_show.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville sweep`: a grid of loads and engine settings, or of prompt lengths.
class Sweep final : public Command {
 public:
  Sweep() { options_.declare(parameters_); }

  std::string name() const override { return "sweep"; }
  Msg summary() const override { return Msg::sweep_summary; }
  std::vector<std::string> examples() const override {
    return {
        "scoville sweep --base-url http://127.0.0.1:8000 --vary concurrency=1:64:x2 --at-user-rate 20,50 --ignore-eos",
        "scoville sweep --base-url http://127.0.0.1:8000 --vary rate=1,2,4 --vary input-len=128,1024 --repeats 3",
        "scoville sweep --launch-preset vllm --model Qwen/Qwen3-8B --vary-launch dtype=bfloat16,float16 "
        "--vary-launch tp=1,2 --vary concurrency=1:64:x4",
        "scoville sweep --launch 'llama-server -m model.gguf --port {port} -b {batch}' --vary-launch batch=256,2048 "
        "--vary concurrency=1,4",
        "scoville sweep --resume last",
        "scoville sweep --find-bad-shapes --base-url http://127.0.0.1:8000"};
  }

  Exit run() override {
    catch_stop_signals();
    if (options_.launch().lists_presets()) {
      std::fputs(options_.as_json() ? pretty(preset_json()).c_str() : preset_table().c_str(), stdout);
      return Exit::fine;
    }
    if (!options_.show().empty()) return show();
    std::optional<SweepBook> begun;
    if (const Status fits = options_.check_resume(); !fits) return failed(fits.error());
    if (!options_.resume().empty()) {
      Result<SweepBook> found = find();
      if (!found) return failed(found.error());
      begun.emplace(std::move(*found));
      if (const Status same = options_.go_on_with(begun->plan(), begun->set()); !same) return failed(same.error());
    }
    if (const Status settled = options_.settle(); !settled) return failed(settled.error(), Exit::usage);
    if (options_.finds_bad_shapes()) return find_shapes();
    if (begun && !is_same(begun->plan(), options_.plan()))
      return failed({ErrorCode::invalid_argument, say(Msg::sweep_other_plan, begun->set())});
    return measure(begun ? std::move(*begun) : SweepBook(options_.plan()), begun.has_value());
  }

 private:
  static Exit failed(const Error& error, Exit exit = Exit::failed) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : exit;
  }

  static bool is_same(SweepPlan a, SweepPlan b) {
    a.at = b.at = {};
    a.options = b.options = {};
    return to_json(a) == to_json(b);
  }

  Exit show() const {
    const Result<store::RunStore> store = options_.store().open_for_reading();
    if (!store) return failed(store.error());
    const Result<std::string> report = show_sweep(*store, options_.show(), options_.at(), options_.as_json());
    if (!report) return failed(report.error());
    std::fputs(report->c_str(), stdout);
    return Exit::fine;
  }

  Result<SweepBook> find() const {
    const Result<store::RunStore> store = options_.store().open_for_reading();
    if (!store) return store.error();
    return SweepBook::open(*store, options_.resume());
  }

  Exit find_shapes() const {
    std::string set;
    const Result<report::ShapesView> view = find_bad_shapes(options_, set);
    if (!view) return stop_requested() ? Exit::interrupted : failed(view.error());
    std::fputs(options_.as_json() ? pretty(report::shapes_json(*view)).c_str() : report::shapes_table(*view).c_str(),
               stdout);
    if (!options_.as_json() && !set.empty()) std::printf("%s\n", say(Msg::sweep_stored, set).c_str());
    if (stop_requested()) return Exit::interrupted;
    return view->lengths.empty() ? Exit::failed : view->is_client_limited ? Exit::cannot_tell : Exit::fine;
  }

  Exit measure(SweepBook book, bool is_begun) {
    std::optional<store::RunStore> store;
    if (options_.store().keeps()) {
      Result<store::RunStore> opened = options_.store().open();
      if (!opened) return failed(opened.error());
      store.emplace(std::move(*opened));
    }
    if (!is_begun && store) {
      book.set_set("set-" + new_run_id());
      if (const Status begun = store->begin_set(book.set(), options_.store().tag()); !begun)
        return failed(begun.error());
      if (const Status begun = SweepBook::begin(*store, book.set(), book.plan()); !begun) return failed(begun.error());
    }
    if (is_begun && !options_.is_quiet())
      std::fprintf(stderr, "%s\n", say(Msg::sweep_already, book.done(), book.plan().order.size()).c_str());
    const Status sound = SweepRun(options_, book, store ? &*store : nullptr).run();
    if (!sound && sound.error().code != ErrorCode::aborted) complain(sound.error().message);
    return report(book, store ? &*store : nullptr, sound);
  }

  Exit report(const SweepBook& book, const store::RunStore* store, const Status& sound) const {
    const bool is_usage = !sound && sound.error().code == ErrorCode::invalid_argument;
    if (book.done() == 0 && !sound) return stop_requested() ? Exit::interrupted : is_usage ? Exit::usage : Exit::failed;
    const Result<report::SweepView> view = book.view(store, options_.at());
    if (!view) return failed(view.error());
    std::fputs(options_.as_json() ? pretty(report::sweep_json(*view)).c_str() : report::sweep_table(*view).c_str(),
               stdout);
    if (!options_.as_json() && store) std::printf("%s\n", say(Msg::sweep_stored, book.set()).c_str());
    const std::size_t all = book.plan().order.size();
    if (book.done() < all && store)
      std::fprintf(stderr, "%s\n", say(Msg::sweep_go_on, book.done(), all, book.set()).c_str());
    if (stop_requested()) return Exit::interrupted;
    return sound && has_success(*view) ? Exit::fine : Exit::failed;
  }

  static bool has_success(const report::SweepView& view) {
    return std::any_of(view.points.begin(), view.points.end(), [](const decide::SweepPoint& point) {
      return std::any_of(point.runs.begin(), point.runs.end(),
                         [](const decide::SweepRun& run) { return run.failed < run.attempted; });
    });
  }

  SweepOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_sweep() { return std::make_unique<Sweep>(); }

}  // namespace scoville::cli
