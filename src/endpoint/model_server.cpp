#include "endpoint/model_server.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include <optional>
#include <unordered_map>
#include <utility>

#include "endpoint/api_answers.hpp"
#include "endpoint/connections.hpp"
#include "endpoint/engine_child.hpp"
#include "endpoint/engine_request.hpp"
#include "endpoint/model_answer.hpp"
#include "wire/http_request.hpp"

namespace scoville::endpoint {
namespace {

using namespace std::chrono_literals;

constexpr Nanos kLongestWait = 200ms;
/// How long what was asked meanwhile is still answered once the engine has ended.
constexpr Nanos kFarewell = 300ms;

const ApiError kNotReady{503, "The model is being loaded", "service_unavailable", {}, {}};
const ApiError kEnded{500, "The engine has ended", "server_error", {}, "engine_ended"};

std::uint64_t whole(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  json::error_code wrong;
  const auto number = found ? found->to_number<std::uint64_t>(wrong) : 0;
  return wrong ? 0 : number;
}

std::string_view text_of(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found && found->is_string() ? std::string_view(found->as_string()) : std::string_view();
}

}  // namespace

/// The wiring: a request's choices each have an id at the engine; `asked_` leads from it back to the peer.
class ModelServer::Impl final : public Peer::Owner {
 public:
  Impl(std::string program, std::vector<std::string> arguments)
      : program_(std::move(program)),
        arguments_(std::move(arguments)),
        connections_(*this, [](Peer&) {}),
        child_(connections_.loop(), {[this](const json::object& line) { hear(line); }, [this] { engine_ended(); }}) {}

  Status open(const ListenOptions& options);
  Status run(const std::atomic<bool>& stop);
  void wake() { connections_.loop().wake(); }
  std::uint16_t port() const { return connections_.port(); }
  std::string url() const { return connections_.url(); }
  EndpointStats stats() const;

 private:
  struct Asked {
    Peer* peer;
    std::uint64_t choice;
  };
  using Line = std::unordered_map<std::uint64_t, Asked>::iterator;

  // From clients.
  void on_request(Peer& peer, const wire::RequestHead& head, std::string& body, Instant arrived,
                  bool from_kernel) override;
  void on_bad_request(Peer& peer, int status) override;
  void on_gone(Peer& peer) override;
  void answer_at_once(Peer& peer, std::string_view path, const wire::RequestHead& head);
  void generate(Peer& peer, Api api, std::string& body);
  void tokenize(Peer& peer, const std::string& body);
  void ask(Peer& peer, json::object line, std::uint64_t choice);

  // From the engine.
  void hear(const json::object& line);
  void ready(const json::object& about);
  void hear_of(Line line, const json::object& told);
  void refused(Peer& peer, const json::object& error);
  void complete(Peer& peer);
  void engine_ended();

  // To clients.
  void respond(Peer& peer, int status, std::string_view type, std::string_view body);
  void refuse(Peer& peer, const ApiError& error) { respond(peer, error.status, kJson, error_body(error)); }
  void forget(Peer& peer, bool cancels);

  std::string program_;
  std::vector<std::string> arguments_;
  Connections connections_;
  EngineChild child_;
  bool is_ready_ = false;
  plan::Script about_;  ///< name and context, for the texts that the scripted server has too
  std::uint64_t next_id_ = 0;
  std::int64_t created_ = 0;
  std::unordered_map<std::uint64_t, Asked> asked_;
  std::unordered_map<Peer*, std::unique_ptr<ModelAnswer>> answers_;
  simdjson::dom::parser json_;
  EndpointStats counts_;
};

Status ModelServer::Impl::open(const ListenOptions& options) {
  created_ = wall_seconds();
  if (Status opened = connections_.open(options); !opened) return opened;
  return child_.start(program_, arguments_);
}

Status ModelServer::Impl::run(const std::atomic<bool>& stop) {
  wire::EventLoop& loop = connections_.loop();
  while (!stop && !child_.has_ended()) loop.turn(loop.clock() + kLongestWait);
  if (stop) return Done{};
  const Instant until = loop.read_clock() + kFarewell;
  while (!stop && loop.read_clock() < until) loop.turn(until);
  return Error{ErrorCode::aborted, fmt::format("{}: {}", program_, child_.end_words())};
}

void ModelServer::Impl::on_request(Peer& peer, const wire::RequestHead& head, std::string& body, Instant, bool kernel) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  const bool is_post = head.method == "POST";
  const bool is_chat = path == "/v1/chat/completions";
  if (is_post && (is_chat || path == "/v1/completions")) {
    counts_.kernel_stamps += kernel;
    generate(peer, is_chat ? Api::chat : Api::completions, body);
  } else if (is_post && path == "/tokenize") {
    tokenize(peer, body);
  } else {
    answer_at_once(peer, path, head);
  }
}

void ModelServer::Impl::answer_at_once(Peer& peer, std::string_view path, const wire::RequestHead& head) {
  const bool is_get = head.method == "GET";
  if (is_get && path == "/metrics") {
    respond(peer, 200, "text/plain; version=0.0.4; charset=utf-8", metrics_body(about_, stats()));
  } else if (is_get && (path == "/health" || path == "/v1/models")) {
    if (!is_ready_)
      return refuse(peer, child_.has_ended() ? ApiError{503, kEnded.message, kEnded.type, {}, {}} : kNotReady);
    respond(peer, 200, kJson, path == "/health" ? "{}" : models_body(about_, created_));
  } else {
    refuse(peer, no_such_path(head.method, path));
  }
}

void ModelServer::Impl::generate(Peer& peer, Api api, std::string& body) {
  const std::uint64_t number = counts_.requests++;
  const auto refuse_it = [&](const ApiError& error) {
    ++counts_.refused;
    refuse(peer, error);
  };
  const auto read = read_generation(json_, api, body);
  if (const auto* wrong = std::get_if<ApiError>(&read)) return refuse_it(*wrong);
  const auto& request = std::get<GenerationRequest>(read);
  if (!is_ready_) return refuse_it(child_.has_ended() ? kEnded : kNotReady);
  if (request.model != about_.model) return refuse_it(unknown_model(request.model));
  auto lines = engine_lines(request, body, number);
  if (const auto* wrong = std::get_if<ApiError>(&lines)) return refuse_it(*wrong);
  answers_[&peer] = std::make_unique<ModelAnswer>(request, number, wall_seconds());
  std::uint64_t choice = 0;
  for (json::object& line : std::get<std::vector<json::object>>(lines)) ask(peer, std::move(line), choice++);
}

void ModelServer::Impl::tokenize(Peer& peer, const std::string& body) {
  auto line = tokenize_line(body);
  if (const auto* wrong = std::get_if<ApiError>(&line)) return refuse(peer, *wrong);
  if (!is_ready_) return refuse(peer, kNotReady);
  ask(peer, std::get<json::object>(std::move(line)), 0);
}

void ModelServer::Impl::ask(Peer& peer, json::object line, std::uint64_t choice) {
  const std::uint64_t id = next_id_++;
  line["id"] = id;
  asked_[id] = {&peer, choice};
  child_.send(line);
}

void ModelServer::Impl::hear(const json::object& line) {
  if (const json::value* about = line.if_contains("ready"); about && about->is_object())
    return ready(about->as_object());
  // Of what was cancelled, the engine may still tell something.
  if (const auto found = asked_.find(whole(line, "id")); line.contains("id") && found != asked_.end())
    hear_of(found, line);
}

void ModelServer::Impl::ready(const json::object& about) {
  about_.model = text_of(about, "model");
  about_.context = whole(about, "context");
  is_ready_ = true;
}

void ModelServer::Impl::hear_of(Line line, const json::object& told) {
  Peer& peer = *line->second.peer;
  const std::uint64_t choice = line->second.choice;
  if (const json::value* error = told.if_contains("error"); error && error->is_object()) {
    return refused(peer, error->as_object());
  }
  if (const json::value* ids = told.if_contains("ids"); ids && ids->is_array()) {
    asked_.erase(line);
    const json::object body{{"count", ids->as_array().size()}, {"max_model_len", about_.context}, {"tokens", *ids}};
    return respond(peer, 200, kJson, json::serialize(body));
  }
  const auto found = answers_.find(&peer);
  if (found == answers_.end()) return;
  ModelAnswer& answer = *found->second;
  std::string out;
  if (told.contains("token")) {
    answer.said(out, choice, text_of(told, "text"));
    ++counts_.tokens;
    counts_.writes += answer.is_stream();
  } else if (told.contains("done")) {
    answer.finished(out, choice, text_of(told, "done"), text_of(told, "text"));
    asked_.erase(line);
  } else if (const json::value* accepted = told.if_contains("accepted"); accepted && accepted->is_object()) {
    const std::uint64_t tokens = whole(accepted->as_object(), "prompt_tokens");
    counts_.prompt_tokens += tokens;
    if (answer.accepted(tokens) && answer.is_stream()) {
      out = stream_head(peer.keeps_alive());
      answer.open(out);
    }
  }
  const bool is_over = answer.is_over();
  if (!out.empty()) peer.write(out);
  if (is_over && !peer.is_closed()) complete(peer);
}

/// The engine does not take one of the choices: before anything was written, so the whole request is refused.
void ModelServer::Impl::refused(Peer& peer, const json::object& error) {
  const bool is_generation = answers_.count(&peer) > 0;
  forget(peer, true);
  counts_.refused += is_generation;
  refuse(peer, api_error_of(error));
}

void ModelServer::Impl::complete(Peer& peer) {
  const std::unique_ptr<ModelAnswer> answer = std::move(answers_.extract(&peer).mapped());
  ++counts_.answered;
  std::string out;
  answer->end(out);
  if (!answer->is_stream()) return respond(peer, 200, kJson, out);
  peer.write(out);
  peer.answered();
}

void ModelServer::Impl::engine_ended() {
  is_ready_ = false;
  std::vector<Peer*> waiting;
  for (const auto& peer : connections_.all()) waiting.push_back(peer.get());
  for (Peer* const peer : waiting) {
    const auto found = answers_.find(peer);
    const bool is_generation = found != answers_.end();
    const bool is_streaming = is_generation && found->second->is_stream() && found->second->has_begun();
    const bool was_asked = is_generation || std::any_of(asked_.begin(), asked_.end(),
                                                        [&](const auto& each) { return each.second.peer == peer; });
    if (!was_asked) continue;
    forget(*peer, false);
    counts_.failed += is_generation;
    if (!is_streaming) {
      refuse(*peer, kEnded);
      continue;
    }
    std::string out;
    ModelAnswer::fail(out, kEnded);
    peer->write(out);
    peer->close_after_writing();
  }
}

/// What the peer asked is no longer waited for.
void ModelServer::Impl::forget(Peer& peer, bool cancels) {
  answers_.erase(&peer);
  for (auto each = asked_.begin(); each != asked_.end();) {
    if (each->second.peer != &peer) {
      ++each;
      continue;
    }
    if (cancels) child_.send({{"cancel", each->first}});
    each = asked_.erase(each);
  }
}

void ModelServer::Impl::on_bad_request(Peer& peer, int status) {
  refuse(peer, {status, std::string(wire::reason_phrase(status)), "invalid_request_error", {}, {}});
}

void ModelServer::Impl::on_gone(Peer& peer) {
  counts_.abandoned += answers_.count(&peer);
  forget(peer, true);
  connections_.remove(peer);
}

void ModelServer::Impl::respond(Peer& peer, int status, std::string_view type, std::string_view body) {
  peer.write(response_text(status, type, body, peer.keeps_alive()));
  peer.answered();
}

EndpointStats ModelServer::Impl::stats() const {
  EndpointStats stats = counts_;
  stats.running = answers_.size();
  stats.connections = connections_.size();
  return stats;
}

ModelServer::ModelServer(std::string program, std::vector<std::string> arguments)
    : impl_(std::make_unique<Impl>(std::move(program), std::move(arguments))) {}
ModelServer::~ModelServer() = default;
Status ModelServer::open(const ListenOptions& options) { return impl_->open(options); }
std::uint16_t ModelServer::port() const { return impl_->port(); }
std::string ModelServer::url() const { return impl_->url(); }
Status ModelServer::run(const std::atomic<bool>& stop) { return impl_->run(stop); }
void ModelServer::wake() { impl_->wake(); }
EndpointStats ModelServer::stats() const { return impl_->stats(); }

}  // namespace scoville::endpoint
