#pragma once

#include <string>

#include "dataset/workload.hpp"

namespace scoville::dataset {

/// The lines of docs/formats/workload.md: a head, then one chain a line. `source` says where it comes from, for people.
std::string workload_lines(const Workload& workload, const std::string& source);

}  // namespace scoville::dataset
