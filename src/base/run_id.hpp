#pragma once

#include <string>

namespace scoville {

/// A name for a run that sorts by time and meets no other: "20261130T101530Z-9f3c2a71".
std::string new_run_id();

}  // namespace scoville
