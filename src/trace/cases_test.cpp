#include <doctest/doctest.h>

#include <algorithm>

#include "dataset/case_file.hpp"
#include "trace/read.hpp"

namespace scoville::trace {
namespace {

OperatorTable table_of(const std::string& file) {
  Result<OperatorTable> table = read_operators(SCOVILLE_CASES_DIR "/" + file);
  REQUIRE_MESSAGE(table.ok(), table.error().message);
  return *std::move(table);
}

json::array flags_of(const OperatorTable& table) {
  json::array out;
  for (const std::string& flag : table.flags) out.push_back(json::string(flag));
  return out;
}

double micros(std::optional<Nanos> span) { return span ? static_cast<double>(span->count()) / 1e3 : -1; }

/// Every key that the case expects, as this module has it.
json::value found(const OperatorTable& table, std::string_view key) {
  if (key == "events") return table.events.value_or(0);
  if (key == "busy_us") return micros(table.busy);
  if (key == "sum_us") return micros(table.kernel_time);
  if (key == "span_us") return micros(table.span);
  if (key == "busy_ns") return table.busy->count();
  if (key == "gap_ns") return table.gap->count();
  if (key == "kernels") return table.kernels.value_or(99);
  if (key == "launches") return table.launches.value_or(99);
  if (key == "util") return number_or_null(table.utilisation);
  REQUIRE(table.log);
  const LogFindings& log = *table.log;
  if (key == "backend") return json::string(log.backend);
  if (key == "fallback_lines") return log.fallback_lines;
  if (key == "syncs") return log.syncs.value_or(0);
  if (key == "recompiles") return log.recompiles.value_or(0);
  if (key == "lines") return log.preemption_lines;
  if (key == "preemptions_min" || key == "preemptions") return log.preemptions_at_least;
  if (key == "modes") return json::value_from(log.preemption_modes);
  if (key == "retracted") return log.retracted;
  if (key == "config_limit") return log.config_limits;
  if (key == "engine_dead") return log.is_engine_dead;
  if (key == "http_500") return log.http_500;
  if (key == "fallback_ops") {
    json::array out;
    for (const OperatorRow& row : table.rows) out.push_back(json::string(row.name));
    return out;
  }
  if (key == "calls") {
    json::object out;
    for (const OperatorRow& row : table.rows) out[row.name] = row.calls.value();
    return out;
  }
  if (key == "offload") {
    json::array out;
    for (const auto& [done, total] : log.offload) out.push_back(json::array{done, total});
    return out;
  }
  FAIL("a key that no test knows: " << std::string(key));
  return nullptr;
}

json::value out_of_memory(const OperatorTable& table, bool as_count) {
  if (as_count) return table.log->out_of_memory.size();
  json::array out;
  for (const LogFindings::OutOfMemory& each : table.log->out_of_memory) {
    const json::value device = each.device ? json::value(*each.device) : json::value(nullptr);
    out.push_back(json::array{device, static_cast<double>(each.bytes.value()) / (1 << 30)});
  }
  return out;
}

void check_case(const std::string& id, const std::string& file) {
  CAPTURE(id);
  const OperatorTable table = table_of(file);
  for (const auto& [key, right] : dataset::expected(id)) {
    CAPTURE(std::string(key));
    if (key == "flags") {
      const json::array flags = flags_of(table);
      for (const json::value& flag : right.as_array())
        CHECK(std::find(flags.begin(), flags.end(), flag) != flags.end());
      continue;
    }
    const json::value seen = key == "oom" ? out_of_memory(table, right.is_number()) : found(table, key);
    if (right.is_number()) {
      CHECK(seen.to_number<double>() == doctest::Approx(right.to_number<double>()));
    } else {
      CHECK(json::serialize(seen) == json::serialize(right));
    }
  }
}

TEST_CASE("the traces of the open cases are read right") {
  for (const char* id : {"TRC-02", "TRC-03", "TRC-06", "TRC-07", "TRC-08", "TRC-09", "TRC-10"}) {
    check_case(id, std::string(id) + ".trace.json");
  }
}

TEST_CASE("the logs of the open cases are read right") {
  for (const char* id : {"LOG-02", "LOG-06", "LOG-07", "LOG-09", "LOG-10", "LOG-11", "LOG-12"}) {
    check_case(id, std::string(id) + ".log");
  }
  check_case("LOG-05", "LOG-05.txt");
}

TEST_CASE("what the cases say beside their keys") {
  CHECK(table_of("TRC-02.trace.json").span == Nanos(30000));
  CHECK(table_of("TRC-02.trace.json").cut_at == 145);  // the third event begins there
  const OperatorTable log = table_of("LOG-02.log");
  REQUIRE(log.rows.size() == 1);
  CHECK(log.rows[0].evidence[0].words.english == "2 lines of the log, by ranks –, 1");
  CHECK(table_of("LOG-12.log").log->dead_at_line == 1);
  CHECK(table_of("LOG-12.log").log->dead_at == "01-05 10:00:00");
}

}  // namespace
}  // namespace scoville::trace
