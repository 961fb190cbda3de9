#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "testing/certificate.hpp"
#include "wire/fd.hpp"

struct ssl_ctx_st;

namespace scoville::testing {

/// What a peer does with one request, once the whole of it has come.
struct Answer {
  enum class Then {
    keep,  ///< the next request may come
    fin,
    rst,
    hold,  ///< silent and open until the client leaves
  };

  std::string bytes = {};  ///< sent as they are; may be empty
  Then then = Then::keep;
  std::size_t until_requests = 0;  ///< what follows waits until so many requests have come over all connections
  std::string rest = {};           ///< sent after that wait
};

/// The answers of one connection, in order; the last serves every request beyond.
using Answers = std::vector<Answer>;

/// A server that does to each connection what a script says: over TCP or a unix socket, plain or under TLS.
///
/// Nothing in it waits for time: each step follows from bytes that came, so a test that uses it never sleeps. Scripts
/// are given out in the order in which connections send their first request (one that only knocks uses none); the last
/// serves every connection beyond. A thread for each connection, blocking: the plainest thing that can be trusted.
class ScriptedPeer {
 public:
  struct Options {
    std::string host = "127.0.0.1";
    std::string unix_path = {};                  ///< a unix socket instead of TCP
    const Certificate* certificate = nullptr;    ///< speaks TLS with it
    const Certificate* client_issuer = nullptr;  ///< asks clients for a certificate signed by it
    bool is_proxy = false;                       ///< grants a CONNECT before anything else
    std::function<void(std::size_t)> on_request =
        {};  ///< told how many requests have come, before this one is answered
  };

  explicit ScriptedPeer(std::vector<Answers> connections) : ScriptedPeer(std::move(connections), Options()) {}
  ScriptedPeer(std::vector<Answers> connections, Options options);
  ~ScriptedPeer();
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;

  std::string url() const;
  std::uint16_t port() const { return port_; }
  /// Heads and bodies that came, in order.
  std::vector<std::string> requests() const;
  /// Connections that sent a request.
  std::size_t connections() const;

  /// New connections are refused from here on.
  void refuse();
  /// The server dies: refuse(), and every open connection is closed.
  void die();

 private:
  class Line;
  void accept_all();
  void serve(Line& line);
  bool answer(Line& line, const Answer& answer);
  const Answers& next_script();

  const std::vector<Answers> scripts_;
  const Options options_;
  wire::Fd listener_, refusal_;  // the second becomes readable when no more are to be taken
  std::uint16_t port_ = 0;
  ssl_ctx_st* tls_ = nullptr;

  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> requests_;
  std::size_t scripts_used_ = 0;
  bool is_dead_ = false;
  std::list<std::unique_ptr<Line>> lines_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace scoville::testing
