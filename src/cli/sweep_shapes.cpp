#include "cli/sweep_shapes.hpp"

#include "base/json_fields.hpp"
#include "base/run_id.hpp"
#include "cli/session.hpp"
#include "cli/stop.hpp"
#include "cli/sweep_book.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kUsual = 10;  // of each length

json::object asked_json(std::size_t each, const std::string& run) { return {{"requests", each}, {"run", run}}; }

}  // namespace

Result<report::ShapesView> find_bad_shapes(const SweepOptions& options, std::string& set) {
  const std::vector<std::uint32_t> lengths = options.lengths();
  const std::size_t needed = decide::requests_for_lengths(lengths.size());
  const std::size_t each = options.per_length() ? options.per_length() : std::max(kUsual, needed);
  if (each < needed) return Error{ErrorCode::invalid_argument, say(Msg::shapes_few_requests, lengths.size(), needed)};
  LaunchOptions launch;
  TargetOptions target;
  if (Status settled = options.settle_engine({}, launch, target); !settled) return settled.error();
  Result<std::unique_ptr<LoadOptions>> load = options.load_of_shapes(lengths.size() * each);
  if (!load) return load.error();
  const std::uint32_t answer = (*load)->prompts().output->least().value_or(1);
  (*load)->send_lengths(
      std::make_shared<dataset::Workload>(length_workload(lengths, each, answer, (*load)->prompts().seed)),
      text::phrase(Msg::shapes_prompts, lengths.size()));
  std::optional<LaunchedEngine> engine;
  if (launch.is_wanted()) engine.emplace(launch, target, options.store());
  Result<Session> session =
      Session::open(target, **load, options.store(), options.system(), engine ? &*engine : nullptr);
  if (!session) return session.error();
  session->set_kind("sweep");
  set = session->store() ? "set-" + new_run_id() : "";
  if (session->store()) {
    if (Status begun = session->store()->begin_set(set, options.store().tag()); !begun) return begun.error();
  }
  Result<Measured> measured = session->measure(set, !options.is_quiet());
  session->end_engine({});
  if (!measured) return measured.error();
  if (session->store()) {
    const Status kept =
        session->store()->add_finding({new_run_id(), kShapes, set, {}, asked_json(each, measured->subject.run_id)});
    if (!kept) return kept.error();
  }
  return shapes_of(*measured, each);
}

Result<std::optional<report::ShapesView>> stored_shapes(const store::RunStore& store, const std::string& set) {
  const Result<std::vector<store::Finding>> found = store.findings(kShapes, set);
  if (!found) return found.error();
  if (found->empty()) return std::optional<report::ShapesView>();
  std::size_t each = 0;
  std::string run;
  JsonIn in(found->front().body, "shapes");
  in("requests", each);
  in("run", run);
  if (!in.status()) return in.status().error();
  const Result<Measured> measured = read_measured(store, run);
  if (!measured) return measured.error();
  return std::optional(shapes_of(*measured, each));
}

}  // namespace scoville::cli
