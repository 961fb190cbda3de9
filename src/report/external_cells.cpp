#include "report/external_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/cells.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {

using evidence::Metric;
using evidence::Unit;
using text::Msg;
using text::say;

std::string external_cell(std::optional<double> value, Unit unit) {
  constexpr double century = 3e9;  // seconds: beyond what nanoseconds hold it is no latency
  if (!value) return kNone;
  if (unit == Unit::share) return fmt::format("{:.1f} %", *value * 100);
  if (unit == Unit::seconds && std::abs(*value) < century) return span(from_seconds(*value));
  return number(value);
}

std::string external_name(Metric metric) {
  switch (metric) {
    case Metric::none:
      return kNone;
    case Metric::ttft:
      return "TTFT";
    case Metric::ttfa:
      return "TTFA";
    case Metric::tpot:
      return "TPOT";
    case Metric::ntpot:
      return "NTPOT";
    case Metric::icl:
      return "ICL";
    case Metric::e2e:
      return "E2E";
    case Metric::requests_per_s:
      return say(Msg::row_request_rate) + " /s";
    case Metric::output_tokens_per_s:
      return say(Msg::row_output_rate) + " /s";
    case Metric::input_tokens_per_s:
      return say(Msg::external_row_input_rate) + " /s";
    case Metric::total_tokens_per_s:
      return say(Msg::row_total_rate) + " /s";
    case Metric::goodput_per_s:
      return say(Msg::external_row_goodput) + " /s";
    case Metric::offered_per_s:
      return say(Msg::external_row_offered) + " /s";
    case Metric::attainment:
      return say(Msg::external_row_attainment);
    case Metric::in_flight_mean:
      return say(Msg::external_row_in_flight);
    case Metric::in_flight_peak:
      return say(Msg::external_row_in_flight_peak);
    case Metric::mean_prompt_tokens:
      return say(Msg::external_row_prompt_tokens);
    case Metric::mean_output_tokens:
      return say(Msg::external_row_output_tokens);
  }
  return kNone;
}

std::string comparable_word(evidence::Comparable comparable) {
  return say(comparable == evidence::Comparable::yes       ? Msg::external_comparable_yes
             : comparable == evidence::Comparable::roughly ? Msg::external_comparable_roughly
                                                           : Msg::external_comparable_no);
}

std::string statistic_word(const std::string& statistic) {
  if (statistic == "mean") return say(Msg::column_mean);
  if (statistic == "max") return say(Msg::column_max);
  return statistic.starts_with('p') ? "P" + statistic.substr(1) : statistic;
}

std::string Notes::mark(evidence::Definition definition) {
  const auto found = std::find(met_.begin(), met_.end(), definition);
  const auto place = found - met_.begin() + 1;
  if (found == met_.end()) met_.push_back(definition);
  return fmt::format("[{}]", place);
}

}  // namespace scoville::report
