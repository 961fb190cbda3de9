#pragma once

#include <string>
#include <string_view>

namespace scoville::cli {

/// What a calibration holds for: processor, number of processors, kernel, method. Two machines that are alike share
/// one; it holds no name of a host.
std::string machine_key();

/// The same from /proc/cpuinfo and the rest, for tests.
std::string machine_key_from(std::string_view cpuinfo, unsigned processors, std::string_view kernel);

}  // namespace scoville::cli
