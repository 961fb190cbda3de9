#include "wire/fetch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.hpp"
#include "text/catalogue.hpp"
#include "wire/connection.hpp"
#include "wire/inflate.hpp"
#include "wire/socket.hpp"

namespace scoville::wire {
namespace {

using text::Msg;
using text::say;

/// One request and its answer, from connect to the end of the body.
class Fetch final : public Connection::Owner, ResponseParser::Sink {
 public:
  Fetch(const Target& target, const FetchRequest& request)
      : bytes_(format_request(request.method, target.url.with_path(request.path), request.headers, request.body)) {
    parser_.start(request.method == "HEAD");
  }

  Result<Response> run(const Target& target, Nanos timeout) {
    EventLoop loop;
    if (Status opened = loop.open(); !opened) return opened.error();
    Connection connection(loop, target, *this);
    if (Status started = connection.start(); !started) return started.error();
    const Instant give_up = loop.clock() + timeout;
    while (!is_over_ && loop.read_clock() < give_up) loop.turn(give_up);
    if (!is_over_) return Error{ErrorCode::timed_out, say(Msg::fetch_timed_out, target.url.to_string())};
    if (!error_.message.empty()) return error_;
    return std::move(response_);
  }

 private:
  void on_open(Connection& connection) override { connection.send(bytes_); }
  void on_written(Connection&, Instant, Nanos) override {}

  void on_bytes(Connection&, char* data, std::size_t size, const ReadStamp&) override {
    switch (parser_.feed(data, size, ReadBuffer::kHeadroom, *this)) {
      case ResponseParser::State::open:
        return;
      case ResponseParser::State::failed:
        error_ = {ErrorCode::protocol, say(Msg::not_http, parser_.error())};
        [[fallthrough]];
      default:
        is_over_ = true;
    }
  }

  void on_closed(Connection&, const Connection::Closing& closing) override {
    if (is_over_) return;
    is_over_ = true;
    if (parser_.finish() == ResponseParser::State::complete) return;
    error_ = closing.error.message.empty() ? Error{ErrorCode::protocol, say(Msg::closed_early)} : closing.error;
  }

  void on_head(const ResponseHead& head) override { response_.head = head; }
  void on_body(std::string_view bytes) override {
    if (!Inflate::knows(response_.head.content_encoding)) {
      response_.body.append(bytes);
    } else if (!inflate_.feed(bytes, response_.body)) {
      error_ = {ErrorCode::protocol, say(Msg::not_http, response_.head.content_encoding)};
    }
  }

  std::string bytes_;
  ResponseParser parser_;
  Inflate inflate_;
  Response response_;
  Error error_;
  bool is_over_ = false;
};

/// Only opens and closes: finds out whether an address takes connections.
class Knock final : public Connection::Owner {
 public:
  Status run(const Target& target) {
    EventLoop loop;
    if (Status opened = loop.open(); !opened) return opened;
    Connection connection(loop, target, *this);
    if (Status started = connection.start(); !started) return started;
    const Instant give_up = loop.clock() + target.connect_timeout;
    while (!is_over_ && loop.read_clock() < give_up) loop.turn(give_up);
    if (!is_over_) {
      const bool is_silent = connection.state() == Connection::State::handshaking;
      return Error{ErrorCode::timed_out,
                   say(is_silent ? Msg::tls_silent : Msg::connect_timed_out, target.address.to_string())};
    }
    return outcome_;
  }

 private:
  void on_open(Connection&) override { is_over_ = true; }
  void on_bytes(Connection&, char*, std::size_t, const ReadStamp&) override {}
  void on_written(Connection&, Instant, Nanos) override {}
  void on_closed(Connection&, const Connection::Closing& closing) override {
    is_over_ = true;
    outcome_ = closing.error.message.empty() ? Error{ErrorCode::protocol, say(Msg::closed_early)} : closing.error;
  }

  Status outcome_ = Done{};
  bool is_over_ = false;
};

}  // namespace

std::string format_request(const std::string& method, const Url& url, const std::vector<Header>& headers,
                           const std::string& body) {
  std::string out =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", method, url.path.empty() ? "/" : url.path, url.authority());
  for (const Header& header : headers) out += fmt::format("{}: {}\r\n", header.name, header.value);
  if (!body.empty()) out += fmt::format("Content-Length: {}\r\n", body.size());
  out += "\r\n";
  out += body;
  return out;
}

Result<Response> fetch(const Target& target, const FetchRequest& request) {
  return Fetch(target, request).run(target, request.timeout);
}

Result<Target> make_target(const Url& url, const TargetOptions& options) {
  Target target;
  target.url = url;
  target.connect_timeout = options.connect_timeout;
  if (url.is_tls) {
    auto tls = TlsContext::make(options.tls);
    if (!tls) return tls.error();
    target.tls = std::move(*tls);
  }
  if (!options.proxy.empty()) {
    Result<Url> proxy = parse_url(options.proxy);
    if (!proxy) return std::move(proxy.error());
    target.proxy = *proxy;
  }
  Result<Resolved> resolved = resolve(target.proxy ? *target.proxy : url);
  if (!resolved) return resolved.error();
  target.dns_took = resolved->took;
  return pin_address(std::move(target), resolved->addresses);
}

Result<Target> pin_address(Target target, const std::vector<Address>& addresses) {
  Error last;
  for (const Address& address : addresses) {
    target.address = address;
    ++target.connect_attempts;
    Status knocked = Knock().run(target);
    if (knocked) return target;
    last = knocked.error();
    if (last.code == ErrorCode::tls) break;  // it is there, and says who it is: no other address mends that
  }
  return last;
}

}  // namespace scoville::wire
