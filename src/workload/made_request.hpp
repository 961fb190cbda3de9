#pragma once

#include <string>
#include <vector>

#include "workload/logged_request.hpp"

namespace scoville::workload {

/// For tests: a request at that second (of 2026), `took` seconds long, with these messages ("sua" and a number each).
inline LoggedRequest made_request(double at_s, double took_s, const std::string& roles = "",
                                  const std::vector<std::uint64_t>& messages = {}) {
  LoggedRequest row;
  row.at = std::chrono::seconds(1'780'000'000) + from_seconds(at_s);
  row.e2e = from_seconds(took_s);
  row.model = "m";
  if (roles.empty()) return row;
  row.prompt.emplace();
  row.prompt->roles = roles;
  row.prompt->message_hashes = messages;
  row.prompt->message_chars.assign(messages.size(), 100);
  row.prompt->chars = 100 * messages.size();
  return row;
}

}  // namespace scoville::workload
