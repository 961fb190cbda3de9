#include "trace/table.hpp"

#include <algorithm>

namespace scoville::trace {

void settle(OperatorTable& table) {
  Nanos sum{};
  for (const OperatorRow& row : table.rows) sum += row.time.value_or(Nanos(0));
  for (OperatorRow& row : table.rows) {
    if (row.time && sum.count() > 0) row.share = to_seconds(*row.time) / to_seconds(sum);
    std::sort(row.kernels.begin(), row.kernels.end(), [](const KernelUse& a, const KernelUse& b) {
      return a.time != b.time ? a.time > b.time : a.name < b.name;
    });
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
    const std::int64_t first = a.time ? a.time->count() : -1, second = b.time ? b.time->count() : -1;
    return first != second ? first > second : a.name < b.name;
  });
}

}  // namespace scoville::trace
