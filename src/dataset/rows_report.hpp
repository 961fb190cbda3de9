#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "dataset/jsonl_rows.hpp"
#include "dataset/warning.hpp"

namespace scoville::dataset {

/// "1, 3, 17, …": enough to find the fault, never a screenful.
std::string first_lines(std::span<const std::uint64_t> lines);

/// Every reason with its number of rows and the first of them: "no turns (2: row 1, 5); no answer (1: row 8)".
std::string reasons_of(std::span<const BadLine> bad);

/// Codes rows_left_out and rows_too_long; empty where there are none. `usable`: rows that are left.
std::optional<Warning> left_out_warning(const std::string& name, std::span<const BadLine> bad, std::size_t usable);
std::optional<Warning> too_long_warning(const std::string& name, std::span<const std::uint64_t> lines,
                                        std::uint32_t limit);

/// Why no row of a file can be used, in one sentence.
Error unusable(const std::string& name, std::span<const BadLine> bad);

}  // namespace scoville::dataset
