#include "cli/bench_run.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file.hpp"
#include "cli/session.hpp"
#include "cli/stop.hpp"
#include "report/bench_report.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// Whether the JSON will find its place: known before the run, not after it.
Status can_write(const std::string& path) {
  if (path.empty()) return Done{};
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(folder.c_str(), W_OK) == 0) return Done{};
  return Error{ErrorCode::io, say(Msg::cannot_write, "--output", path, std::strerror(errno))};
}

/// The first failure in the server's own words: a count alone does not tell what to mend.
void explain_failures(const run::RunResult& result) {
  for (const event::RequestRecord& record : result.records) {
    if (record.succeeded() || record.failure == event::Failure::aborted) continue;
    complain(say(Msg::first_failure, record.index, event::name_of(record.failure), record.error_message));
    return;
  }
}

Exit exit_of(const analyse::Analysis& analysis, bool fails_on_instrument) {
  const bool ran_out = analysis.failed[static_cast<std::size_t>(event::Failure::client_resource)] > 0;
  if (analysis.succeeded == 0 || ran_out) return Exit::failed;
  if (fails_on_instrument && analysis.instrument.verdict == analyse::Verdict::bottleneck) return Exit::cannot_tell;
  return Exit::fine;
}

}  // namespace

Exit BenchRun::run() const {
  catch_stop_signals();
  if (const Status writable = can_write(output_file); !writable) {
    complain(writable.error().message);
    return Exit::usage;
  }
  Result<Session> session = Session::open(target, load, store);
  if (!session) {
    complain(session.error().message);
    if (stop_requested()) return Exit::interrupted;
    return session.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }
  if (!load.plan().has_schedule() && load.plan().max_concurrency == 0) {
    std::fprintf(stderr, "%s\n", say(Msg::doubt_no_schedule, load.plan().num_prompts).c_str());
  }
  const Result<Measured> measured = session->measure("");
  if (!measured) {
    complain(measured.error().message);
    return stop_requested() ? Exit::interrupted : Exit::failed;
  }
  const std::string as_object =
      pretty(report::bench_json(measured->analysis, measured->plan, measured->shape, measured->subject));
  std::fputs(as_json
                 ? as_object.c_str()
                 : report::bench_table(measured->analysis, measured->plan, measured->shape, measured->subject).c_str(),
             stdout);
  if (!output_file.empty()) {
    if (const Status written = write_file(output_file, as_object); !written) {
      complain(written.error().message);
      return Exit::failed;
    }
  }
  if (measured->analysis.succeeded < measured->analysis.attempted) explain_failures(measured->result);
  if (session->storage_fault()) {
    complain(say(Msg::store_lost, session->storage_fault()->message));
    return Exit::failed;
  }
  if (stop_requested()) return Exit::interrupted;
  return exit_of(measured->analysis, fails_on_instrument);
}

}  // namespace scoville::cli
