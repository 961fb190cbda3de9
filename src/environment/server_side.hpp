#pragma once

#include <functional>
#include <string>

#include "environment/ask.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

struct ServerQuestion {
  std::string model;                       ///< the model that is measured; empty: the first that the server lists
  std::string host;                        ///< of the base URL: says whether this is a hosted API
  Nanos budget = std::chrono::seconds(6);  ///< no request begins after that
  std::function<Instant()> clock;          ///< empty: the system's
};

/// What the server tells of itself: `engine.*`, `model.*` and `service.*` (docs/formats/fingerprint-server.md), each
/// with the path that said it.
///
/// Asks /v1/models first: who owns the model mostly names the engine, and then only this engine's own paths are asked.
/// Else /version, /server_info, /model_info, /props, /info, Ollama's and /metrics follow, until one gives the engine
/// away. A hosted API is asked for its models and nothing else: it has no other path for us.
///
/// A key that the paths asked could have told and did not is `denied` where one of them answered 401 or 403, `error`
/// where one gave no answer that can be read in time, else `absent`. `post` may be empty: then /api/show is not asked.
event::Fingerprint observe_server(const Get& get, const Post& post, const ServerQuestion& question);

}  // namespace scoville::environment
