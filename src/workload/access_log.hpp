#pragma once

#include <string_view>

#include "workload/logged_request.hpp"

namespace scoville::workload {

/// POST (or a log without a method) of a path that asks for text: …/chat/completions, /completions, /embeddings,
/// /responses, /messages, /generate, /generate_stream, /api/chat, /api/generate.
bool is_text_path(std::string_view method, std::string_view path);

/// Reads nginx's and Apache's combined and common formats:
/// `host - user [30/Nov/2026:10:15:30 +0800] "POST /v1/chat/completions HTTP/1.1" 200 5316 "referer" "agent" …`
///
/// Behind them, a number is the request's time in seconds (nginx's $request_time), and so is `rt=0.250`,
/// `request_time=0.250`; `rl=812`, `request_length=812` are the request's bytes. nginx writes a line when the answer
/// has ended: with its time known, the request came so much earlier. Bytes of the answer are kept as they stand.
/// Neither address nor user is.
LogRows read_access_log(std::string_view content);

/// Whether this line is one.
bool is_access_line(std::string_view line);

}  // namespace scoville::workload
