#include "endpoint/scripted_server.hpp"

#include <fmt/format.h>
#include <simdjson.h>
#include <sys/prctl.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "endpoint/agenda.hpp"
#include "endpoint/api_answers.hpp"
#include "endpoint/connections.hpp"
#include "endpoint/generation.hpp"
#include "endpoint/peer.hpp"
#include "endpoint/slots.hpp"
#include "stats/log_histogram.hpp"

namespace scoville::endpoint {
namespace {

using namespace std::chrono_literals;

/// Due events that are sent before the sockets are looked at again.
constexpr int kBurst = 64;
constexpr Nanos kLongestWait = 200ms;

/// When to wake for something due at `due`. epoll_pwait2 may oversleep by a thousandth of the wait (fs/select.c,
/// __estimate_accuracy): a wait of a millisecond or more stops short by twice that, and a second, short one ends it.
Instant wake_for(Instant due, Instant clock) {
  const Nanos left = due - clock;
  return left < 1ms ? due : due - left / 500;
}

std::optional<Api> api_of(std::string_view path) {
  return path == "/v1/chat/completions" ? std::optional(Api::chat)
         : path == "/v1/completions"    ? std::optional(Api::completions)
         : path == "/v1/responses"      ? std::optional(Api::responses)
         : path == "/v1/embeddings"     ? std::optional(Api::embeddings)
                                        : std::nullopt;
}

}  // namespace

/// The wiring: connections, slots and agenda.
///
/// A request waits in slots_ or is on the agenda; a connection that idles is on the agenda only if the script closes
/// idle ones. What a peer's entry means follows from its generation: none: idle time is over; not started: a ping is
/// due; else: an event.
class ScriptedServer::Impl final : public Peer::Owner {
 public:
  explicit Impl(plan::Script script)
      : script_(std::move(script)),
        connections_(*this, [this](Peer& peer) { ready_for_next(peer); }),
        slots_(script_.slots, script_.queue) {
    events_.bytes.reserve(1u << 16);
    events_.emit_places.reserve(1024);
  }

  Status open(const ListenOptions& options);
  void run(const std::atomic<bool>& stop);
  void wake() { loop_.wake(); }
  std::uint16_t port() const { return connections_.port(); }
  std::string url() const { return connections_.url(); }
  EndpointStats stats() const;

 private:
  // Connections.
  void on_request(Peer& peer, const wire::RequestHead& head, std::string& body, Instant arrived,
                  bool from_kernel) override;
  void on_bad_request(Peer& peer, int status) override;
  void on_gone(Peer& peer) override;

  // Requests that are answered at once.
  void respond(Peer& peer, int status, std::string_view type, std::string_view body);
  void refuse(Peer& peer, const ApiError& error);
  void tokenize(Peer& peer, std::string& body);
  void ready_for_next(Peer& peer);

  // Requests for text.
  void generate(Peer& peer, Api api, std::string& body, Instant arrived);
  void admit(Peer& peer, const GenerationRequest& request, Instant arrived);
  void start(Peer& peer, Instant at);
  void fire(Peer& peer, Instant due);
  void write_events(Peer& peer, Instant due);
  void end(Peer& peer, Generation::After how, Instant due);
  void arm_ping(Peer& peer, Instant from);

  plan::Script script_;
  Connections connections_;
  wire::EventLoop& loop_ = connections_.loop();
  Agenda<Peer> agenda_;
  Slots<Peer*> slots_;
  simdjson::dom::parser json_;
  std::string text_;    // of the response that is being made
  EventBuffer events_;  // of the write that is being made
  std::int64_t created_ = 0;
  EndpointStats counts_;
  stats::LogHistogram lags_;
  Nanos lag_max_{};
};

Status ScriptedServer::Impl::open(const ListenOptions& options) {
  created_ = wall_seconds();
  return connections_.open(options);
}

void ScriptedServer::Impl::run(const std::atomic<bool>& stop) {
  prctl(PR_SET_TIMERSLACK, 1UL);  // else every wait may end 50 µs late
  while (!stop) {
    const Instant clock = loop_.clock(), latest = clock + kLongestWait;
    loop_.turn(agenda_.empty() ? latest : std::min(latest, wake_for(agenda_.next_due(), clock)));
    for (int i = 0; i < kBurst && !agenda_.empty() && agenda_.next_due() <= loop_.read_clock(); ++i) {
      fire(agenda_.next(), agenda_.next_due());
    }
  }
}

void ScriptedServer::Impl::on_gone(Peer& peer) {
  agenda_.remove(peer);
  if (peer.generation) {
    ++counts_.abandoned;
    const bool was_running = peer.generation->has_started();
    peer.generation.reset();
    if (was_running) {
      if (const auto next = slots_.release()) start(**next, loop_.read_clock());
    } else {
      slots_.leave(peer.ticket);
    }
  }
  connections_.remove(peer);
}

void ScriptedServer::Impl::on_request(Peer& peer, const wire::RequestHead& head, std::string& body, Instant arrived,
                                      bool from_kernel) {
  agenda_.remove(peer);
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  const auto is = [&](std::string_view method, std::string_view known) {
    return head.method == method && path == known;
  };
  if (const auto api = api_of(path); api && head.method == "POST") {
    counts_.kernel_stamps += from_kernel;
    generate(peer, *api, body, arrived);
  } else if (is("POST", "/tokenize") && script_.tokenize) {
    tokenize(peer, body);
  } else if (is("GET", "/v1/models")) {
    respond(peer, 200, kJson, models_body(script_, created_));
  } else if (is("GET", "/health")) {
    respond(peer, 200, kJson, "{}");
  } else if (is("GET", "/metrics")) {
    respond(peer, 200, "text/plain; version=0.0.4; charset=utf-8", metrics_body(script_, stats()));
  } else {
    refuse(peer, no_such_path(head.method, path));
  }
}

void ScriptedServer::Impl::on_bad_request(Peer& peer, int status) {
  refuse(peer, {status, std::string(wire::reason_phrase(status)), "invalid_request_error", {}, {}});
}

void ScriptedServer::Impl::respond(Peer& peer, int status, std::string_view type, std::string_view body) {
  peer.write(response_text(status, type, body, peer.keeps_alive()));
  ready_for_next(peer);
  peer.answered();
}

void ScriptedServer::Impl::refuse(Peer& peer, const ApiError& error) {
  respond(peer, error.status, kJson, error_body(error));
}

void ScriptedServer::Impl::tokenize(Peer& peer, std::string& body) {
  const auto read = read_tokenize(json_, body);
  if (const auto* error = std::get_if<ApiError>(&read)) return refuse(peer, *error);
  respond(peer, 200, kJson, tokenize_body(script_, std::get<TokenizeRequest>(read)));
}

void ScriptedServer::Impl::ready_for_next(Peer& peer) {
  if (!peer.is_closed() && script_.keep_alive > Nanos::zero()) {
    agenda_.put(peer, loop_.clock() + script_.keep_alive);
  } else {
    agenda_.remove(peer);
  }
}

void ScriptedServer::Impl::generate(Peer& peer, Api api, std::string& body, Instant arrived) {
  ++counts_.requests;
  const auto read = read_generation(json_, api, body);
  std::optional<ApiError> error;
  if (const auto* invalid = std::get_if<ApiError>(&read)) {
    error = *invalid;
  } else {
    error = refusal_of(script_, std::get<GenerationRequest>(read));
  }
  if (error) {
    ++counts_.refused;
    return refuse(peer, *error);
  }
  if (script_.html) {
    ++counts_.failed;
    return respond(peer, 200, "text/html; charset=utf-8", web_page());
  }
  admit(peer, std::get<GenerationRequest>(read), arrived);
}

void ScriptedServer::Impl::admit(Peer& peer, const GenerationRequest& request, Instant arrived) {
  const std::uint64_t number = counts_.requests - 1;
  if (draw_fault(script_, number).kind == Fault::Kind::status) {
    ++counts_.failed;
    return refuse(peer, scripted_error(script_));
  }
  const auto entry = slots_.enter(&peer, peer.ticket);
  if (entry == Slots<Peer*>::Entry::refused) {
    ++counts_.refused;
    return refuse(peer, queue_full(script_));
  }
  peer.generation = std::make_unique<Generation>(script_, request, number, wall_seconds(), arrived);
  counts_.prompt_tokens += peer.generation->prompt_tokens();
  if (entry == Slots<Peer*>::Entry::started) {
    start(peer, arrived);
  } else {
    arm_ping(peer, loop_.clock());
  }
  if (!peer.generation->is_stream()) return;
  text_ = stream_head(peer.keeps_alive());
  peer.generation->open(text_);
  peer.write(text_);
}

void ScriptedServer::Impl::start(Peer& peer, Instant at) {
  peer.generation->start(std::max(at, peer.generation->arrived()));
  agenda_.put(peer, peer.generation->due());
  arm_ping(peer, loop_.clock());
}

/// Puts the next comment on the agenda, where it comes before the first event.
void ScriptedServer::Impl::arm_ping(Peer& peer, Instant from) {
  Generation& generation = *peer.generation;
  if (script_.ping == Nanos::zero() || !generation.is_stream()) return;
  const Instant ping = from + script_.ping;
  if (!generation.has_started() || ping < generation.due()) agenda_.put(peer, ping);
}

void ScriptedServer::Impl::fire(Peer& peer, Instant due) {
  if (!peer.generation) {
    agenda_.remove(peer);
    if (peer.is_idle()) peer.close_after_writing();
    return;
  }
  if (peer.generation->has_started() && due == peer.generation->due()) return write_events(peer, due);
  text_.clear();
  EventText::comment(text_);
  if (peer.generation->has_started()) {
    agenda_.put(peer, peer.generation->due());
  } else {
    agenda_.remove(peer);
  }
  arm_ping(peer, due);
  peer.write(text_);
}

void ScriptedServer::Impl::write_events(Peer& peer, Instant due) {
  Generation& generation = *peer.generation;
  events_.clear();
  const std::uint64_t events = generation.events_due();
  const Generation::After after = generation.write(events_);
  if (after == Generation::After::more) agenda_.put(peer, generation.due());
  const Instant emit = loop_.read_clock();
  events_.stamp(emit);
  if (generation.is_stream()) peer.write(events_.bytes);
  if (events > 0) {
    lags_.record(emit - due);
    lag_max_ = std::max(lag_max_, emit - due);
    ++counts_.writes;
  }
  if (after != Generation::After::more && !peer.is_closed()) end(peer, after, due);
}

/// Behind the last write of a request. Its slot is free from when that was due, so that the queue keeps the schedule
/// too.
void ScriptedServer::Impl::end(Peer& peer, Generation::After how, Instant due) {
  const std::unique_ptr<Generation> generation = std::move(peer.generation);
  counts_.tokens += generation->tokens_sent();
  ++(how == Generation::After::answered ? counts_.answered : counts_.failed);
  if (how == Generation::After::close) {
    peer.close_after_writing();
  } else if (how == Generation::After::reset) {
    peer.reset_now();
  } else if (generation->is_stream()) {
    ready_for_next(peer);
    peer.answered();
  } else if (how == Generation::After::failed) {
    refuse(peer, scripted_error(script_));
  } else {
    respond(peer, 200, kJson, events_.bytes);
  }
  if (const auto next = slots_.release()) start(**next, due);
}

EndpointStats ScriptedServer::Impl::stats() const {
  EndpointStats stats = counts_;
  stats.running = slots_.running();
  stats.waiting = slots_.waiting();
  stats.connections = connections_.size();
  if (stats.writes == 0) return stats;
  // A quantile is the middle of its bucket, which the true maximum may not reach.
  const auto lag = [&](double p) { return std::min(lags_.quantile(p).value_or(lag_max_), lag_max_); };
  stats.lag_p50 = lag(0.5);
  stats.lag_p99 = lag(0.99);
  stats.lag_max = lag_max_;
  return stats;
}

ScriptedServer::ScriptedServer(plan::Script script) : impl_(std::make_unique<Impl>(std::move(script))) {}
ScriptedServer::~ScriptedServer() = default;
Status ScriptedServer::open(const ListenOptions& options) { return impl_->open(options); }
std::uint16_t ScriptedServer::port() const { return impl_->port(); }
std::string ScriptedServer::url() const { return impl_->url(); }
void ScriptedServer::run(const std::atomic<bool>& stop) { impl_->run(stop); }
void ScriptedServer::wake() { impl_->wake(); }
EndpointStats ScriptedServer::stats() const { return impl_->stats(); }

}  // namespace scoville::endpoint
