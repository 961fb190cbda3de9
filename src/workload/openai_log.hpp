#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "workload/logged_request.hpp"
#include "workload/prompt_reader.hpp"

namespace scoville::workload {

/// Reads lines of JSON with requests as gateways, SDK wrappers and batch files log them.
///
/// The request stands under request, body, request_body, kwargs, or is the line itself; request.body and input.body are
/// looked into. The answer stands under response, response.body, response_body, answer or output; a usage may stand
/// beside it. Texts of JSON within JSON are read. A time is looked for under timestamp, @timestamp, time, ts,
/// start_time, startTime, created_at, request_time, created, then in the answer (created): numbers since 1970 and ISO
/// 8601. A duration under latency_ms, duration_ms, e2e_ms (ms), latency, duration, elapsed (s), or its end
/// under end_time, endTime, completed_at.
LogRows read_openai_log(std::string_view content, const SaltedHash& hash, std::string_view session_field = {});

/// Token counts of a usage object in any of the spellings in use.
struct Usage {
  std::optional<std::uint32_t> input, output, cached;
};
Usage read_usage(const json::object& usage);

/// Characters of the text of a whole answer (choices, content, output), and the text itself.
std::string answer_text(const json::object& answer);
/// What of it clients send back as history: no thoughts, no calls.
std::string answer_content(const json::object& answer);

}  // namespace scoville::workload
