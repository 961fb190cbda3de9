#pragma once

#include <string>
#include <string_view>

namespace scoville::cli {

/// A machine without its name: processor, number of processors, kernel. Two machines that are alike share one.
std::string machine_without_name();

/// What a calibration holds for: processor, number of processors, kernel, method. Two machines that are alike share
/// one; it holds no name of a host.
std::string machine_key();

/// machine_without_name() from /proc/cpuinfo and the rest, for tests.
std::string machine_from(std::string_view cpuinfo, unsigned processors, std::string_view kernel);

}  // namespace scoville::cli
