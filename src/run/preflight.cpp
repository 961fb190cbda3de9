#include "run/preflight.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "base/clock.hpp"
#include "run/models.hpp"
#include "run/single.hpp"
#include "text/catalogue.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using event::RequestRecord;
using text::Msg;
using text::say;

constexpr Nanos kPause = std::chrono::milliseconds(500);  // between two looks at a server that is still loading
constexpr std::uint32_t kReadyTokens = 4;

/// One try after the other until a generation is complete.
class Readiness {
 public:
  Readiness(const PreflightOptions& options, const load::Dialect& dialect, const std::atomic<bool>& stop,
            const std::function<void(const std::string&)>& say_step)
      : options_(options), dialect_(dialect), stop_(stop), say_step_(say_step) {}

  /// One real generation with this text; redirects change `server.target`.
  Result<RequestRecord> generate(ReadyServer& server, const std::string& text, std::uint32_t max_tokens) const {
    dataset::Prompt prompt;
    prompt.text = text;
    prompt.max_tokens = max_tokens;
    auto records =
        run_single(server.target, options_.wire, dialect_, server.shape, options_.timeouts, prompt, 1, stop_);
    if (!records) return records.error();
    if (!server.first_token) server.first_token = records->front().first_token;
    return std::move(records->front());
  }

  Status wait(ReadyServer& server) const {
    const Instant give_up = now() + options_.ready_timeout;
    bool has_said = false;
    for (;;) {
      Result<RequestRecord> answer = generate(server, "Hello", kReadyTokens);
      if (stop_) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
      if (answer && answer->succeeded()) return Done{};
      if (answer && adapt(server, *answer)) continue;
      const bool is_loading = answer && answer->http_status == 503;
      if (!is_loading || now() + kPause > give_up) return answer ? refusal(server, *answer) : answer.error();
      if (!has_said) say_step_(say(Msg::ready_waiting, to_seconds(options_.ready_timeout)));
      has_said = true;
      std::this_thread::sleep_for(kPause);
    }
  }

 private:
  /// Leaves out or renames a request member that this server refuses. True: try again.
  static bool adapt(ReadyServer& server, const RequestRecord& answer) {
    plan::RequestShape& shape = server.shape;
    if (answer.http_status != 400 && answer.http_status != 422) return false;
    const std::string words = answer.param + " " + answer.error_message;
    const auto names = [&](const char* member) { return words.find(member) != std::string::npos; };
    if (shape.include_usage && names("stream_options")) {
      shape.include_usage = false;
      server.warnings.push_back(dataset::make_warning("stream_options_refused", Msg::warn_stream_options_refused));
      return true;
    }
    if (shape.max_tokens_field == "max_tokens" && names("max_completion_tokens")) {
      shape.max_tokens_field = "max_completion_tokens";
      server.warnings.push_back(dataset::make_warning("max_tokens_renamed", Msg::warn_max_tokens_renamed));
      return true;
    }
    return false;
  }

  static Error refusal(const ReadyServer& server, const RequestRecord& answer) {
    const std::string& words = answer.error_message;
    const std::string where = server.target.url.to_string();
    switch (answer.http_status) {
      case 401:
      case 403:
        return {ErrorCode::protocol, say(Msg::ready_unauthorized, where, answer.http_status, words)};
      case 404:
        return {ErrorCode::not_found, say(Msg::ready_not_found, where, server.shape.model, words)};
      case 503:
        return {ErrorCode::timed_out, say(Msg::ready_never, where, words)};
      default:
        break;
    }
    const std::string status = answer.http_status ? " " + std::to_string(answer.http_status) : "";
    return {ErrorCode::protocol,
            say(Msg::ready_failed, where, std::string(event::name_of(answer.failure)) + status, words)};
  }

  const PreflightOptions& options_;
  const load::Dialect& dialect_;
  const std::atomic<bool>& stop_;
  const std::function<void(const std::string&)>& say_step_;
};

/// How making prompts reaches this server; `server`, `base` and `readiness` outlive what is returned.
ServerAccess access_to(ReadyServer& server, const wire::Target& base, const Readiness& readiness) {
  ServerAccess access;
  access.model = server.shape.model;
  access.api = plan::takes_messages(server.shape.dialect) ? dataset::Api::chat : dataset::Api::completions;
  access.takes_images = plan::takes_images(server.shape.dialect);
  access.post = [&](const std::string& path, const std::string& body) {
    wire::FetchRequest request;
    request.method = "POST";
    request.path = wire::join_api_path(base.url, path).path;
    request.headers = common_headers(server.shape);
    request.headers.push_back({"Content-Type", "application/json"});
    request.headers.push_back({"Connection", "close"});
    request.body = body;
    return wire::fetch(base, request);
  };
  access.usage_of = [&](const std::string& prompt) -> Result<std::int64_t> {
    Result<RequestRecord> answer = readiness.generate(server, prompt, 1);
    if (!answer) return answer.error();
    if (!answer->prompt_tokens || *answer->prompt_tokens < 1)
      return Error{ErrorCode::unsupported, say(Msg::usage_missing)};
    return *answer->prompt_tokens;
  };
  access.context = [&] { return context_of(base, server.shape); };
  return access;
}

Status take_prompts(ReadyServer& server, const PromptPlan& plan, const ServerAccess& access) {
  Result<MadePrompts> made = make_prompts(plan, access);
  if (!made) return made.error();
  server.prompts = std::move(made->source);
  server.token_method = std::move(made->token_method);
  server.prompt_length_is_exact = made->length_is_exact;
  server.fixed_prompt_tokens = made->fixed_tokens;
  for (dataset::Warning& each : made->warnings) server.warnings.push_back(std::move(each));
  return Done{};
}

Result<wire::Target> reach(const PreflightOptions& options, const std::atomic<bool>& stop,
                           const std::function<void(const std::string&)>& say_step) {
  const Instant give_up = now() + options.ready_timeout;
  for (bool has_said = false;; has_said = true) {
    Result<wire::Target> base = wire::make_target(options.base, options.wire);
    const bool may_come = !base && base.error().code == ErrorCode::refused && options.waits_for_connection;
    if (!may_come || stop || now() + kPause > give_up) return base;
    if (!has_said) say_step(say(Msg::ready_waiting, to_seconds(options.ready_timeout)));
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Result<ReadyServer> get_ready(const PreflightOptions& options, const load::Dialect& dialect,
                              const std::atomic<bool>& stop, const std::function<void(const std::string&)>& say_step) {
  Result<wire::Target> base = reach(options, stop, say_step);
  if (!base) return base.error();
  ReadyServer server;
  server.target = *base;
  server.shape = options.shape;
  if (server.shape.model.empty()) {
    Result<std::string> model = first_model(*base, server.shape);
    if (!model) return model.error();
    server.shape.model = *model;
  } else if (const auto listed = list_models(*base, server.shape); listed && !listed->empty()) {
    const bool is_listed = std::find(listed->begin(), listed->end(), server.shape.model) != listed->end();
    if (!is_listed) {
      server.warnings.push_back(dataset::make_warning("model_not_listed", Msg::warn_model_not_listed,
                                                      server.shape.model, fmt::format("{}", fmt::join(*listed, ", "))));
    }
  }
  const std::string path = options.endpoint.empty() ? dialect.path(server.shape) : options.endpoint;
  server.target.url = wire::join_api_path(options.base, path);
  const Readiness readiness(options, dialect, stop, say_step);
  if (Status ready = readiness.wait(server); !ready) return ready.error();
  const ServerAccess access = access_to(server, *base, readiness);
  if (Status taken = take_prompts(server, options.prompts, access); !taken) return taken.error();
  return server;
}

}  // namespace scoville::run
