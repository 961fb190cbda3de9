#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "event/request_record.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::report {

/// What was asked, where.
struct OnceSubject {
  std::string url, peer, model;
  Nanos dns_took{};
};

/// One request as one object, with the keys of tests/cases/README.md. `second`: the next one over the same connection,
/// or null.
json::object once_json(const event::RequestRecord& record, const event::RequestRecord* second,
                       const OnceSubject& subject, const plan::RequestShape& shape);

/// The same object for a server that could not be reached at all.
json::object once_unreachable_json(const Error& error, const plan::RequestShape& shape);

/// The same for a person: a time line of what arrived, tokens, usage, and what is odd about it, in words.
std::string once_timeline(const event::RequestRecord& record, const event::RequestRecord* second,
                          const OnceSubject& subject, const plan::RequestShape& shape);

}  // namespace scoville::report
