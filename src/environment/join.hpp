#pragma once

#include "event/fingerprint.hpp"

namespace scoville::environment {

/// What each witness says of one system. Any of them may be empty.
struct Observations {
  event::Fingerprint server;       ///< its own paths
  event::Fingerprint process;      ///< its command line on this machine
  event::Fingerprint system;       ///< the file made on the machine with the devices
  event::Fingerprint model_files;  ///< the weights it is said to serve
  event::Fingerprint engine_args;  ///< the user's word
};

/// All of them in one: of two that know a key the later wins, except that a command line does not overrule the server's
/// own setting ("auto" there is bfloat16 here). Who does not know a key never hides who does.
///
/// `model.dtype`, `model.quantisation` and `model.context_length` are then filled, where the server does not tell them,
/// from the engine's settings, else from what lies in the weights (not so the length: an engine may serve less). Texts
/// are UTF-8 then, whatever bytes they came with.
event::Fingerprint join(const Observations& observations);

}  // namespace scoville::environment
