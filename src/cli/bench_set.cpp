#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/run_id.hpp"
#include "cli/bench_run.hpp"
#include "cli/run_set.hpp"
#include "cli/stop.hpp"
#include "report/fingerprint_text.hpp"
#include "report/launch_lines.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// A failed run outweighs one that cannot tell, and that one the others.
Exit worse(Exit a, Exit b) {
  const auto rank = [](Exit exit) { return exit == Exit::failed ? 2 : exit == Exit::fine ? 0 : 1; };
  return rank(a) >= rank(b) ? a : b;
}

std::size_t complete_runs(const report::RunSet& set) {
  return static_cast<std::size_t>(
      std::count_if(set.runs.begin(), set.runs.end(), [](const auto& run) { return !run.was_interrupted; }));
}

/// Of the runs that do not know yet how their engine ended.
std::vector<report::BenchSubject*> open_subjects(report::RunSet& set) {
  std::vector<report::BenchSubject*> out;
  for (report::RunOfSet& each : set.runs) {
    if (each.subject.launch && !each.subject.launch->ending) out.push_back(&each.subject);
  }
  return out;
}

}  // namespace

/// An engine of ours is started anew where that is wanted. One that has ended by itself is not: the set ends with it.
Result<Measured> BenchRun::next_of_set(Session& session, const std::string& set, bool is_first) const {
  if (!is_first && launch && launch->is_wanted() && launch->is_per_run()) {
    if (Status again = session.relaunch(); !again) return again.error();
  }
  return session.measure(set, outputs.shows_progress());
}

/// Runs one after the other on one server, each stored and let go of before the next begins. What keeps a run from
/// being made or stored ends the set; what was measured until then is reported.
Exit BenchRun::measure_set(Session& session) const {
  report::RunSet set{"set-" + new_run_id(), store.tag(), {}};
  Status sound = session.store() ? session.store()->begin_set(set.id, set.tag) : Status(Done{});
  Exit exit = Exit::fine;
  for (std::size_t i = 1; i <= repeats && sound && !stop_requested(); ++i) {
    if (outputs.shows_progress()) std::fprintf(stderr, "%s\n", say(Msg::set_progress, i, repeats).c_str());
    Result<Measured> measured = next_of_set(session, set.id, i == 1);
    if (!measured) {
      sound = measured.error();
      break;
    }
    const std::optional<Error> loss = session.engine_loss();
    if (loss || (launch && launch->is_per_run())) session.end_engine({&measured->subject});
    explain_failures(*measured);
    exit = worse(exit, exit_of(measured->analysis, measured->subject));
    sound = outputs.write_vllm(*measured, load, target);
    if (sound && session.storage_fault())
      sound = Error{ErrorCode::io, say(Msg::store_lost, session.storage_fault()->message)};
    set.runs.push_back(run_of_set(std::move(*measured)));
    if (loss && !report::crashed_in_run(set.runs.back().subject)) sound = *loss;  // else the report tells it
    if (loss) break;
  }
  session.end_engine(open_subjects(set));
  if (!set.runs.empty()) {
    const std::string as_object = pretty(report::set_json(set));
    if (shows_checklist && !as_json)
      std::printf("%s\n", report::checklist_text(set.runs.front().subject.system).c_str());
    std::fputs(as_json ? as_object.c_str() : report::set_table(set).c_str(), stdout);
    if (const Status written = outputs.write_set(as_object); sound && !written) sound = written;
  }
  if (!sound) complain(sound.error().message);
  if (const std::size_t done = complete_runs(set); done < repeats && !set.runs.empty())
    std::fprintf(stderr, "%s\n", say(Msg::set_stopped, done, repeats).c_str());
  if (stop_requested()) return Exit::interrupted;
  return sound ? exit : Exit::failed;
}

}  // namespace scoville::cli
