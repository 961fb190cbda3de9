#include <algorithm>
#include <charconv>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;

constexpr double kNanos = 1e9;

std::string_view trimmed(std::string_view word) {
  const std::size_t begin = word.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return word.substr(begin, word.find_last_not_of(" \t\r") - begin + 1);
}

struct Line {
  std::string_view key, value;
  std::size_t number = 0;
};

/// "key : value", one a line, up to the parameters of the test: below them the same words mean what was asked for.
std::vector<Line> lines_of(std::string_view text, std::vector<Line>& asked) {
  std::vector<Line> out;
  bool is_asked = false;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    is_asked = is_asked || line.starts_with("Test Parameters Used");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const Line pair{trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)), number};
    (is_asked ? asked : out).push_back(pair);
  }
  return out;
}

std::string_view value_of(const std::vector<Line>& lines, std::string_view key) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& each) { return each.key == key; });
  return found == lines.end() ? std::string_view() : found->value;
}

std::optional<double> number_of(std::string_view word) {
  double value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// "99.00 percentile " or "Mean " before the metric: which statistic it is. Empty: none.
std::string take_statistic(std::string_view& key) {
  for (const auto& [word, statistic] : {std::pair("Min ", "min"), {"Max ", "max"}, {"Mean ", "mean"}}) {
    if (!key.starts_with(word)) continue;
    key.remove_prefix(std::string_view(word).size());
    return statistic;
  }
  constexpr std::string_view between = " percentile ";
  const std::size_t at = key.find(between);
  if (at == std::string_view::npos) return "";
  std::string statistic = percentile(key.substr(0, at));
  key.remove_prefix(at + between.size());
  return statistic;
}

/// The metric's name has moved between versions, and between its mean and its percentiles.
std::optional<Theirs> metric_of(std::string_view name) {
  if (name == "latency (ns)") return Theirs{"latency", Metric::e2e, Definition::e2e_scheduled, Unit::seconds, kNanos};
  if (name == "First Token latency (ns)" || name == "first token latency (ns)")
    return Theirs{"first token latency", Metric::ttft, Definition::ttft_scheduled, Unit::seconds, kNanos};
  if (name == "Time to Output Token (ns)" || name == "Time per Output Token (ns)" ||
      name == "time to output token (ns)")
    return Theirs{"time to output token", Metric::tpot, Definition::tpot_from_latency, Unit::seconds, kNanos};
  return std::nullopt;
}

std::optional<Theirs> rate_of(std::string_view key) {
  if (key == "Completed samples per second" || key == "Samples per second")
    return Theirs{key, Metric::requests_per_s, Definition::rate_loadgen, Unit::per_second};
  if (key == "Scheduled samples per second")
    return Theirs{key, Metric::offered_per_s, Definition::rate_offered, Unit::per_second};
  if (key == "Completed tokens per second" || key == "Tokens per second")
    return Theirs{key, Metric::output_tokens_per_s, Definition::rate_loadgen, Unit::tokens_per_second};
  return std::nullopt;
}

bool is_known(const ExternalResult& out, std::string_view name, const std::string& statistic) {
  return std::any_of(out.figures.begin(), out.figures.end(),
                     [&](const Figure& each) { return each.their_name == name && each.statistic == statistic; });
}

void read_line(ExternalResult& out, const Line& line, Fault& fault) {
  std::string_view name = line.key;
  const std::string statistic = take_statistic(name);
  const std::optional<Theirs> what = statistic.empty() ? rate_of(line.key) : metric_of(name);
  if (!what || is_known(out, what->name, statistic)) return;
  const auto value = number_of(line.value);
  if (!value) {
    fault.set(say(Msg::external_line, line.number,
                  say(Msg::external_expected, line.key, say(Msg::external_expected_number))));
    return;
  }
  put_value(out, value, std::string(line.key), *what, statistic);
}

}  // namespace

bool is_loadgen(std::string_view text) {
  return text.substr(0, 4096).find("MLPerf Results Summary") != std::string_view::npos;
}

ExternalResult read_loadgen(std::string_view text, Fault& fault) {
  ExternalResult out;
  out.tool = Tool::loadgen;
  std::vector<Line> asked;
  const std::vector<Line> lines = lines_of(text, asked);
  out.endpoint = value_of(lines, "SUT name");
  const std::string_view scenario = value_of(lines, "Scenario"), verdict = value_of(lines, "Result is");
  out.load.arrivals = scenario;
  if (!verdict.empty()) out.load.arrivals += ", " + std::string(verdict);
  out.load.is_unlimited = scenario == "Offline";
  if (scenario == "Server") out.load.requests_per_s = number_of(value_of(asked, "target_qps"));
  out.duration_rule = DurationRule::issue;
  out.quantile_rule = QuantileRule::floor;
  out.token_source = TokenSource::reported;
  for (const Line& each : lines) read_line(out, each, fault);
  return out;
}

}  // namespace scoville::evidence
