#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/cells.hpp"
#include "report/fit.hpp"
#include "text/catalogue/fit.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using text::FitMsg;
using text::say;

std::optional<double> figure(const std::optional<fit::Value>& value) {
  return value ? std::optional(value->value) : std::nullopt;
}

std::string peak_cell(const fit::Peak& peak) {
  if (peak.is_absent) return kNone;
  return peak.value ? number(peak.value->value / 1e12) : "?";
}

std::string purpose_of(const fit::Device& device) {
  std::vector<std::string> words;
  if (device.is_for_inference) words.push_back(say(FitMsg::purpose_inference));
  if (device.is_for_training) words.push_back(say(FitMsg::purpose_training));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string or_question(const std::string& text, bool is_known) { return is_known ? text : "?"; }

}  // namespace

std::string devices_table(const fit::Catalogue& catalogue) {
  text::Table table({say(FitMsg::column_id), say(FitMsg::column_name), say(FitMsg::column_memory),
                     say(FitMsg::column_bandwidth), "BF16", "FP8", "INT8", say(FitMsg::column_purpose)});
  table.flush_left(1);
  table.flush_left(7);
  for (const fit::Device& each : catalogue.all()) {
    table.add_row({each.id, each.name, or_question(bytes_text(figure(each.memory)), each.memory.has_value()),
                   or_question(bandwidth_text(figure(each.bandwidth)), each.bandwidth.has_value()),
                   peak_cell(each.peak(fit::Precision::bf16)), peak_cell(each.peak(fit::Precision::fp8)),
                   peak_cell(each.peak(fit::Precision::int8)), purpose_of(each)});
  }
  return "\n" + table.render() + "\n  " + say(FitMsg::line_catalogue) + "\n";
}

}  // namespace scoville::report
