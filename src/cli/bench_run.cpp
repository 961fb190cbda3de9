#include "cli/bench_run.hpp"

#include <cstdio>

#include "base/run_id.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "report/bench_report.hpp"
#include "run/runner.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

std::string in_english(const dataset::PromptSource& prompts) {
  const text::Language spoken = text::language();
  text::set_language(text::Language::english);
  std::string out = prompts.describe();
  text::set_language(spoken);
  return out;
}

/// The first failure in the server's own words: a count alone does not tell what to mend.
void explain_failures(const run::RunResult& result) {
  for (const event::RequestRecord& record : result.records) {
    if (record.succeeded() || record.failure == event::Failure::aborted) continue;
    complain(say(Msg::first_failure, record.index, event::name_of(record.failure), record.error_message));
    return;
  }
}

Result<run::PreflightOptions> preflight_options(const TargetOptions& target, const LoadOptions& load) {
  Result<wire::Url> base = target.base();
  if (!base) return base.error();
  run::PreflightOptions options;
  options.base = *base;
  options.endpoint = target.endpoint();
  options.wire = target.wire;
  options.shape = target.shape;
  options.shape.max_tokens = load.default_max_tokens();
  options.timeouts = target.timeouts;
  options.prompts = load.prompts();
  options.ready_timeout = target.ready_timeout;
  options.waits_for_connection = target.waits_for_connection;
  return options;
}

report::BenchSubject subject_of(const run::ReadyServer& server, const run::RunResult& result, const LoadOptions& load,
                                std::string dataset) {
  report::BenchSubject subject;
  subject.run_id = new_run_id();
  subject.url = server.target.url.to_string();
  subject.peer = server.target.address.to_string();
  subject.dataset = std::move(dataset);
  subject.token_method = server.token_method;
  subject.prompt_length_is_exact = server.prompt_length_is_exact;
  subject.dataset_hash = server.prompts->dataset_hash();
  subject.seed = load.prompts().seed;
  subject.anchor = result.anchor;
  subject.warnings = server.warnings;
  if (server.target.dns_took > Nanos::zero()) subject.dns = server.target.dns_took;
  return subject;
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
  if (const Status writable = outputs.prepare(); !writable) {
    complain(writable.error().message);
    return Exit::usage;
  }
  const auto dialect = load::make_dialect(target.shape.dialect);
  Result<run::PreflightOptions> options = preflight_options(target, load);
  if (!options) {
    complain(options.error().message);
    return Exit::usage;
  }
  auto server =
      run::get_ready(*options, *dialect, stop_requested(), [](const std::string& sentence) { complain(sentence); });
  if (!server) {
    complain(server.error().message);
    if (stop_requested()) return Exit::interrupted;
    return server.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  load.plan().timeouts = target.timeouts;
  load.plan().keeps_text = outputs.keeps_text();
  if (!load.plan().has_schedule() && load.plan().max_concurrency == 0) {
    std::fprintf(stderr, "%s\n", say(Msg::doubt_no_schedule, load.plan().num_prompts).c_str());
  }
  Result<run::RunResult> result = [&] {
    ProgressLine progress(load.plan());
    return run::run_load({server->target, *dialect, server->shape, load.plan(), *server->prompts}, stop_requested(),
                         [&](const run::Progress& at) {
                           if (outputs.shows_progress()) progress.show(at);
                         });
  }();
  if (!result) {
    complain(result.error().message);
    return Exit::failed;
  }
  if (result->records.empty()) {
    complain(say(Msg::run_stopped));
    return stop_requested() ? Exit::interrupted : Exit::failed;
  }

  analyse::AnalysisOptions analysis_options = load.analysis();
  analysis_options.fixed_prompt_tokens = server->fixed_prompt_tokens;
  const analyse::Analysis analysis = analyse::analyse(*result, load.plan(), analysis_options);
  const report::BenchSubject subject =
      subject_of(*server, *result, load, as_json ? in_english(*server->prompts) : server->prompts->describe());

  const std::string as_object = pretty(report::bench_json(analysis, load.plan(), server->shape, subject));
  std::fputs(as_json ? as_object.c_str() : report::bench_table(analysis, load.plan(), server->shape, subject).c_str(),
             stdout);
  const Status written = outputs.write(*result, load, target, server->shape.model, as_object);
  if (!written) {
    complain(written.error().message);
    return Exit::failed;
  }
  if (analysis.succeeded < analysis.attempted) explain_failures(*result);
  if (stop_requested()) return Exit::interrupted;
  return exit_of(analysis, fails_on_instrument);
}

}  // namespace scoville::cli
