#pragma once

#include <string_view>

namespace scoville::environment {

/// The vendor whose API answers at this host name ("api.openai.com" → "openai"), "" for any other host.
///
/// Behind such a name is a service: which hardware answers, and how many share it, cannot be known.
std::string_view hosted_vendor(std::string_view host);

}  // namespace scoville::environment
