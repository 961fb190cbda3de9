#include "cli/bench_run.hpp"

#include <cstdio>

#include "cli/stop.hpp"
#include "report/bench_report.hpp"
#include "report/launch_lines.hpp"
#include "report/words.hpp"

namespace scoville::cli {
using text::Msg;
using text::say;

/// The first failure in the server's own words: a count alone does not tell what to mend.
void BenchRun::explain_failures(const Measured& measured) const {
  if (measured.analysis.succeeded == measured.analysis.attempted) return;
  for (const event::RequestRecord& record : measured.result.records) {
    if (record.succeeded() || record.failure == event::Failure::aborted) continue;
    const std::string words = record.error_message.empty() ? report::describe(record.failure) : record.error_message;
    complain(say(Msg::first_failure, record.index, event::name_of(record.failure), words));
    return;
  }
}

Exit BenchRun::exit_of(const analyse::Analysis& analysis, const report::BenchSubject& subject) const {
  if (report::crashed_in_run(subject)) return Exit::failed;
  const bool ran_out = analysis.failed[static_cast<std::size_t>(event::Failure::client_resource)] > 0;
  if (analysis.succeeded == 0 || ran_out) return Exit::failed;
  if (fails_on_instrument && analysis.instrument.verdict == analyse::Verdict::bottleneck) return Exit::cannot_tell;
  return Exit::fine;
}

Exit BenchRun::run() const {
  catch_stop_signals();
  if (const Status writable = outputs.prepare(); !writable) {
    complain(writable.error().message);
    return Exit::usage;
  }
  std::optional<LaunchedEngine> engine;  // ends with this function, whatever happens
  if (launch && launch->is_wanted()) engine.emplace(*launch, target, store);
  Result<Session> session = Session::open(target, load, store, system, engine ? &*engine : nullptr);
  if (!session) {
    complain(session.error().message);
    if (stop_requested()) return Exit::interrupted;
    return session.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }
  session->set_price(price.price(), price.devices());
  load.plan().keeps_text = outputs.keeps_text();
  if (!load.plan().has_schedule() && load.plan().max_concurrency == 0) {
    std::fprintf(stderr, "%s\n", say(Msg::doubt_no_schedule, load.plan().num_prompts).c_str());
  }
  return repeats > 1 ? measure_set(*session) : measure_one(*session);
}

Exit BenchRun::measure_one(Session& session) const {
  Result<Measured> measured = session.measure("", outputs.shows_progress());
  if (!measured) {
    complain(measured.error().message);
    return stop_requested() ? Exit::interrupted : Exit::failed;
  }
  session.end_engine({&measured->subject});
  const std::string as_object =
      pretty(report::bench_json(measured->analysis, measured->plan, measured->shape, measured->subject));
  std::fputs(as_json
                 ? as_object.c_str()
                 : report::bench_table(measured->analysis, measured->plan, measured->shape, measured->subject).c_str(),
             stdout);
  const Status written = outputs.write(*measured, load, target, as_object);
  if (!written) {
    complain(written.error().message);
    return Exit::failed;
  }
  explain_failures(*measured);
  if (session.storage_fault()) {
    complain(say(Msg::store_lost, session.storage_fault()->message));
    return Exit::failed;
  }
  if (stop_requested()) return Exit::interrupted;
  return exit_of(measured->analysis, measured->subject);
}

}  // namespace scoville::cli
