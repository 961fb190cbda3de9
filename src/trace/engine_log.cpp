#include "trace/engine_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/regex.hpp>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "text/catalogue/trace.hpp"
#include "trace/decimal.hpp"
#include "trace/log_phrases.hpp"

namespace scoville::trace {

namespace {

using text::phrase;
using text::TraceMsg;

using Kind = PhraseKind;
using Match = boost::match_results<std::string_view::const_iterator>;

bool finds(std::string_view text, const boost::regex& pattern, Match& match) {
  try {
    return boost::regex_search(text.begin(), text.end(), match, pattern);
  } catch (const std::exception&) {  // a line that takes too many steps says nothing
    return false;
  }
}

std::string group(const Match& match, const char* name) {
  const auto& found = match[name];
  return found.matched ? found.str() : std::string();
}

std::optional<std::uint64_t> number(const Match& match, const char* name) {
  const std::string digits = group(match, name);
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || fault != std::errc()) return std::nullopt;
  return value;
}

/// "2.00" and "GiB" into bytes.
std::optional<std::uint64_t> bytes_of(const std::string& size, const std::string& unit) {
  const std::optional<std::int64_t> thousandths = parse_decimal(size, 3);
  if (!thousandths || *thousandths < 0 || unit.empty()) return std::nullopt;
  constexpr std::string_view kLetters = "KMGT";
  const std::size_t power = kLetters.find(unit.front());
  double factor = 1;
  for (std::size_t i = 0; power != std::string_view::npos && i <= power; ++i) factor *= unit.size() > 2 ? 1024 : 1000;
  return static_cast<std::uint64_t>(static_cast<double>(*thousandths) / 1000 * factor + 0.5);
}

struct OpSum {
  std::uint64_t lines = 0;
  std::optional<std::uint64_t> calls;
  std::set<std::string> ranks, dtypes;  // rank "": none was written
  bool is_unsupported = false, is_deliberate = false, is_counted = false;
};

}  // namespace

struct LogReader::State {
  explicit State(const Phrases::Held& held) : rules(held) {}

  void take(std::string_view line);
  void apply(const Phrase& found, const Match& match, std::string_view line);
  void take_operators(const Phrase& found, const Match& match, std::string_view line);
  void take_counter(const std::string& name, std::uint64_t value);
  bool take_list_item(std::string_view line);
  void take_retraction(std::uint64_t count, std::string_view line);
  void take_offload(std::uint64_t done, std::uint64_t total, const std::string& source);
  std::string rank_of(std::string_view line) const;

  const Phrases::Held& rules;
  LogFindings found;
  std::map<std::string, OpSum> operators;
  std::string pending_counter, offload_source;
  bool in_list = false;
  std::deque<std::pair<std::string, std::set<std::string>>>
      retractions;  // the last lines without rank, ranks that said so
};

std::string LogReader::State::rank_of(std::string_view line) const {
  Match match;
  if (!finds(line, rules.ranks, match)) return "";
  for (std::size_t i = 1; i < match.size(); ++i) {
    if (match[static_cast<int>(i)].matched) return match[static_cast<int>(i)].str();
  }
  return "";
}

/// Counters are running totals, printed again and again: the largest counts.
void LogReader::State::take_counter(const std::string& name, std::uint64_t value) {
  const auto is_in = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const auto largest = [&](std::optional<std::uint64_t>& of) { of = std::max(of.value_or(0), value); };
  Match match;
  if (is_in(rules.sync_counters)) return largest(found.syncs);
  if (is_in(rules.recompile_counters)) return largest(found.recompiles);
  if (!finds(name, rules.fallback_counter, match)) return;
  OpSum& sum = operators[name];
  sum.is_counted = true;
  largest(sum.calls);
}

/// "12 aten::nonzero" below a heading.
bool LogReader::State::take_list_item(std::string_view line) {
  static const boost::regex kItem("(?:^|[\\s\\]:])(\\d+)[\\s,:]+((?:aten|hpu|torchvision|custom)::[\\w.]+)\\s*$");
  Match match;
  if (!finds(line, kItem, match)) return false;
  OpSum& sum = operators[match[2].str()];
  sum.is_counted = true;
  const std::optional<std::int64_t> calls = parse_decimal(match[1].str(), 0);
  if (calls) sum.calls = std::max(sum.calls.value_or(0), static_cast<std::uint64_t>(*calls));
  ++found.fallback_lines;
  return true;
}

void LogReader::State::take_operators(const Phrase& phrase, const Match& match, std::string_view line) {
  std::string names = group(match, "op");
  if (names.empty()) names = phrase.name;
  const std::string rank = rank_of(line), dtype = group(match, "dtype");
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::size_t first = names.find_first_not_of(" \t", begin);
    if (first < end) {
      OpSum& sum = operators[names.substr(first, end - first)];
      ++sum.lines;
      sum.ranks.insert(rank);
      if (!dtype.empty()) sum.dtypes.insert(dtype);
      if (const auto calls = number(match, "calls")) sum.calls = std::max(sum.calls.value_or(0), *calls);
      sum.is_unsupported = sum.is_unsupported || phrase.kind == Kind::unsupported;
      sum.is_deliberate = sum.is_deliberate || phrase.kind == Kind::deliberate;
    }
    begin = end + 1;
  }
  if (phrase.kind != Kind::unsupported) ++found.fallback_lines;
}

/// Ranks print their own copies of one event: equal lines but for the rank count once, as long as each rank says it
/// once.
void LogReader::State::take_retraction(std::uint64_t count, std::string_view line) {
  constexpr std::size_t kKept = 64;
  Match match;
  std::string key(line);
  if (finds(line, rules.ranks, match)) {
    key.erase(static_cast<std::size_t>(match[0].first - line.begin()), static_cast<std::size_t>(match[0].length()));
  }
  const std::string rank = rank_of(line);
  const auto known =
      std::find_if(retractions.begin(), retractions.end(), [&](const auto& each) { return each.first == key; });
  if (known != retractions.end() && known->second.insert(rank).second) return;
  if (known == retractions.end()) {
    retractions.emplace_back(std::move(key), std::set<std::string>{rank});
    if (retractions.size() > kKept) retractions.pop_front();
  } else {
    known->second = {rank};
  }
  found.retracted += count;
}

/// Two parts of one engine may say the same of one model, in words of their own.
void LogReader::State::take_offload(std::uint64_t done, std::uint64_t total, const std::string& source) {
  const std::pair<std::uint64_t, std::uint64_t> seen{done, total};
  const bool is_echo = !found.offload.empty() && found.offload.back() == seen && offload_source != source;
  offload_source = source;
  if (!is_echo && total > 0) found.offload.push_back(seen);
}

void LogReader::State::apply(const Phrase& phrase, const Match& match, std::string_view line) {
  if (!phrase.backend.empty() && found.backend.empty()) found.backend = phrase.backend;
  switch (phrase.kind) {
    case Kind::fallback:
    case Kind::deliberate:
    case Kind::unsupported:
      return take_operators(phrase, match, line);
    case Kind::fallback_list:
      in_list = true;
      return;
    case Kind::counter:
      pending_counter = group(match, "op");
      if (const auto value = number(match, "calls")) {
        take_counter(pending_counter, *value);
        pending_counter.clear();
      }
      return;
    case Kind::unused_kernel: {
      std::string reason = group(match, "reason");
      auto& list = found.unused_kernels;
      if (list.size() < 20 && std::find(list.begin(), list.end(), reason) == list.end())
        list.push_back(std::move(reason));
      return;
    }
    case Kind::offload:
      return take_offload(number(match, "done").value_or(0), number(match, "total").value_or(0), phrase.contains);
    case Kind::preemption: {
      ++found.preemption_lines;
      const std::uint64_t least = number(match, "count").value_or(found.preemption_lines);
      found.preemptions_at_least = std::max({found.preemptions_at_least, least, found.preemption_lines});
      const std::string mode = group(match, "mode");
      auto& modes = found.preemption_modes;
      if (!mode.empty() && std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
      return;
    }
    case Kind::retraction:
      return take_retraction(number(match, "count").value_or(1), line);
    case Kind::config_limit:
      ++found.config_limits;
      return;
    case Kind::out_of_memory:
      found.out_of_memory.push_back({number(match, "device"), bytes_of(group(match, "size"), group(match, "unit"))});
      return;
    case Kind::engine_dead: {
      if (found.is_engine_dead) return;
      found.is_engine_dead = true;
      found.dead_at_line = found.lines;
      Match time;
      if (finds(line, rules.times, time)) found.dead_at = time[0].str();
      return;
    }
    case Kind::http_500:
      ++found.http_500;
      return;
  }
}

void LogReader::State::take(std::string_view line) {
  ++found.lines;
  for (const std::string& prompt : rules.prompts) line = line.substr(0, line.find(prompt));
  Match match;
  if (!pending_counter.empty()) {
    static const boost::regex kValue("^\\s*Value: (?<calls>\\d+)");
    if (finds(line, kValue, match)) take_counter(pending_counter, number(match, "calls").value_or(0));
    pending_counter.clear();
  }
  if (in_list && !line.empty()) {
    if (take_list_item(line)) return;
    in_list = false;
  }
  for (const Phrase& each : rules.phrases) {
    if (line.find(each.contains) == std::string_view::npos || !finds(line, each.match, match)) continue;
    return apply(each, match, line);
  }
}

namespace {

OperatorRow row_of(const std::string& name, const OpSum& sum) {
  OperatorRow row;
  row.name = name;
  row.verdict = sum.is_unsupported ? Verdict::unsupported : Verdict::fallback;
  row.device = sum.is_unsupported ? "" : "host";
  row.calls = sum.calls;
  if (sum.is_counted) row.evidence.push_back({"runtime_counter", phrase(TraceMsg::trace_why_counter)});
  if (sum.is_deliberate) row.evidence.push_back({"deliberate", phrase(TraceMsg::trace_why_deliberate)});
  if (sum.lines == 0) return row;
  std::vector<std::string> ranks;
  for (const std::string& rank : sum.ranks) ranks.push_back(rank.empty() ? "–" : rank);
  const bool has_ranks = sum.ranks.size() > 1 || !sum.ranks.contains("");
  const std::string list = fmt::format("{}", fmt::join(ranks, ", "));
  row.evidence.push_back({"log_line", has_ranks ? phrase(TraceMsg::trace_why_logged_by, sum.lines, list)
                                                : phrase(TraceMsg::trace_why_logged, sum.lines)});
  if (!sum.dtypes.empty()) {
    const std::string kinds = fmt::format("{}", fmt::join(sum.dtypes, ", "));
    row.evidence.push_back({"for", phrase(TraceMsg::trace_why_for, kinds)});
  }
  return row;
}

}  // namespace

LogReader::LogReader(const Phrases& phrases) : state_(std::make_unique<State>(phrases.held())) {}
LogReader::~LogReader() = default;
void LogReader::take(std::string_view line) { state_->take(line); }

OperatorTable LogReader::table() const {
  OperatorTable table;
  table.kind = SourceKind::engine_log;
  table.log = state_->found;
  table.backend = state_->found.backend;
  for (const auto& [name, sum] : state_->operators) table.rows.push_back(row_of(name, sum));
  bool is_partly = false, is_not = false;
  for (const auto& [done, total] : table.log->offload) {
    is_partly = is_partly || done < total;
    is_not = is_not || done == 0;
  }
  if (is_not) table.flags.push_back("not_on_accelerator");
  if (is_partly) table.flags.push_back("partly_on_accelerator");
  if (table.log->is_engine_dead) table.flags.push_back("engine_dead");
  settle(table);
  return table;
}

Result<OperatorTable> read_engine_log(const std::string& path, const Phrases& phrases) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) return source.error();
  LineReader lines(**source);
  LogReader reader(phrases);
  std::string_view line;
  for (;;) {
    Result<bool> more = lines.next(line);
    if (!more) return more.error();
    if (!*more) break;
    reader.take(line);
  }
  OperatorTable table = reader.table();
  table.source = printable(path);
  if ((*source)->is_cut()) table.flags.push_back("truncated_log");
  return table;
}

}  // namespace scoville::trace
