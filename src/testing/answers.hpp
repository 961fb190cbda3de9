#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace scoville::testing {

/// A whole response with Content-Length. `head_lines` each end in CRLF.
std::string http(int status, std::string_view head_lines, std::string_view body);

/// The head of an event stream, and one HTTP chunk for each of these data lines: not ended.
std::string open_stream(std::initializer_list<std::string_view> data);
/// What ends it.
std::string end_of_stream();

/// {"choices":[{"index":0,"delta":{"content":"TEXT"},"finish_reason":null}]}
std::string delta(std::string_view text);

/// A whole chat answer: "a", "b", finish reason, usage of 2 tokens, [DONE]. The connection may be used again.
std::string chat_answer();
/// The same with "Connection: close" in its head.
std::string last_chat_answer();

}  // namespace scoville::testing
