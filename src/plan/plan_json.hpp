#pragma once

#include "base/json.hpp"
#include "base/result.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::plan {

/// A plan as it is stored with its run (docs/formats/store.md), and back. Keys and header values are left out: they
/// may be secrets, and a stored plan is never sent.
json::object to_json(const LoadPlan& plan);
json::object to_json(const RequestShape& shape);
json::object to_json(const Limits& limits);

/// The error names the member at fault.
Result<LoadPlan> load_plan_from(const json::value& value);
Result<RequestShape> request_shape_from(const json::value& value);
Result<Limits> limits_from(const json::value& value);

}  // namespace scoville::plan
