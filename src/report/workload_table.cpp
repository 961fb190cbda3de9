#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/workload.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using text::Msg;
using text::say;

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

void add_sizes(text::Table& table, Msg what, const std::vector<double>& sorted, bool is_time = false) {
  if (sorted.empty()) return;
  const auto cell = [&](std::optional<double> value) {
    return is_time && value ? format_duration(from_seconds(*value)) : number(value);
  };
  std::vector<std::string> row{say(what), cell(stats::mean(sorted))};
  for (const double p : {0.5, 0.9, 0.99}) row.push_back(cell(stats::nearest_rank_quantile(sorted, p)));
  row.push_back(cell(sorted.back()));
  table.add_row(std::move(row));
}

std::string sizes_table(const workload::Sizes& sizes) {
  text::Table table({say(Msg::learned_column_what), say(Msg::learned_column_mean), "P50", "P90", "P99",
                     say(Msg::learned_column_max)});
  add_sizes(table, Msg::learned_row_input, sizes.first_input);
  add_sizes(table, Msg::learned_row_added, sizes.added_input);
  add_sizes(table, Msg::learned_row_output, sizes.output);
  add_sizes(table, Msg::learned_row_turns, sizes.turns);
  add_sizes(table, Msg::learned_row_think, sizes.think_s, true);
  return table.render();
}

std::string regularity(workload::Regularity which) {
  switch (which) {
    case workload::Regularity::poisson:
      return say(Msg::learned_poisson);
    case workload::Regularity::bursty:
      return say(Msg::learned_bursty);
    case workload::Regularity::regular:
      return say(Msg::learned_regular);
    case workload::Regularity::unknown:
      break;
  }
  return say(Msg::learned_too_few);
}

std::vector<std::string> arrival_lines(const workload::Learned& learned) {
  const workload::Arrivals& seen = learned.arrivals;
  if (!seen.rate) return {say(Msg::learned_rate_unknown)};
  std::vector<std::string> lines{say(Msg::learned_rate, number(seen.rate), number(seen.variation),
                                     number(seen.burstiness), regularity(seen.regularity))};
  if (seen.is_uneven) {
    lines.push_back(say(Msg::learned_uneven, number(seen.quietest), number(seen.busiest), seen.parts));
  }
  if (learned.has_coarse_times) lines.push_back(say(Msg::learned_coarse));
  return lines;
}

std::string prefix_line(const workload::Learned& learned) {
  if (!learned.has_prompts || learned.input_tokens == 0) return say(Msg::learned_prefix_unknown);
  const double share = static_cast<double>(learned.shared_tokens) / static_cast<double>(learned.input_tokens);
  return say(Msg::learned_prefix, percent(share), learned.sharing_chains, learned.workload.chains.size(),
             learned.distinct_blocks, learned.workload.block_tokens);
}

std::string ratio_line(const workload::TokensPerChar& ratio) {
  using Source = workload::TokensPerChar::Source;
  const std::string source = ratio.source == Source::measured ? say(Msg::learned_ratio_measured, ratio.requests)
                             : ratio.source == Source::given  ? say(Msg::learned_ratio_given)
                                                              : say(Msg::learned_ratio_assumed);
  return say(Msg::learned_ratio, number(ratio.value), source);
}

std::vector<std::string> doubt_lines(const workload::Learned& learned) {
  std::vector<std::string> lines;
  const auto add = [&](std::size_t count, Msg sentence) {
    if (count > 0) lines.push_back(say(sentence, count));
  };
  const workload::LengthDoubts& doubts = learned.doubts;
  if (doubts.estimated_input + doubts.estimated_output + learned.estimated_added + learned.sharing_chains > 0) {
    lines.push_back(ratio_line(learned.ratio));
  }
  add(doubts.estimated_input, Msg::learned_estimated_input);
  if (doubts.assumed_input > 0) {
    lines.push_back(say(Msg::learned_assumed_input, doubts.assumed_input, learned.assumed_input));
  }
  add(doubts.estimated_output, Msg::learned_estimated_output);
  add(doubts.median_output, Msg::learned_median_output);
  add(doubts.unlimited_output, Msg::learned_unlimited_output);
  add(learned.estimated_added, Msg::learned_estimated_added);
  add(learned.estimated_think, Msg::learned_estimated_think);
  add(learned.failed, Msg::learned_failed);
  add(learned.stale, Msg::learned_stale);
  add(learned.skipped, Msg::learned_skipped);
  if (learned.bad > 0) {
    lines.push_back(
        say(Msg::learned_bad, learned.bad, learned.first_bad_file, learned.first_bad.line, learned.first_bad.reason));
  }
  return lines;
}

}  // namespace

std::string workload_table(const workload::Learned& learned, const std::string& name) {
  const std::size_t chains = learned.workload.chains.size();
  std::string out = learned.has_times
                        ? say(Msg::learned_head, name, learned.requests, learned.conversations, chains,
                              format_duration(learned.arrivals.span))
                        : say(Msg::learned_head_no_time, name, learned.requests, learned.conversations, chains);
  out += "\n\n" + sizes_table(learned.sizes) + "\n";
  for (const std::string& each : arrival_lines(learned)) out += each + "\n";
  out += prefix_line(learned) + "\n";
  std::vector<std::string> models;
  for (const auto& [model, count] : learned.models) {
    models.push_back(fmt::format("{} ({})", model.empty() ? kNone : model, count));
  }
  out += say(Msg::learned_models, fmt::format("{}", fmt::join(models, ", "))) + "\n";
  for (const std::string& each : doubt_lines(learned)) out += each + "\n";
  return out;
}

}  // namespace scoville::report
