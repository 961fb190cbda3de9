#pragma once

#include <string>

#include "base/json.hpp"
#include "migration/estimate.hpp"
#include "migration/log.hpp"

namespace scoville::report {

/// All that `next` has to say.
struct NextView {
  std::string log_file;
  migration::Log log;
  migration::Plan plan;
  migration::Estimate estimate;
};

/// docs/formats/migration.md.
json::object next_json(const NextView& view);
/// For a terminal of 100 columns: the stages, what the open ones ask and what it takes to leave, the work.
std::string next_table(const NextView& view);

/// The work alone, for other reports.
json::object migration_json(const migration::Plan& plan, const migration::Estimate& estimate);
std::string migration_table(const migration::Plan& plan, const migration::Estimate& estimate);

}  // namespace scoville::report
