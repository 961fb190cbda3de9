#include "report/bench_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

namespace scoville::report {
namespace {

using event::RequestRecord;

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// To the nanosecond, without rounding.
std::string seconds(Moment at, Instant start) {
  if (!at) return "";
  const std::int64_t span = (*at - start).count(), size = span < 0 ? -span : span;
  return fmt::format("{}{}.{:09}", span < 0 ? "-" : "", size / 1'000'000'000, size % 1'000'000'000);
}

std::string millis(std::optional<Nanos> span) { return span ? fmt::format("{:.6f}", to_millis(*span)) : ""; }

std::optional<Nanos> since_zero(const RequestRecord& record, Moment at) {
  if (!record.succeeded() || !record.zero() || !at) return std::nullopt;
  return *at - *record.zero();
}

template <class Number>
std::string known(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
}
std::string unless_zero(std::uint32_t number) { return number ? fmt::format("{}", number) : ""; }

/// A column: its name, and what stands in it.
struct Column {
  const char* name;
  std::function<std::string(const RequestRecord&)> field;
};

std::vector<Column> columns(Instant start) {
  using R = const RequestRecord&;
  return {
      {"index", [](R r) { return fmt::format("{}", r.index); }},
      {"attempt", [](R r) { return fmt::format("{}", r.attempt); }},
      {"due_s", [=](R r) { return seconds(r.due, start); }},
      {"dequeued_s", [=](R r) { return seconds(r.dequeued, start); }},
      {"written_s", [=](R r) { return seconds(r.written, start); }},
      {"first_token_s", [=](R r) { return seconds(r.first_token, start); }},
      {"last_token_s", [=](R r) { return seconds(r.last_token, start); }},
      {"end_s", [=](R r) { return seconds(r.end, start); }},
      {"failed_s", [=](R r) { return seconds(r.failed_at, start); }},
      {"ttft_ms", [](R r) { return millis(since_zero(r, r.first_token)); }},
      {"tpot_ms", [](R r) { return r.succeeded() ? millis(event::tpot(r)) : ""; }},
      {"e2e_ms", [](R r) { return millis(since_zero(r, r.end)); }},
      {"n_out", [](R r) { return known(r.n_out); }},
      {"max_tokens", [](R r) { return unless_zero(r.max_tokens); }},
      {"prompt_tokens", [](R r) { return known(r.prompt_tokens); }},
      {"cached_tokens", [](R r) { return known(r.cached_tokens); }},
      {"failure", [](R r) { return r.succeeded() ? "" : std::string(event::name_of(r.failure)); }},
      {"http_status", [](R r) { return unless_zero(r.http_status); }},
      {"finish_reason", [](R r) { return r.finish_reason; }},
      {"flags", [](R r) { return fmt::format("{}", fmt::join(r.flags.names(), " ")); }},
      {"error", [](R r) { return r.error_message; }},
  };
}

}  // namespace

Result<std::string> bench_csv(const run::RunResult& run) {
  const std::vector<Column> all = columns(run.start);
  const auto line = [&](const std::function<std::string(const Column&)>& field) {
    std::string out;
    for (const Column& each : all) out += (&each == all.data() ? "" : ",") + quoted(field(each));
    return out + "\r\n";
  };
  std::vector<std::tuple<std::uint64_t, std::uint16_t, std::string>> rows;
  const Status read = run.for_each_record([&](const RequestRecord& record) {
    rows.emplace_back(record.index, record.attempt, line([&](const Column& each) { return each.field(record); }));
  });
  if (!read) return read.error();
  std::sort(rows.begin(), rows.end());
  std::string out = line([](const Column& each) { return std::string(each.name); });
  for (const auto& row : rows) out += std::get<2>(row);
  return out;
}

}  // namespace scoville::report
