#include "report/offline.hpp"

#include <fmt/format.h>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using text::Msg;
using text::say;

std::string tail_value(const analyse::OfflineJob& job) {
  if (!job.tail) return say(Msg::offline_tail_all);
  const double share = job.took > Nanos::zero() ? to_seconds(*job.tail) / to_seconds(job.took) : 0;
  return say(Msg::offline_tail_value, format_duration(*job.tail), fmt::format("{:.3g} %", share * 100), job.slots);
}

json::object rate_json(const analyse::Rate& rate) {
  return {{"whole", number_or_null(rate.full)}, {"without_tail", number_or_null(rate.steady)}};
}

}  // namespace

std::string offline_table(const analyse::OfflineJob& job) {
  text::Table table({say(Msg::offline_head), say(Msg::column_value)});
  table.flush_left(1);
  const std::string took = format_duration(job.took);
  table.add_row({say(Msg::offline_time), job.is_complete
                                             ? say(Msg::offline_time_value, took, job.rows, job.failed)
                                             : say(Msg::offline_time_unfinished, job.succeeded, job.rows, took)});
  table.add_row({say(Msg::offline_rows), number(job.rows_per_hour)});
  table.add_row({say(Msg::offline_tail), tail_value(job)});
  const auto rate = [&](Msg name, const analyse::Rate& value) {
    table.add_row({say(name), say(Msg::offline_rate_value, number(value.full), number(value.steady))});
  };
  rate(Msg::offline_rate, job.output_tokens_per_s);
  rate(Msg::offline_total_rate, job.total_tokens_per_s);
  return table.render();
}

json::object offline_json(const analyse::OfflineJob& job) {
  return {{"rows", job.rows},
          {"succeeded", job.succeeded},
          {"failed", job.failed},
          {"complete", job.is_complete},
          {"slots", job.slots},
          {"time_s", to_seconds(job.took)},
          {"rows_per_hour", number_or_null(job.rows_per_hour)},
          {"tail_s", job.tail ? json::value(to_seconds(*job.tail)) : json::value(nullptr)},
          {"output_tokens_per_s", rate_json(job.output_tokens_per_s)},
          {"total_tokens_per_s", rate_json(job.total_tokens_per_s)}};
}

}  // namespace scoville::report
