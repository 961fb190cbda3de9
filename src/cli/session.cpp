#include "cli/session.hpp"

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/run_id.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/machine_key.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "cli/stored_calibration.hpp"
#include "record/recorder.hpp"
#include "run/outcome_json.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Result<run::PreflightOptions> preflight_options(const TargetOptions& target, const LoadOptions& load) {
  Result<wire::Url> base = target.base();
  if (!base) return Error{ErrorCode::invalid_argument, base.error().message};
  run::PreflightOptions options;
  options.base = *base;
  options.endpoint = target.endpoint();
  options.wire = target.wire;
  options.shape = target.shape;
  options.shape.max_tokens = load.default_max_tokens();
  options.shape.inputs = load.prompts().inputs_per_request;
  options.timeouts = target.timeouts;
  options.prompts = load.prompts();
  options.ready_timeout = target.ready_timeout;
  options.waits_for_connection = target.waits_for_connection;
  return options;
}

}  // namespace

Result<Session> Session::open(const TargetOptions& target, LoadOptions& load, const StoreOptions& options,
                              const std::optional<SystemOptions>& system, LaunchedEngine* launched) {
  if (Status fits = fits_dialect(load.prompts(), target.shape.dialect); !fits) return fits.error();
  Session session;
  session.target_ = &target;
  session.load_options_ = &load;
  session.system_options_ = system;
  session.launched_ = launched;
  session.tag_ = options.tag();
  if (options.keeps()) {
    Result<store::RunStore> store = options.open();
    if (!store) return store.error();
    session.store_.emplace(std::move(*store));
  }
  session.calibration_ = stored_calibration(session.store_ ? &*session.store_ : nullptr, options);
  session.dialect_ = load::make_dialect(target.shape.dialect);
  if (Status reached = session.reach_server(); !reached) return reached.error();
  load.plan().timeouts = target.timeouts;
  const std::optional<std::uint64_t> rows = session.server_.prompts->size();
  if (load.plan().is_offline && rows) load.plan().num_prompts = static_cast<std::size_t>(*rows);  // of those left
  return session;
}

Status Session::reach_server() {
  if (launched_) {
    if (Status started = launched_->start(); !started) return started;
  }
  return make_ready(/*is_first=*/true);
}

Status Session::turn_to(LoadOptions& load, bool makes_prompts) {
  load_options_ = &load;
  load.plan().timeouts = target_->timeouts;
  return makes_prompts ? make_ready(/*is_first=*/false) : Status(Done{});
}

/// Asks the server what a load must know of it. `is_first`: since it was started.
Status Session::make_ready(bool is_first) {
  Result<run::PreflightOptions> preflight = preflight_options(*target_, *load_options_);
  if (!preflight) return preflight.error();
  Result<run::ReadyServer> server =
      run::get_ready(*preflight, *dialect_, stop_requested(), [](const std::string& sentence) { complain(sentence); });
  if (!server) return launched_ ? launched_->explain(server.error()) : server.error();
  server_ = std::move(*server);
  plan::LoadPlan& plan = load_options_->plan();
  if (plan.arrivals.trace_speed) {  // rows that do not fit the server's context have left the trace
    plan.num_prompts = std::min<std::size_t>(plan.num_prompts, server_.prompts->size().value_or(plan.num_prompts));
  }
  if (launched_ && is_first) launched_->take_first_token(server_.first_token);
  if (!system_options_ || !system_.empty()) return Done{};  // a restart changes nothing that is told there
  return learn_system(*system_options_, preflight->base.path);
}

Status Session::relaunch() { return reach_server(); }

void Session::end_engine(const std::vector<report::BenchSubject*>& subjects) {
  if (!launched_ || runs_on_engine_.empty()) return;
  const event::LaunchEnding ended = launched_->stop();
  for (const RunOnEngine& run : runs_on_engine_) {
    event::LaunchEnding ending = ended;
    if (ending.how == event::LaunchEnding::How::by_itself) {
      ending.since_start = ending.at - run.start;
      ending.in_run = ending.at >= run.start && ending.at <= run.end;
    }
    for (report::BenchSubject* subject : subjects) {
      if (subject->run_id == run.id && subject->launch) subject->launch->ending = ending;
    }
    if (!store_ || storage_fault_) continue;
    const Status kept = store_->set_document(run.id, "launch", json::object{{"ending", event::ending_json(ending)}});
    if (!kept) storage_fault_ = kept.error();
  }
  runs_on_engine_.clear();
}

Status Session::learn_system(const SystemOptions& options, const std::string& base_path) {
  wire::Target base = server_.target;  // its URL is that of the generation
  base.url.path = base_path;
  HashingLine hashing;
  Result<event::Fingerprint> fingerprint =
      options.gather(base, server_.shape, launched_ ? launched_->fields() : event::Fingerprint(),
                     [&](std::uint64_t done, std::uint64_t total) { return hashing.show(done, total); });
  if (!fingerprint) return fingerprint.error();
  system_ = std::move(*fingerprint);
  if (is_hosted_service(system_)) server_.warnings.push_back(hosted_service_warning(system_, base.url.host));
  return Done{};
}

Measured Session::prepared() const {
  Measured measured;
  measured.plan = load_options_->plan();
  measured.shape = server_.shape;
  measured.options = load_options_->analysis();
  measured.options.fixed_prompt_tokens = server_.fixed_prompt_tokens;
  measured.options.shares_prefixes = server_.prompts->shares_prefixes();
  measured.options.calibration = calibration_;
  measured.options.transport = !server_.target.url.unix_path.empty() ? analyse::Transport::unix_socket
                               : server_.target.tls                  ? analyse::Transport::tls
                                                                     : analyse::Transport::tcp;
  report::BenchSubject& subject = measured.subject;
  subject.run_id = new_run_id();
  subject.tag = tag_;
  subject.url = server_.target.url.to_string();
  subject.peer = server_.target.address.to_string();
  subject.dataset = server_.prompts->describe();
  subject.token_method = server_.token_method;
  subject.prompt_length_is_exact = server_.prompt_length_is_exact;
  subject.dataset_hash = server_.prompts->dataset_hash();
  subject.seed = load_options_->prompts().seed;
  subject.anchor = read_anchor();
  subject.warnings = server_.warnings;
  subject.system = system_;
  subject.price = price_;
  subject.devices = devices_;
  subject.client = machine_without_name();
  subject.client_version = version();
  if (launched_) subject.launch = launched_->record();
  if (server_.target.dns_took > Nanos::zero()) subject.dns = server_.target.dns_took;
  return measured;
}

Result<run::RunResult> Session::load(const Measured& measured, record::CommitSink& sink, record::MemoryBlocks& rest,
                                     bool shows_progress) {
  record::Recorder recorder(sink, measured.plan.all_threads());
  ProgressLine progress(measured.plan);
  Result<run::RunResult> result = run::run_load(
      {server_.target, *dialect_, server_.shape, measured.plan, *server_.prompts},
      [&](unsigned thread) -> event::RecordSink& { return recorder.sink(thread); }, stop_requested(),
      [&](const run::Progress& at) {
        if (shows_progress) progress.show(at);
      });
  const record::Recorder::Report report = recorder.finish();
  if (!result) return result;
  result->drops = report.drops;
  storage_fault_ = report.failure;
  if (report.failure) {
    rest.add(recorder.left_over().blocks);
    rest.add(recorder.left_over().texts);
  }
  return result;
}

Result<Measured> Session::measure(const std::string& set, bool shows_progress) {
  server_.prompts->set_salt(fresh_salt());  // two sessions may share their options, and a server
  Measured measured = prepared();
  measured.subject.set = set;
  const std::string id = measured.subject.run_id;
  std::unique_ptr<store::RunWriter> writer;
  const auto memory = std::make_shared<record::MemoryBlocks>();
  if (store_) {
    auto begun = store_->begin({id, kind_, tag_, set, manifest_of(measured)});
    if (!begun) return begun.error();
    writer = std::move(*begun);
  }
  record::CommitSink& sink = writer ? static_cast<record::CommitSink&>(*writer) : *memory;
  Result<run::RunResult> result = load(measured, sink, *memory, shows_progress);
  if (writer) {
    using Ending = store::RunWriter::Ending;
    const Ending ending = storage_fault_                      ? Ending::incomplete
                          : result && result->was_interrupted ? Ending::stopped
                                                              : Ending::finished;
    const Status finished = writer->finish(result ? run::outcome_json(*result) : json::object(), ending);
    if (!finished && !storage_fault_) storage_fault_ = finished.error();
    writer.reset();
  }
  if (!result) {
    if (store_) static_cast<void>(store_->erase(id));
    return result.error();
  }
  measured.result = std::move(*result);
  measured.result.anchor = measured.subject.anchor;
  if (launched_) runs_on_engine_.push_back({id, measured.result.start, measured.result.end});
  std::vector<std::shared_ptr<const event::RecordSource>> parts;
  if (store_) {
    auto stored = store_->records(id, /*with_tails=*/false);
    if (!stored) return stored.error();
    parts.push_back(std::move(*stored));
  }
  parts.push_back(memory);
  if (Status taken = measured.result.take_records(std::make_shared<record::JoinedRecords>(std::move(parts))); !taken)
    return taken.error();
  if (measured.result.records.empty()) {
    if (store_) static_cast<void>(store_->erase(id));
    return Error{ErrorCode::aborted, say(Msg::run_stopped)};
  }
  if (Status analysed = analyse_measured(measured); !analysed) return analysed.error();
  if (store_ && !storage_fault_) static_cast<void>(keep_statistics(*store_, measured));  // else it is computed later
  return measured;
}

}  // namespace scoville::cli
