#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "workload/logged_request.hpp"

namespace scoville::workload {

inline constexpr std::string_view kRequestsFormat = "scoville.requests/1";

/// What begins a recording: a line of its own. A file that was added to holds several.
struct RecordingHead {
  std::string recording;  ///< its name, of no meaning but to tell it from others
  Nanos started{};        ///< since 1970
  std::string to;         ///< the server, without what stands in front of or behind its address
  std::string version;    ///< of this program
  bool keeps_bodies = false;
};
json::object to_json(const RecordingHead& head);

/// One line of docs/formats/requests.md.
json::object to_json(const LoggedRequest& row);

/// Reads what the two above wrote. Lines of other kinds of requests than for text are skipped, lines that cannot be
/// read go to `bad`.
LogRows read_requests_file(std::string_view content);

}  // namespace scoville::workload
