#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/fit.hpp"
#include "text/catalogue/fit.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using fit::Answer;
using fit::Lack;
using text::FitMsg;
using text::say;

std::string unknown() { return say(FitMsg::cell_unknown); }

std::string time_text(std::optional<double> seconds) {
  return seconds ? format_duration(from_seconds(*seconds)) : unknown();
}

std::string count_text(std::optional<double> count) { return count ? fmt::format("{:.0f}", *count) : unknown(); }

std::string answer_text(fit::Fits fits) {
  constexpr std::array<FitMsg, 3> kWords{FitMsg::cell_unknown, FitMsg::cell_no, FitMsg::cell_yes};
  return say(kWords[static_cast<std::size_t>(fits)]);
}

std::string bound_text(fit::Bound bound) {
  constexpr std::array<FitMsg, 3> kWords{FitMsg::cell_unknown, FitMsg::cell_memory, FitMsg::cell_compute};
  return say(kWords[static_cast<std::size_t>(bound)]);
}

std::string loads_text(const Answer& answer) {
  return answer_text(static_cast<fit::Fits>(answer.engine->loads));  // unknown, no, yes: the same three
}

std::optional<double> per_device(std::optional<double> bytes, const Answer& answer) {
  return bytes ? std::optional(*bytes / static_cast<double>(answer.devices)) : std::nullopt;
}

std::string ridge_text(const Answer& answer) {
  if (answer.ridge_batch) return fmt::format("{:.0f}", *answer.ridge_batch);
  return answer.decode && answer.roof.bandwidth && answer.roof.peak ? say(FitMsg::cell_never) : unknown();
}

std::string peak_text(const Answer& answer) {
  if (!answer.roof.peak) return unknown();
  return fmt::format("{} T{}", number(*answer.roof.peak / 1e12),
                     answer.shape.format.compute == "int8" ? "OPS" : "FLOPS");
}

/// A row: what it is, and its cell for each device.
class Rows {
 public:
  Rows(text::Table& table, const std::vector<Answer>& answers) : table_(table), answers_(answers) {}
  void add(const std::string& what, const std::function<std::string(const Answer&)>& cell) {
    std::vector<std::string> row{what};
    for (const Answer& each : answers_) row.push_back(cell(each));
    table_.add_row(std::move(row));
  }

 private:
  text::Table& table_;
  const std::vector<Answer>& answers_;
};

void add_memory_rows(Rows& rows, const fit::Ask& ask) {
  rows.add(say(FitMsg::row_fits), [](const Answer& a) { return answer_text(a.fits); });
  rows.add(say(FitMsg::row_splits), [](const Answer& a) { return answer_text(a.splits); });
  rows.add(say(FitMsg::row_devices), [](const Answer& a) { return std::to_string(a.devices); });
  rows.add(say(FitMsg::row_smallest), [](const Answer& a) {
    return a.smallest_devices                 ? std::to_string(*a.smallest_devices)
           : a.usable_bytes && a.weight_bytes ? "> 16"
                                              : unknown();
  });
  rows.add(say(FitMsg::row_memory), [](const Answer& a) {
    return bytes_text(a.device.memory ? std::optional(a.device.memory->value) : std::nullopt);
  });
  rows.add(say(FitMsg::row_weights), [](const Answer& a) { return bytes_text(per_device(a.weight_bytes, a)); });
  rows.add(say(FitMsg::row_cache_token), [](const Answer& a) { return bytes_text(a.kv_bytes_per_device_token); });
  rows.add(say(FitMsg::row_room), [](const Answer& a) { return bytes_text(a.room_bytes); });
  rows.add(say(FitMsg::row_longest), [](const Answer& a) { return count_text(a.longest_context); });
  rows.add(say(FitMsg::row_concurrency, ask.context),
           [](const Answer& a) { return count_text(a.largest_concurrency); });
}

void add_floor_rows(Rows& rows, const fit::Ask& ask) {
  const double prompt = std::max(ask.context - ask.output_tokens.value_or(0), 1.0);
  rows.add(say(FitMsg::row_tpot, ask.concurrency), [](const Answer& a) { return time_text(a.tpot.seconds); });
  rows.add(say(FitMsg::row_bound), [](const Answer& a) { return bound_text(a.tpot.bound); });
  rows.add(say(FitMsg::row_twice_compute), [](const Answer& a) {
    return a.tpot.bound == fit::Bound::unknown ? unknown() : time_text(a.tpot_twice_compute.seconds);
  });
  rows.add(say(FitMsg::row_twice_bandwidth), [](const Answer& a) { return time_text(a.tpot_twice_bandwidth.seconds); });
  rows.add(say(FitMsg::row_ridge), ridge_text);
  rows.add(say(FitMsg::row_ttft, prompt),
           [](const Answer& a) { return a.ttft.bound == fit::Bound::unknown ? unknown() : time_text(a.ttft.seconds); });
  rows.add(say(FitMsg::row_bandwidth), [](const Answer& a) { return bandwidth_text(a.roof.bandwidth); });
  rows.add(say(FitMsg::row_peak), peak_text);
  if (!ask.engine.empty()) rows.add(say(FitMsg::row_engine, ask.engine), loads_text);
}

std::string from_text(fit::WeightsFrom from) {
  constexpr std::array<FitMsg, 4> kWords{FitMsg::from_nothing, FitMsg::from_files, FitMsg::from_index,
                                         FitMsg::from_shape};
  return say(kWords[static_cast<std::size_t>(from)]);
}

std::string model_line(const FitView& view) {
  const fit::ModelShape& shape = view.answers.front().shape;
  const auto or_unknown = [](const std::string& text) { return text.empty() ? unknown() : text; };
  const std::string stored =
      shape.quantisation == "none" || shape.quantisation == shape.format.name || shape.quantisation.empty()
          ? shape.format.name
          : shape.quantisation;
  const std::string count = shape.parameters ? say(FitMsg::value_weights, number(*shape.parameters / 1e9)) : unknown();
  return say(FitMsg::line_model, or_unknown(shape.name), or_unknown(shape.architecture),
             shape.layers ? std::to_string(*shape.layers) : unknown(), or_unknown(stored), count,
             bytes_text(shape.weight_bytes), from_text(shape.weights_from));
}

std::string lack_text(Lack lack, const Answer& answer) {
  const auto& trained = answer.shape.context_trained;
  switch (lack) {
    case Lack::weights_unknown:
      return say(FitMsg::lack_weights);
    case Lack::cache_unknown:
      return say(FitMsg::lack_cache);
    case Lack::memory_unknown:
      return say(FitMsg::lack_memory);
    case Lack::bandwidth_unknown:
      return say(FitMsg::lack_bandwidth);
    case Lack::peak_unknown:
      return say(FitMsg::lack_peak, answer.shape.format.compute);
    case Lack::work_unknown:
      return say(FitMsg::lack_work);
    case Lack::too_big:
      return say(FitMsg::lack_too_big, answer.devices);
    case Lack::heads_uneven:
      return say(FitMsg::lack_heads, answer.shape.heads.value_or(0), answer.devices);
    case Lack::beyond_training:
      return say(FitMsg::lack_training, trained.value_or(0));
    case Lack::engine_says_no:
      return say(FitMsg::lack_engine_no, answer.ask.engine);
    case Lack::engine_unknown:
      return say(FitMsg::lack_engine_unknown, answer.ask.engine);
  }
  return "";
}

/// Who says the figures that were used: a line a source.
void add_sources(const Answer& answer, std::vector<std::string>& lines) {
  std::vector<std::pair<const fit::Value*, std::string>> used;
  const auto use = [&](const std::optional<fit::Value>& value, FitMsg word) {
    if (!value) return;
    const auto same = std::find_if(used.begin(), used.end(), [&](const auto& each) {
      return each.first->source == value->source && each.first->confidence == value->confidence;
    });
    if (same == used.end())
      used.emplace_back(&*value, say(word));
    else
      same->second += ", " + say(word);
  };
  use(answer.device.memory, FitMsg::column_memory);
  use(answer.device.bandwidth, FitMsg::column_bandwidth);
  const auto peak = std::find_if(answer.device.peaks.begin(), answer.device.peaks.end(), [&](const fit::Peak& each) {
    return each.value && answer.roof.peak == each.value->value;
  });
  if (peak != answer.device.peaks.end()) use(peak->value, FitMsg::word_peak);
  constexpr std::array<FitMsg, 3> kLevels{FitMsg::level_low, FitMsg::level_medium, FitMsg::level_high};
  for (const auto& [value, words] : used)
    lines.push_back(say(FitMsg::line_source, answer.device.id, words, value->source,
                        say(kLevels[static_cast<std::size_t>(value->confidence)])));
}

std::vector<std::string> notes_of(const FitView& view) {
  std::vector<std::string> lines;
  for (const Answer& each : view.answers) {
    for (const Lack lack : each.lacks) lines.push_back(say(FitMsg::line_device, each.device.id, lack_text(lack, each)));
    if (!each.device.note.empty()) lines.push_back(say(FitMsg::line_device, each.device.id, each.device.note));
    if (!each.engine) continue;
    for (const fit::SupportFact& fact : each.engine->facts)
      lines.push_back(say(FitMsg::line_fact, each.device.id, each.ask.engine,
                          answer_text(static_cast<fit::Fits>(fact.loads)), fact.source));
  }
  for (const Answer& each : view.answers) add_sources(each, lines);
  std::vector<std::string> out;
  for (std::string& line : lines) {  // two statements of one page are one line
    if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
  }
  return out;
}

}  // namespace

std::string bytes_text(std::optional<double> bytes) {
  if (!bytes) return say(FitMsg::cell_unknown);
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  double value = *bytes;
  std::size_t unit = 0;
  for (; std::abs(value) >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string bandwidth_text(std::optional<double> bytes_per_second) {
  return bytes_per_second ? bytes_text(bytes_per_second) + "/s" : say(FitMsg::cell_unknown);
}

std::string fit_table(const FitView& view) {
  const fit::Ask& ask = view.answers.front().ask;
  std::vector<std::string> header{say(FitMsg::column_what)};
  for (const Answer& each : view.answers) header.push_back(each.device.id);
  text::Table table(std::move(header));
  Rows rows(table, view.answers);
  add_memory_rows(rows, ask);
  table.add_rule();
  add_floor_rows(rows, ask);
  std::string out = "\n  " + model_line(view) + "\n";
  out += "  " + say(FitMsg::line_asked, ask.concurrency, ask.context, ask.kv_bytes_per_value) + "\n\n";
  out += table.render() + "\n";
  for (const std::string& line : notes_of(view)) out += "  " + line + "\n";
  out += "\n  " +
         say(FitMsg::line_allowance, fmt::format("{:.0f}", ask.allowance.share * 100),
             bytes_text(ask.allowance.overhead)) +
         "\n";
  return out + "  " + say(FitMsg::line_model_based) + "\n";
}

}  // namespace scoville::report
