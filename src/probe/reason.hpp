#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scoville::probe {

/// Why there is no number, or why it deserves doubt. Names are those of docs/formats/probe.md.
enum class Reason {
  absent_in_torch,  ///< the framework build has no such operator: not the device's fault
  unsupported,      ///< the device or its backend says that it cannot
  oom,
  timeout,  ///< nothing heard for longer than allowed; the probe was killed
  crash,    ///< the probe ended by a signal or without an answer
  no_permission,
  no_tool,    ///< a program, library or sensor that is needed is not there
  no_device,  ///< no such device, or none that can be reached
  oversubscribed,
  throttled,
  noisy,
  wrong_result,
  bad_request,      ///< parameters that the probe does not take
  not_implemented,  ///< a question that this probe does not answer
  failed,           ///< anything else; the message says what
};

std::string_view name_of(Reason reason);
/// Nullopt for a name of no reason.
std::optional<Reason> reason_named(std::string_view name);

/// A reason and the words that came with it.
struct Fault {
  Reason reason = Reason::failed;
  std::string message;
};

}  // namespace scoville::probe
