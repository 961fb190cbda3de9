#pragma once

#include <optional>

#include "analyse/analysis.hpp"

namespace scoville::analyse {

/// A whole job sent at once. Its tail is what follows the last moment at which at least 95 % of its slots were busy:
/// there the device waits for the longest rows, and a longer job would have no more of it.
struct OfflineJob {
  std::size_t rows = 0, succeeded = 0, failed = 0;
  bool is_complete = false;  ///< every row was sent and came to an end
  std::size_t slots = 0;
  Nanos took{};
  std::optional<double> rows_per_hour;           ///< of rows that succeeded
  std::optional<Nanos> tail;                     ///< empty: the slots were never all busy
  Rate output_tokens_per_s, total_tokens_per_s;  ///< full: of the whole job; steady: without the tail
};
OfflineJob offline_job(const Analysis& analysis, const plan::LoadPlan& plan);

}  // namespace scoville::analyse
