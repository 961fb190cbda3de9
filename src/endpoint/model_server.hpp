#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "endpoint/endpoint_stats.hpp"
#include "endpoint/listening.hpp"

namespace scoville::endpoint {

/// An OpenAI-compatible server before a child process that computes: real tokens of a real model.
///
/// Chat completions, completions, models, tokenize, health and metrics, in the texts of the scripted server. Until the
/// child says that it is ready, /health answers 503. A client that goes away has its requests cancelled.
///
/// States: made → open() → run() until `stop`, or until the child has ended: what was running then fails with an error.
class ModelServer {
 public:
  /// The child: a path, and its arguments.
  ModelServer(std::string program, std::vector<std::string> arguments);
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  /// See start_listening(). Starts the child.
  Status open(const ListenOptions& options);

  std::uint16_t port() const;
  std::string url() const;

  /// The error: how the child ended before `stop`.
  Status run(const std::atomic<bool>& stop);
  /// From any thread or signal handler.
  void wake();

  /// Not while another thread is in run().
  EndpointStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scoville::endpoint
