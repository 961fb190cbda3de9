#include "trace/table.hpp"

#include <algorithm>
#include <string_view>

#include "dataset/jsonl_rows.hpp"

namespace scoville::trace {

namespace {

/// Every text of the file that is shown.
void make_printable(OperatorTable& table) {
  for (OperatorRow& row : table.rows) {
    row.name = printable(row.name);
    for (KernelUse& each : row.kernels) each.name = printable(each.name);
    for (Evidence& each : row.evidence) each.words = {printable(each.words.english), printable(each.words.chinese)};
  }
  for (std::string& each : table.devices) each = printable(each);
  for (DeviceUse& each : table.per_device) each.name = printable(each.name);
  table.backend = printable(table.backend);
  if (!table.log) return;
  for (std::string& each : table.log->preemption_modes) each = printable(each);
  for (std::string& each : table.log->unused_kernels) each = printable(each);
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 8192;
  text = text.substr(0, kLongest);
  std::string out;
  while (!text.empty()) {
    const std::size_t sound = dataset::first_invalid_utf8(text).value_or(text.size());
    for (const char c : text.substr(0, sound)) {
      const auto byte = static_cast<unsigned char>(c);
      out += byte < 0x20 || byte == 0x7f ? ' ' : c;
    }
    if (sound == text.size()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(sound + 1);
  }
  return out;
}

void settle(OperatorTable& table) {
  make_printable(table);
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
