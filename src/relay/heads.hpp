#pragma once

#include <string>
#include <string_view>

#include "wire/http_message.hpp"
#include "wire/url.hpp"

namespace scoville::relay {

/// How long a body is, told to who reads it.
enum class Framing {
  none,
  length,     ///< Content-Length
  chunked,    ///< each piece a chunk of its own, as it came
  until_end,  ///< up to the end of the connection: clients of HTTP/1.0
};

/// Where a request goes: its path behind that of `to`, unless it begins with it; a version segment that both have is
/// there once. A target with scheme and address (as to an HTTP proxy) loses them.
std::string target_at(const wire::Url& to, std::string_view target);

/// The head of a request as it is passed on. Host is that of `to`; fields of one hop, Expect (answered here) and
/// Accept-Encoding (what is packed cannot be counted) are left out.
std::string request_head(const wire::MessageHead& head, const wire::Url& to);
Framing framing_of_request(const wire::MessageHead& head);

Framing framing_of_answer(const wire::MessageHead& head, const wire::MessageHead& request, bool runs_to_the_end);
/// The head of an answer as it is passed on.
std::string answer_head(const wire::MessageHead& head, Framing framing, bool keeps_alive);

/// A piece of a body as `framing` has it.
void append_piece(std::string& out, std::string_view bytes, Framing framing);
/// What ends a body.
void append_end(std::string& out, Framing framing);

/// A whole answer of our own: a JSON error. The connection ends behind it.
std::string own_answer(int status, std::string_view code, std::string_view message);

}  // namespace scoville::relay
