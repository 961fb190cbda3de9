#pragma once

#include <string_view>

#include "base/result.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

inline constexpr std::string_view kWorkloadFormat = "scoville.workload/1";

/// Our own file of lengths, times, turns and shared prefixes (docs/formats/workload.md): JSON lines, a head and then
/// one chain a line. An Error where the head is not that of the format; a line that cannot be used goes to
/// Workload::bad.
Result<Workload> parse_workload_file(std::string_view content);

}  // namespace scoville::dataset
