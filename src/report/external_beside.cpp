#include <algorithm>
#include <cctype>

#include "report/cells.hpp"
#include "report/external.hpp"
#include "report/external_cells.hpp"
#include "stats/quantile.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::Analysis;
using analyse::Latency;
using evidence::Definition;
using evidence::Figure;
using evidence::Metric;
using text::Msg;
using text::say;
using Values = std::map<OwnFigures::Key, double>;

constexpr const char* kStatistics[]{"", "mean", "p50", "p90", "p95", "p99"};

std::string paragraph(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }

void put(Values& to, Metric metric, const char* statistic, std::optional<double> value) {
  if (value) to[{metric, statistic}] = *value;
}
std::optional<double> seconds(std::optional<Nanos> span) {
  return span ? std::optional(to_seconds(*span)) : std::nullopt;
}

Values values_of(const Analysis& analysis) {
  Values out;
  for (const auto& [latency, metric] : {std::pair(Latency::ttft, Metric::ttft),
                                        {Latency::ttfa, Metric::ttfa},
                                        {Latency::tpot, Metric::tpot},
                                        {Latency::ntpot, Metric::ntpot},
                                        {Latency::icl, Metric::icl},
                                        {Latency::e2e, Metric::e2e}}) {
    const analyse::Metric& of = analysis.latency(latency);
    put(out, metric, "mean", seconds(of.mean));
    for (const auto& [name, p] : {std::pair("p50", 0.5), {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}}) {
      if (const analyse::Quantile* const quantile = of.at(p)) put(out, metric, name, seconds(quantile->value));
    }
  }
  put(out, Metric::requests_per_s, "", analysis.rates.requests_per_s.full);
  put(out, Metric::output_tokens_per_s, "", analysis.rates.output_tokens_per_s.full);
  put(out, Metric::total_tokens_per_s, "", analysis.rates.total_tokens_per_s.full);
  put(out, Metric::offered_per_s, "", analysis.offered_per_s);
  put(out, Metric::in_flight_mean, "", analysis.in_flight_mean);
  put(out, Metric::in_flight_peak, "", static_cast<double>(analysis.in_flight_peak));
  put(out, Metric::mean_prompt_tokens, "mean", analysis.mean_prompt_tokens);
  put(out, Metric::mean_output_tokens, "mean", analysis.mean_output_tokens);
  if (analysis.goodput) {
    put(out, Metric::goodput_per_s, "", analysis.goodput->counts.goodput);
    put(out, Metric::attainment, "", analysis.goodput->counts.attainment);
  }
  return out;
}

Values vllm_values_of(const Analysis& analysis) {
  constexpr double nanos = 1e9;
  Values out;
  const auto add = [&](Metric metric, const analyse::NumpyStatistics& of) {
    const auto in_seconds = [](std::optional<double> value) {
      return value ? std::optional(*value / nanos) : std::nullopt;
    };
    put(out, metric, "mean", in_seconds(of.mean));
    put(out, metric, "p50", in_seconds(of.median));
    put(out, metric, "p99", in_seconds(of.p99));
  };
  add(Metric::ttft, analysis.vllm.ttft);
  add(Metric::tpot, analysis.vllm.tpot);
  add(Metric::icl, analysis.vllm.itl);
  add(Metric::e2e, analysis.vllm.e2el);
  return out;
}

/// Of figures that every run has: one that a run lacks has no median.
Values medians(const std::vector<Values>& runs) {
  Values out;
  for (const auto& [key, first] : runs.front()) {
    std::vector<double> values;
    for (const Values& each : runs) {
      if (const auto found = each.find(key); found != each.end()) values.push_back(found->second);
    }
    if (values.size() != runs.size()) continue;
    std::sort(values.begin(), values.end());
    if (const auto median = stats::linear_quantile(values, 0.5)) out[key] = *median;
  }
  return out;
}

/// A column of the table: a result's own figures, or those recomputed from its requests.
struct Column {
  const StoredEvidence* evidence;
  bool recomputed;

  std::string heading() const {
    const std::string name(label(evidence->result.tool));
    return recomputed ? say(Msg::external_recomputed_row, name) : name;
  }
  const Figure* figure(Metric metric, const char* statistic) const {
    const Figure* const found = evidence::find(evidence->result, metric, statistic, recomputed);
    return found && (found->recomputed > 0) == recomputed ? found : nullptr;
  }
};

std::vector<Column> columns_of(const std::vector<StoredEvidence>& theirs) {
  std::vector<Column> out;
  for (const StoredEvidence& each : theirs) {
    const auto has = [&](bool recomputed) {
      return std::any_of(each.result.figures.begin(), each.result.figures.end(),
                         [&](const Figure& figure) { return (figure.recomputed > 0) == recomputed; });
    };
    for (const bool recomputed : {false, true}) {
      if (has(recomputed)) out.push_back({&each, recomputed});
    }
  }
  return out;
}

/// A figure that one column at least has.
struct Row {
  Metric metric;
  const char* statistic;
  std::vector<const Figure*> theirs;  ///< by column; null: none

  bool has_vllms() const {
    return std::any_of(theirs.begin(), theirs.end(),
                       [](const Figure* each) { return each && !each->recomputed && is_vllms(each->definition); });
  }
};

std::vector<Row> rows_of(const std::vector<Column>& columns) {
  std::vector<Row> out;
  for (std::size_t i = 1; i < evidence::kMetricCount; ++i) {
    for (const char* statistic : kStatistics) {
      Row row{static_cast<Metric>(i), statistic, {}};
      for (const Column& each : columns) row.theirs.push_back(each.figure(row.metric, statistic));
      if (std::any_of(row.theirs.begin(), row.theirs.end(), [](const Figure* each) { return each; }))
        out.push_back(std::move(row));
    }
  }
  return out;
}

std::optional<double> value_in(const Values& values, const Row& row) {
  const auto found = values.find({row.metric, row.statistic});
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

evidence::Unit unit_of(const Row& row) {
  for (const Figure* each : row.theirs) {
    if (each) return each->unit;
  }
  return evidence::Unit::theirs;
}

std::string render(const std::optional<OwnFigures>& ours, const std::vector<Column>& columns,
                   const std::vector<Row>& rows, Notes& notes) {
  const bool shows_vllm = ours && std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.has_vllms(); });
  std::vector<std::string> names{say(Msg::external_column_figure)};
  if (ours) names.push_back(say(Msg::external_column_ours));
  if (shows_vllm) names.push_back(say(Msg::external_column_as_vllm));
  for (const Column& each : columns) names.push_back(each.heading());
  text::Table table(names);
  for (const Row& row : rows) {
    const std::string statistic = statistic_word(row.statistic);
    std::vector<std::string> cells{external_name(row.metric) + (statistic.empty() ? "" : " " + statistic)};
    const evidence::Unit unit = unit_of(row);
    if (ours) cells.push_back(external_cell(value_in(ours->ours, row), unit));
    if (shows_vllm)
      cells.push_back(row.has_vllms() ? external_cell(value_in(ours->as_vllm, row), unit) : std::string(kNone));
    for (const Figure* each : row.theirs)
      cells.push_back(each ? external_cell(each->value, each->unit) + " " + notes.mark(each->definition)
                           : std::string(kNone));
    table.add_row(std::move(cells));
  }
  return table.render();
}

/// Each definition once, with whose it is.
std::string differences(const std::vector<Column>& columns, const std::vector<Row>& rows, const Notes& notes) {
  std::string out;
  for (std::size_t i = 0; i < notes.all().size(); ++i) {
    const evidence::DefinitionInfo& info = info_of(notes.all()[i]);
    std::string tools;
    Metric metric = Metric::none;
    for (const Row& row : rows) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!row.theirs[c] || row.theirs[c]->definition != info.definition) continue;
        metric = metric == Metric::none ? row.metric : metric;
        const std::string tool(label(columns[c].evidence->result.tool));
        if (tools.find(tool) == std::string::npos) tools += (tools.empty() ? "" : ", ") + tool;
      }
    }
    out += paragraph(
        say(Msg::external_difference_line, i + 1, external_name(metric), tools, say(info.words), say(info.difference)));
  }
  return out;
}

/// The last part of a model's name, in lower case.
std::string bare(std::string model) {
  model = model.substr(model.rfind('/') + 1);
  std::transform(model.begin(), model.end(), model.begin(), [](unsigned char c) { return std::tolower(c); });
  return model;
}

std::string load_words(std::optional<double> rate, std::optional<std::int64_t> concurrency) {
  std::string out;
  if (rate) out = say(Msg::external_load_rate, number(rate));
  if (concurrency) out += (out.empty() ? "" : ", ") + say(Msg::external_load_concurrency, *concurrency);
  return out.empty() ? say(Msg::external_load_unlimited) : out;
}

/// What makes the two no measurements of one thing, as far as both say.
std::string doubts(const OwnFigures& ours, const StoredEvidence& theirs) {
  std::string out;
  const evidence::LoadSaid& said = theirs.result.load;
  const std::optional<double> rate = ours.load.arrivals.rate;
  std::optional<std::int64_t> concurrency;
  if (ours.load.max_concurrency) concurrency = static_cast<std::int64_t>(ours.load.max_concurrency);
  const bool tells = said.requests_per_s || said.concurrency || said.is_unlimited;
  if (tells && (rate != said.requests_per_s || concurrency != said.concurrency))
    out += paragraph(say(Msg::external_loads_differ, load_words(rate, concurrency),
                         load_words(said.requests_per_s, said.concurrency)));
  if (!theirs.result.model.empty() && !ours.model.empty() && bare(theirs.result.model) != bare(ours.model))
    out += paragraph(say(Msg::external_models_differ, ours.model, theirs.result.model));
  return out;
}

json::object row_json(const std::optional<OwnFigures>& ours, const std::vector<Column>& columns, const Row& row) {
  json::array theirs;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Figure* const figure = row.theirs[i];
    if (!figure) continue;
    const evidence::DefinitionInfo& info = info_of(figure->definition);
    theirs.push_back({{"id", columns[i].evidence->id},
                      {"tool", name_of(columns[i].evidence->result.tool)},
                      {"value", number_or_null(figure->value)},
                      {"as", figure->as},
                      {"recomputed", columns[i].recomputed},
                      {"definition", info.code},
                      {"comparable", name_of(info.comparable)},
                      {"measured", say_in(text::Language::english, info.words)},
                      {"against_ours", say_in(text::Language::english, info.difference)}});
  }
  const std::string statistic = row.statistic;
  return {
      {"metric", name_of(row.metric)},
      {"statistic", statistic.empty() ? json::value(nullptr) : json::value(statistic)},
      {"unit", name_of(unit_of(row))},
      {"ours", ours ? number_or_null(value_in(ours->ours, row)) : json::value(nullptr)},
      {"ours_as_vllm", ours && row.has_vllms() ? number_or_null(value_in(ours->as_vllm, row)) : json::value(nullptr)},
      {"theirs", std::move(theirs)}};
}

}  // namespace

OwnFigures own_figures(const std::string& name, const std::vector<const RunOfSet*>& runs) {
  OwnFigures out;
  out.name = name;
  out.runs = runs.size();
  if (runs.empty()) return out;
  out.model = runs.front()->shape.model;
  out.load = runs.front()->plan;
  std::vector<Values> ours, as_vllm;
  for (const RunOfSet* each : runs) {
    ours.push_back(values_of(each->analysis));
    as_vllm.push_back(vllm_values_of(each->analysis));
  }
  out.ours = medians(ours);
  out.as_vllm = medians(as_vllm);
  return out;
}

std::string beside_table(const std::optional<OwnFigures>& ours, const std::vector<StoredEvidence>& theirs) {
  const std::vector<Column> columns = columns_of(theirs);
  const std::vector<Row> rows = rows_of(columns);
  std::string out = paragraph(say(Msg::external_beside_heading));
  if (ours) out += paragraph(say(Msg::external_beside_ours, ours->name, ours->runs));
  for (const StoredEvidence& each : theirs) {
    const std::string version = each.result.tool_version.empty() ? "" : " " + each.result.tool_version;
    out += paragraph(say(Msg::external_beside_theirs, each.tag.empty() ? each.id : each.tag, label(each.result.tool),
                         version, each.id));
  }
  if (rows.empty()) return out + paragraph(say(Msg::external_beside_nothing));
  Notes notes;
  out += "\n" + render(ours, columns, rows, notes) + "\n";
  for (const StoredEvidence& each : theirs) out += ours ? doubts(*ours, each) : "";
  return out + paragraph(say(Msg::external_definitions)) + differences(columns, rows, notes);
}

json::object beside_json(const std::optional<OwnFigures>& ours, const std::vector<StoredEvidence>& theirs) {
  const std::vector<Column> columns = columns_of(theirs);
  json::array rows, evidence;
  for (const Row& each : rows_of(columns)) rows.push_back(row_json(ours, columns, each));
  for (const StoredEvidence& each : theirs) evidence.push_back(external_json(each));
  return {{"schema", "scoville.beside/1"},
          {"ours", ours ? json::value({{"name", ours->name}, {"runs", ours->runs}}) : json::value(nullptr)},
          {"rows", std::move(rows)},
          {"evidence", std::move(evidence)}};
}

}  // namespace scoville::report
