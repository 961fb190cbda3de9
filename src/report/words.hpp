#pragma once

#include <string>
#include <vector>

#include "environment/checklist.hpp"
#include "event/request_record.hpp"

namespace scoville::report {

/// A class of failure in words: "time-out: no token for too long (timeout_idle)".
std::string describe(event::Failure failure);

/// Why this request failed, in one line: class, status, the server's own words.
std::string describe(const event::RequestRecord& record);

/// What is odd about a request, one sentence a flag.
std::vector<std::string> oddities(const event::RequestRecord& record);
std::string describe(event::Flag flag);

/// "driver and firmware".
std::string title_of(environment::Row row);

}  // namespace scoville::report
