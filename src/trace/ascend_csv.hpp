#pragma once

#include <string>
#include <string_view>

#include "trace/rules.hpp"
#include "trace/table.hpp"

namespace scoville::trace {

/// Whether a line is the head of a list of Ascend's profiler that is read here.
bool is_ascend_head(std::string_view line);

/// Lists of Ascend's profiler, told by their columns, which are found by name (order and versions differ):
/// kernel_details.csv and op_summary_*.csv hold a row a task, with its time; op_statistic.csv a row a type of operator.
/// Rows that lack a figure are left out and counted: flag `rows_left_out`.
Result<OperatorTable> read_ascend_csv(const std::string& path, const Rules& rules);

}  // namespace scoville::trace
