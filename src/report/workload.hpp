#pragma once

#include <string>

#include "base/json.hpp"
#include "workload/learn.hpp"

namespace scoville::report {

/// What was learned, for a terminal. `name` stands for the workload.
std::string workload_table(const workload::Learned& learned, const std::string& name);

/// The same as an object, docs/formats/requests.md. `file`: where the workload was written to.
json::object workload_json(const workload::Learned& learned, const std::string& file);

}  // namespace scoville::report
