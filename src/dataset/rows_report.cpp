#include "dataset/rows_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kNamed = 5;   // lines, and reasons
constexpr std::size_t kKept = 100;  // reasons told apart

}  // namespace

std::string first_lines(std::span<const std::uint64_t> lines) {
  std::string list;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == kNamed) return list + ", …";
    list += fmt::format("{}{}", i ? ", " : "", lines[i]);
  }
  return list;
}

std::string reasons_of(std::span<const BadLine> bad) {
  std::vector<std::pair<std::string_view, std::vector<std::uint64_t>>> reasons;
  std::size_t others = 0;
  for (const BadLine& each : bad) {
    auto known =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) { return reason.first == each.reason; });
    if (known == reasons.end() && reasons.size() == kKept) {
      ++others;
      continue;
    }
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {each.reason, {}});
    known->second.push_back(each.line);
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string list;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i >= kNamed) {
      others += reasons[i].second.size();
      continue;
    }
    list += list.empty() ? "" : "; ";
    list += say(Msg::rows_reason, reasons[i].first, reasons[i].second.size(), first_lines(reasons[i].second));
  }
  return others ? list + "; " + say(Msg::rows_more_reasons, others) : list;
}

std::optional<Warning> left_out_warning(const std::string& name, std::span<const BadLine> bad, std::size_t usable) {
  if (bad.empty()) return std::nullopt;
  return make_warning("rows_left_out", Msg::rows_left_out, name, bad.size(), bad.size() + usable, reasons_of(bad));
}

std::optional<Warning> too_long_warning(const std::string& name, std::span<const std::uint64_t> lines,
                                        std::uint32_t limit) {
  if (lines.empty()) return std::nullopt;
  return make_warning("rows_too_long", Msg::rows_too_long, name, lines.size(), first_lines(lines), limit);
}

Error unusable(const std::string& name, std::span<const BadLine> bad) {
  return {ErrorCode::invalid_argument,
          say(Msg::jsonl_unusable, name, bad.empty() ? say(Msg::jsonl_no_line) : reasons_of(bad))};
}

}  // namespace scoville::dataset
