#include <algorithm>
#include <array>
#include <charconv>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;

constexpr double kMillis = 1000;
constexpr std::array<Theirs, 8> kRows{{
    {"TTFT", Metric::ttft, Definition::ttft_documented, Unit::seconds, kMillis},
    {"TPOT", Metric::tpot, Definition::tpot_documented, Unit::seconds, kMillis},
    {"ITL", Metric::icl, Definition::icl_documented, Unit::seconds, kMillis},
    {"E2EL", Metric::e2e, Definition::e2e_response_end, Unit::seconds, kMillis},
    {"InputTokens", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"OutputTokens", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
    {"OutputTokenThroughput", Metric::none, Definition::inverse_tpot, Unit::tokens_per_second},
    {"PrefillTokenThroughput", Metric::none, Definition::other, Unit::tokens_per_second},
}};
constexpr std::array<Theirs, 6> kRates{{
    {"Request Throughput", Metric::requests_per_s, Definition::rate_documented, Unit::per_second},
    {"Input Token Throughput", Metric::input_tokens_per_s, Definition::rate_documented, Unit::tokens_per_second},
    {"Output Token Throughput", Metric::output_tokens_per_s, Definition::rate_documented, Unit::tokens_per_second},
    {"Total Token Throughput", Metric::total_tokens_per_s, Definition::rate_documented, Unit::tokens_per_second},
    {"Concurrency", Metric::in_flight_mean, Definition::in_flight_sum, Unit::requests},
    {"Prefill Token Throughput", Metric::none, Definition::other, Unit::tokens_per_second},
}};

/// "7503.7 ms": a number, then perhaps its unit. Empty: no number.
struct Measure {
  std::optional<double> value;
  std::string_view unit;
};
Measure parse_measure(std::string_view word) {
  const std::size_t begin = word.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  word.remove_prefix(begin);
  double value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc()) return {};
  std::string_view unit = word.substr(static_cast<std::size_t>(end - word.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  return {value, unit.substr(0, unit.find_last_not_of(" \r\"") + 1)};
}

/// A number or a text with one: {"total": "8.5 token/s"}. Of a run that looked for a steady part: "stable".
std::optional<double> total_of(const Members& file, std::string_view key, std::string_view& unit) {
  if (!file.has(key)) return std::nullopt;
  const json::value* found = &file.object().at(key);
  std::string where(key);
  if (const json::object* const stages = found->if_object()) {
    const char* const stage = stages->contains("total") ? "total" : "stable";
    found = stages->if_contains(stage);
    where += std::string(".") + stage;
    if (!found) return std::nullopt;
  }
  if (found->is_number()) return found->to_number<double>();
  const Measure measure = found->is_string() ? parse_measure(found->get_string()) : Measure();
  if (!measure.value) file.fault().set(where, Msg::external_expected_number);
  unit = measure.unit;
  return measure.value;
}

std::optional<std::int64_t> count_of(const Members& file, std::string_view key) {
  std::string_view unit;
  const auto value = total_of(file, key, unit);
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string_view without_return(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// What a column of the table is: "Average" is a mean, "P75" P75; empty for the others.
std::string statistic_of(std::string_view column) {
  if (column == "Average") return "mean";
  if (column == "Median") return "p50";
  if (column == "Min") return "min";
  if (column == "Max") return "max";
  return column.starts_with('P') ? percentile(column) : "";
}

void begin(ExternalResult& out, const char* part) {
  out.tool = Tool::aisbench;
  out.part = part;
  out.duration_rule = DurationRule::run;
}

void read_row(ExternalResult& out, const std::vector<std::string_view>& columns,
              const std::vector<std::string_view>& cells, Fault& fault, std::size_t line) {
  const auto what = std::find_if(kRows.begin(), kRows.end(), [&](const auto& each) { return each.name == cells[0]; });
  if (what == kRows.end()) return;
  const bool is_mean_alone = what->unit == Unit::tokens;
  for (std::size_t i = 2; i < cells.size(); ++i) {
    const std::string statistic = statistic_of(columns[i]);
    if (statistic.empty() || (is_mean_alone && statistic != "mean")) continue;
    const Measure measure = parse_measure(cells[i]);
    const std::string as = std::string(what->name) + "." + std::string(columns[i]);
    if (!measure.value && !cells[i].empty() && cells[i] != "nan")
      fault.set(say(Msg::external_line, line, say(Msg::external_expected, as, say(Msg::external_expected_number))));
    Theirs in_unit = *what;
    if (in_unit.unit == Unit::seconds && measure.unit == "s") in_unit.divisor = 1;
    put_value(out, measure.value, as, in_unit, statistic);
  }
}

}  // namespace

bool is_aisbench(const json::object& object) {
  return has_all(object, {"Benchmark Duration", "Request Throughput"}) ||
         has_all(object, {"Request Throughput", "Output Token Throughput"});
}

ExternalResult read_aisbench(const Members& file) {
  ExternalResult out;
  begin(out, "summary");
  out.load.concurrency = count_of(file, "Max Concurrency");
  out.load.requests = count_of(file, "Total Requests");
  out.counts.completed = count_of(file, "Success Requests");
  out.counts.failed = count_of(file, "Failed Requests");
  std::string_view unit;
  if (const auto duration = total_of(file, "Benchmark Duration", unit))
    out.duration_s = unit == "s" ? *duration : *duration / kMillis;
  for (const Theirs& what : kRates) {
    std::string_view of;
    if (file.has(what.name)) put_value(out, total_of(file, what.name, of), std::string(what.name), what);
  }
  return out;
}

bool is_aisbench_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.starts_with("Performance Parameters,");
}

ExternalResult read_aisbench_csv(std::string_view text, Fault& fault) {
  ExternalResult out;
  begin(out, "percentiles");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<std::string_view> lines = split(text, '\n');
  const std::vector<std::string_view> columns = split(without_return(lines[0]), ',');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = without_return(lines[i]);
    if (line.empty()) continue;
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() != columns.size()) {
      const std::string expected = say(Msg::external_expected_columns, columns.size());
      fault.set(say(Msg::external_line, i + 1, say(Msg::external_expected, "columns", expected)));
      return out;
    }
    read_row(out, columns, cells, fault, i + 1);
  }
  return out;
}

}  // namespace scoville::evidence
