#pragma once

#include <string>

#include "base/result.hpp"

namespace scoville::wire {

/// Writes a new key and a certificate that it signed itself, good for one hour, as PEM files: for an endpoint of ours
/// that is gone by then. `names` as OpenSSL writes alternative names: "DNS:localhost,IP:127.0.0.1".
Status write_self_signed(const std::string& names, const std::string& cert_file, const std::string& key_file);

}  // namespace scoville::wire
