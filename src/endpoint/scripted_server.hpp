#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "endpoint/endpoint_stats.hpp"
#include "endpoint/listening.hpp"
#include "plan/script.hpp"

namespace scoville::endpoint {

/// An OpenAI-compatible server that answers by a script: the ground truth that the instrument is held against.
///
/// One thread, one event loop. Every event is due at an absolute time that follows from the script and from the
/// kernel's stamp of the request, carries the clock read just before its send(), and its lateness is counted. Meant for
/// a process of its own: beside a client in the same thread it would measure itself.
///
/// States: made → open() → run(), any number of times, until `stop`.
class ScriptedServer {
 public:
  explicit ScriptedServer(plan::Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  /// See start_listening().
  Status open(const ListenOptions& options);

  /// 0 for a unix socket.
  std::uint16_t port() const;
  /// As a client would be told: "http://127.0.0.1:8000", "unix:///run/x.sock".
  std::string url() const;

  /// Serves until `stop` is true: at once after a signal to this thread or wake(), else within 200 ms.
  void run(const std::atomic<bool>& stop);
  /// From any thread or signal handler.
  void wake();

  /// Not while another thread is in run().
  EndpointStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scoville::endpoint
