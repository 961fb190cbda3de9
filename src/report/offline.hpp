#pragma once

#include <string>

#include "analyse/offline.hpp"
#include "base/json.hpp"

namespace scoville::report {

/// What `bench --offline` says of the job, for a terminal and as an object (docs/formats/run.md).
std::string offline_table(const analyse::OfflineJob& job);
json::object offline_json(const analyse::OfflineJob& job);

}  // namespace scoville::report
