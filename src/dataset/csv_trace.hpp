#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

/// Reads a trace whose rows are single requests. `names`: the columns that it needs, wherever they stand; `take` gets
/// their fields in that order and says what is wrong with them. An Error where the head lacks a column.
using TakeFields = std::function<Result<WorkloadChain>(const std::vector<std::string_view>& fields)>;
Result<Workload> read_csv_trace(std::string_view content, const std::vector<std::string_view>& names,
                                const TakeFields& take);

/// A field with a whole number of tokens.
Result<std::uint32_t> tokens_of(std::string_view field, std::string_view name);

/// "2023-11-16 18:15:46.6805900", with a T and an offset such as +00:00 or Z if it likes: from 1970 on. Empty: it is
/// no such time.
std::optional<Nanos> parse_timestamp(std::string_view text);

}  // namespace scoville::dataset
