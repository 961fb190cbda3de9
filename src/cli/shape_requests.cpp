#include "cli/shape_requests.hpp"

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/prompt_options.hpp"
#include "cli/stop.hpp"
#include "run/preflight.hpp"
#include "run/single.hpp"
#include "text/catalogue/shapes.hpp"

namespace scoville::cli {
namespace {

using text::say;
using text::ShapesMsg;

constexpr std::size_t kPasses = 3;  // unseen, known, and known again: the last two tell how far times scatter

/// Every length once for each pass.
std::shared_ptr<const dataset::Workload> workload_of(const ShapeQuestion& question) {
  auto workload = std::make_shared<dataset::Workload>();
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    for (const std::size_t length : question.lengths) {
      dataset::WorkloadChain chain;
      chain.turns.push_back({Nanos{}, static_cast<std::uint32_t>(length), question.max_tokens});
      workload->chains.push_back(std::move(chain));
    }
  }
  return workload;
}

Result<run::PreflightOptions> preflight_of(const TargetOptions& target, const ShapeQuestion& question) {
  const Result<wire::Url> base = target.base();
  if (!base) return Error{ErrorCode::invalid_argument, base.error().message};
  run::PreflightOptions options;
  options.base = *base;
  options.endpoint = target.endpoint();
  options.wire = target.wire;
  options.shape = target.shape;
  options.shape.max_tokens = question.max_tokens;
  options.timeouts = target.timeouts;
  options.prompts.generated = workload_of(question);
  options.prompts.seed = question.seed;
  options.prompts.salt = fresh_salt();
  options.ready_timeout = target.ready_timeout;
  options.waits_for_connection = target.waits_for_connection;
  return options;
}

std::string words_of(const event::RequestRecord& record) {
  const std::string status = record.http_status >= 300 ? " " + std::to_string(record.http_status) : "";
  return std::string(event::name_of(record.failure)) + status +
         (record.error_message.empty() ? "" : ": " + record.error_message);
}

/// Until the first token; of an answer that comes whole, until its end.
double time_of(const event::RequestRecord& record) {
  const Moment seen = record.first_token ? record.first_token : record.end;
  return seen && record.written ? static_cast<double>((*seen - *record.written).count()) : 0;
}

double& place_of(probe::LengthTimes& times, std::size_t pass) {
  return pass == 0 ? times.first : pass == 1 ? times.second : times.third;
}

/// Asks in order, and remembers.
class Asking {
 public:
  Asking(const TargetOptions& target, const ShapeQuestion& question, run::ReadyServer& server,
         const load::Dialect& dialect)
      : target_(target), question_(question), server_(server), dialect_(dialect) {
    for (const std::size_t length : question.lengths) times_.push_back({length, 0, 0, 0});
  }

  Status run() {
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      for (std::size_t i = 0; i < times_.size(); ++i) {
        if (line_.is_due()) line_.show(say(ShapesMsg::asking_length, pass + 1, kPasses, i + 1, times_.size()));
        if (Status asked = ask(pass, i); !asked) return asked;
      }
    }
    return Done{};
  }
  std::vector<probe::LengthTimes> times() const { return times_; }
  /// Empty: as asked for, or not told.
  std::string difference() const { return difference_; }

 private:
  Status ask(std::size_t pass, std::size_t i) {
    const dataset::Prompt prompt = server_.prompts->make(pass * times_.size() + i);
    auto records = run::run_single(server_.target, target_.wire, dialect_, server_.shape, target_.timeouts, prompt, 1,
                                   stop_requested());
    if (!records) return records.error();
    const event::RequestRecord& record = records->front();
    if (!record.succeeded()) {
      return Error{ErrorCode::protocol, say(ShapesMsg::request_failed, times_[i].length, words_of(record))};
    }
    place_of(times_[i], pass) = time_of(record);
    const auto counted = record.prompt_tokens;
    if (difference_.empty() && counted && *counted != static_cast<std::int64_t>(times_[i].length)) {
      difference_ = say(ShapesMsg::lengths_differ, *counted, times_[i].length);
    }
    return Done{};
  }

  const TargetOptions& target_;
  const ShapeQuestion& question_;
  run::ReadyServer& server_;
  const load::Dialect& dialect_;
  LiveLine line_;
  std::vector<probe::LengthTimes> times_;
  std::string difference_;
};

}  // namespace

Result<ShapeAnswer> ask_lengths(const TargetOptions& target, const ShapeQuestion& question) {
  const Result<run::PreflightOptions> options = preflight_of(target, question);
  if (!options) return options.error();
  const auto dialect = load::make_dialect(target.shape.dialect);
  Result<run::ReadyServer> server = run::get_ready(*options, *dialect, stop_requested(), complain);
  if (!server) return server.error();
  Asking asking(target, question, *server, *dialect);
  if (Status asked = asking.run(); !asked) return asked.error();
  ShapeAnswer answer{options->base.to_string(), server->shape.model, asking.times(), {}};
  for (const dataset::Warning& each : server->warnings) answer.warnings.push_back(each.sentence.said());
  if (const std::string differs = asking.difference(); !differs.empty()) answer.warnings.push_back(differs);
  return answer;
}

}  // namespace scoville::cli
