#pragma once

#include <string>
#include <string_view>

#include "event/fingerprint.hpp"

namespace scoville::environment {

/// Whether a name may stand before a secret: it holds secret, token, api, access, pass, key or credential in any case.
/// Rather one harmless variable too few than one key in a report that is sent round.
bool is_secret_variable(std::string_view name);
/// Whether a variable of this name holds a place, which differs between machines that behave alike.
bool is_place_variable(std::string_view name);

/// The text with user:password@ of its URLs and with what has the shape of an access token masked.
std::string without_secrets(std::string_view text);

/// What tells this machine from another of its make: host name, serial numbers, UUIDs, addresses. The fields that are
/// nothing else are gone; UUIDs, IP and MAC addresses and the host name inside free text are replaced by "(redacted)".
event::Fingerprint redacted(const event::Fingerprint& print);

}  // namespace scoville::environment
