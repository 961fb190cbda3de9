#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/cells.hpp"
#include "report/trace.hpp"
#include "text/catalogue/trace.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using text::say;
using text::TraceMsg;
using trace::OperatorRow;
using trace::OperatorTable;

constexpr std::size_t kColumns = 100, kMostRows = 30, kNameColumns = 38;

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string percent(std::optional<double> share) { return share ? percent(*share) : kNone; }

std::string line(const std::string& sentence) { return text::wrapped("  " + sentence, kColumns, 4); }

std::string verdict_text(trace::Verdict verdict) {
  constexpr std::array<TraceMsg, 4> kWords{TraceMsg::trace_supported, TraceMsg::trace_fallback,
                                           TraceMsg::trace_unsupported, TraceMsg::trace_unknown};
  return say(kWords[static_cast<std::size_t>(verdict)]);
}

std::string place_text(const std::string& device) {
  if (device == "device") return say(TraceMsg::trace_on_device);
  if (device == "device_cpu") return "AI CPU";
  if (device == "host") return say(TraceMsg::trace_on_host);
  return kNone;
}

/// The origins with their parts, the largest first: "vendor 80 %, triton 20 %"; one alone stands without.
std::string origins_text(const OperatorRow& row) {
  constexpr std::array<TraceMsg, 5> kWords{TraceMsg::trace_vendor, TraceMsg::trace_framework, TraceMsg::trace_triton,
                                           TraceMsg::trace_custom, TraceMsg::trace_unknown};
  std::vector<std::pair<std::uint64_t, std::size_t>> found;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < row.origins.size(); ++i) {
    sum += row.origins[i];
    if (row.origins[i] > 0) found.emplace_back(row.origins[i], i);
  }
  std::sort(found.rbegin(), found.rend());
  if (found.empty()) return kNone;
  const std::string first = say(kWords[found[0].second]);
  if (found.size() == 1) return first;
  return fmt::format("{} {:.0f} %", first, 100.0 * static_cast<double>(found[0].first) / static_cast<double>(sum));
}

std::string head_lines(const OperatorTable& table) {
  constexpr std::array<TraceMsg, 4> kKinds{TraceMsg::trace_kind_trace, TraceMsg::trace_kind_kernels,
                                           TraceMsg::trace_kind_statistic, TraceMsg::trace_kind_log};
  std::string head = fmt::format("{}: {}", table.source, say(kKinds[static_cast<std::size_t>(table.kind)]));
  if (!table.backend.empty()) head += " · " + table.backend;
  for (const std::string& device : table.devices) head += " · " + device;
  if (table.events) head += " · " + say(TraceMsg::trace_events, *table.events);
  return text::wrapped(head, kColumns, 2);
}

std::string time_lines(const OperatorTable& table) {
  std::string out;
  if (table.span && table.utilisation) {
    out += line(say(TraceMsg::trace_busy, span(table.span), percent(table.utilisation), span(table.busy),
                    span(table.kernel_time)));
  }
  if (table.shares) {
    const trace::StepShares& shares = *table.shares;
    out += line(say(TraceMsg::trace_shares, percent(shares.compute), percent(shares.communication),
                    percent(shares.memory), percent(shares.host), percent(shares.idle)));
    if (shares.hidden_communication > 0) {
      out += line(say(TraceMsg::trace_hidden, percent(shares.hidden_communication)));
    }
  }
  return out;
}

std::string flag_text(const OperatorTable& table, const std::string& flag) {
  const std::string at = table.cut_at ? std::to_string(*table.cut_at) : kNone;
  if (flag == "truncated_trace" || flag == "truncated_log") return say(TraceMsg::trace_flag_cut, at);
  if (flag == "damaged_trace") return say(TraceMsg::trace_flag_damaged, at);
  if (flag == "unclosed_trace") return say(TraceMsg::trace_flag_unclosed);
  if (flag == "nonstandard_json") return say(TraceMsg::trace_flag_nonstandard);
  if (flag == "no_device_events") return say(TraceMsg::trace_flag_no_device, table.launches.value_or(0));
  if (flag == "no_events") return say(TraceMsg::trace_flag_no_events);
  if (flag == "events_without_time") return say(TraceMsg::trace_flag_no_time);
  if (flag == "names_beyond_limit") return say(TraceMsg::trace_flag_names);
  if (flag == "rows_left_out") return say(TraceMsg::trace_flag_rows);
  if (flag == "host_not_in_source") return say(TraceMsg::trace_flag_no_host);
  if (flag == "not_on_accelerator") return say(TraceMsg::trace_flag_not_on);
  if (flag == "partly_on_accelerator") return say(TraceMsg::trace_flag_partly_on);
  return "";  // said elsewhere: engine_dead
}

std::string rows_text(const OperatorTable& table) {
  if (table.rows.empty()) return "";
  text::Table rows({say(TraceMsg::trace_column_operator), say(TraceMsg::trace_column_verdict),
                    say(TraceMsg::trace_column_where), say(TraceMsg::trace_column_calls),
                    say(TraceMsg::trace_column_time), say(TraceMsg::trace_column_share),
                    say(TraceMsg::trace_column_origin)});
  rows.flush_left(1);
  rows.flush_left(2);
  rows.flush_left(6);
  const std::size_t shown = std::min(kMostRows, table.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const OperatorRow& row = table.rows[i];
    rows.add_row({text::shorten(row.name, kNameColumns), verdict_text(row.verdict), place_text(row.device),
                  row.calls ? std::to_string(*row.calls) : kNone, span(row.time), percent(row.share),
                  origins_text(row)});
  }
  std::string out = "\n" + rows.render();
  if (shown < table.rows.size()) out += line(say(TraceMsg::trace_more_rows, table.rows.size() - shown));
  return out;
}

/// Why, for those rows that somebody has to do something about; each reason once an operator.
std::string evidence_text(const OperatorTable& table) {
  std::string out;
  std::size_t shown = 0;
  for (const OperatorRow& row : table.rows) {
    const bool is_trouble = row.verdict == trace::Verdict::fallback || row.verdict == trace::Verdict::unsupported ||
                            row.device == "device_cpu";
    if (!is_trouble || row.evidence.empty() || ++shown > kMostRows) continue;
    std::vector<std::string> reasons;
    for (const trace::Evidence& each : row.evidence) reasons.push_back(each.words.said());
    out += line(fmt::format("{}: {}", text::shorten(row.name, kNameColumns), fmt::join(reasons, "; ")));
  }
  return out.empty() ? out : "\n" + out;
}

std::string log_lines(const OperatorTable& table) {
  if (!table.log) return "";
  const trace::LogFindings& log = *table.log;
  std::string out;
  const auto add = [&](bool is_there, const std::string& sentence) {
    if (is_there) out += line(sentence);
  };
  const std::string at = log.dead_at.empty() ? "" : " · " + log.dead_at;
  add(log.is_engine_dead, say(TraceMsg::trace_log_dead, log.dead_at_line, at));
  add(log.http_500 > 0, say(TraceMsg::trace_log_500, log.http_500));
  for (const auto& [done, total] : log.offload) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    add(true, say(TraceMsg::trace_log_offload, done, total, percent(share)));
  }
  for (const trace::LogFindings::OutOfMemory& each : log.out_of_memory) {
    const std::string size =
        each.bytes ? fmt::format("{:.2f} GiB", static_cast<double>(*each.bytes) / (1 << 30)) : kNone;
    add(true, say(TraceMsg::trace_log_memory, each.device ? std::to_string(*each.device) : say(TraceMsg::trace_unknown),
                  size));
  }
  add(log.config_limits > 0, say(TraceMsg::trace_log_limit, log.config_limits));
  add(log.preemptions_at_least > 0, say(TraceMsg::trace_log_preempted, log.preemptions_at_least, log.preemption_lines,
                                        fmt::format("{}", fmt::join(log.preemption_modes, ", "))));
  add(log.retracted > 0, say(TraceMsg::trace_log_retracted, log.retracted));
  add(log.syncs.has_value(), say(TraceMsg::trace_log_syncs, log.syncs.value_or(0)));
  add(log.recompiles.has_value(), say(TraceMsg::trace_log_recompiles, log.recompiles.value_or(0)));
  for (const std::string& each : log.unused_kernels) out += line(each);
  add(out.empty() && table.rows.empty(), say(TraceMsg::trace_log_nothing, log.lines));
  return out;
}

}  // namespace

std::string trace_table(const OperatorTable& table) {
  std::string out = head_lines(table) + time_lines(table);
  for (const std::string& flag : table.flags) {
    if (const std::string words = flag_text(table, flag); !words.empty()) out += line("! " + words);
  }
  return out + log_lines(table) + rows_text(table) + evidence_text(table);
}

}  // namespace scoville::report
