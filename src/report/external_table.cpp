#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/cells.hpp"
#include "report/external.hpp"
#include "report/external_cells.hpp"
#include "report/system_lines.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using evidence::ExternalResult;
using evidence::Figure;
using evidence::Metric;
using text::Msg;
using text::say;

std::string paragraph(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }

std::string count_text(std::optional<std::int64_t> count) {
  return count ? fmt::format("{}", *count) : say(Msg::external_load_unknown);
}

std::string load_text(const evidence::LoadSaid& load) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : ", ") + words; };
  if (load.requests_per_s) add(say(Msg::external_load_rate, number(load.requests_per_s)));
  if (load.is_unlimited && !load.requests_per_s && !load.concurrency) add(say(Msg::external_load_unlimited));
  if (!load.arrivals.empty()) add(load.arrivals);
  if (load.concurrency) add(say(Msg::external_load_concurrency, *load.concurrency));
  if (load.requests) add(say(Msg::external_load_number, *load.requests));
  if (load.input_tokens && load.output_tokens)
    add(say(Msg::external_load_lengths, number(load.input_tokens), number(load.output_tokens)));
  if (!load.dataset.empty()) add(say(Msg::external_load_dataset, load.dataset));
  return out.empty() ? say(Msg::external_load_unknown) : out;
}

std::string version_text(const ExternalResult& result) {
  return result.tool_version.empty() ? "" : " " + result.tool_version;
}

std::string file_names(const ExternalResult& result) {
  std::string out;
  for (const auto& each : result.files) out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

std::string head(const StoredEvidence& evidence) {
  const ExternalResult& result = evidence.result;
  std::string out = paragraph(say(Msg::external_heading, evidence.id, label(result.tool), version_text(result)));
  const std::string tag = evidence.tag.empty() ? "" : say(Msg::external_from_tag, evidence.tag);
  out += paragraph(say(Msg::external_from, file_names(result), utc(evidence.imported), tag));
  std::string about;
  for (const std::string* word : {&result.model, &result.endpoint, &result.date}) {
    if (!word->empty()) about += (about.empty() ? "" : ", ") + *word;
  }
  if (!about.empty()) out += paragraph(about);
  if (!evidence.system.empty()) out += paragraph(say(Msg::external_system_known, hardware_of(evidence.system)));
  out += paragraph(say(Msg::external_load, load_text(result.load)));
  const std::string incomplete =
      result.counts.incomplete ? say(Msg::external_counts_incomplete, *result.counts.incomplete) : "";
  out += paragraph(
      say(Msg::external_counts, count_text(result.counts.completed), count_text(result.counts.failed), incomplete) +
      "; " + say(result.leaves_failures_out ? Msg::external_failures_left_out : Msg::external_failures_unknown));
  out += paragraph(say(Msg::external_duration, external_cell(result.duration_s, evidence::Unit::seconds),
                       said(result.duration_rule)));
  out += paragraph(say(Msg::external_rules, said(result.quantile_rule), said(result.token_source)));
  if (result.is_from_documentation) out += paragraph("! " + say(Msg::external_from_documentation));
  return out + "\n";
}

/// Figures with one definition under one name of theirs: a row.
struct Family {
  std::vector<const Figure*> figures;

  const Figure& first() const { return *figures.front(); }
  bool takes(const Figure& other) const {
    return first().their_name == other.their_name && first().metric == other.metric &&
           first().definition == other.definition && (first().recomputed > 0) == (other.recomputed > 0);
  }
  std::string cell(std::string_view statistic) const {
    for (const Figure* each : figures) {
      if (each->statistic == statistic) return external_cell(each->value, each->unit);
    }
    return kNone;
  }
};

/// In the order of our metrics; those without one last.
std::vector<Family> families_of(const ExternalResult& result) {
  std::vector<Family> out;
  for (const Figure& each : result.figures) {
    const auto found = std::find_if(out.begin(), out.end(), [&](const Family& family) { return family.takes(each); });
    if (found == out.end())
      out.push_back({{&each}});
    else
      found->figures.push_back(&each);
  }
  const auto place = [](const Family& family) {
    return family.first().metric == Metric::none ? evidence::kMetricCount
                                                 : static_cast<std::size_t>(family.first().metric);
  };
  std::stable_sort(out.begin(), out.end(), [&](const Family& a, const Family& b) { return place(a) < place(b); });
  return out;
}

std::string verdict_cell(const Family& family, Notes& notes) {
  const evidence::Definition definition = family.first().definition;
  return comparable_word(info_of(definition).comparable) + " " + notes.mark(definition);
}

std::string our_name(const Family& family) {
  const std::string name = external_name(family.first().metric);
  return family.first().recomputed ? say(Msg::external_recomputed_row, name) : name;
}

/// Those with several statistics.
std::string latency_rows(const std::vector<Family>& families, Notes& notes) {
  constexpr std::array<const char*, 6> statistics{"mean", "p50", "p90", "p95", "p99", "max"};
  text::Table table({say(Msg::external_column_figure), say(Msg::column_mean), "P50", "P90", "P95", "P99",
                     say(Msg::column_max), say(Msg::external_column_theirs), say(Msg::external_column_comparable)});
  table.flush_left(7);
  table.flush_left(8);
  bool is_empty = true;
  for (const Family& each : families) {
    if (each.first().unit != evidence::Unit::seconds) continue;
    std::vector<std::string> cells{our_name(each)};
    for (const char* statistic : statistics) cells.push_back(each.cell(statistic));
    cells.push_back(each.first().recomputed ? kNone : each.first().their_name);
    cells.push_back(verdict_cell(each, notes));
    table.add_row(std::move(cells));
    is_empty = false;
  }
  return is_empty ? "" : table.render() + "\n";
}

std::string single_rows(const std::vector<Family>& families, Notes& notes) {
  text::Table table({say(Msg::external_column_figure), say(Msg::column_value), say(Msg::external_column_theirs),
                     say(Msg::external_column_comparable)});
  table.flush_left(2);
  table.flush_left(3);
  bool is_empty = true;
  for (const Family& each : families) {
    if (each.first().unit == evidence::Unit::seconds) continue;
    for (const Figure* figure : each.figures) {
      const bool says_which = figure->metric == Metric::none && !figure->statistic.empty();
      const std::string name = figure->their_name + (says_which ? " " + statistic_word(figure->statistic) : "");
      table.add_row({our_name(each), external_cell(figure->value, figure->unit), name, verdict_cell(each, notes)});
      is_empty = false;
    }
  }
  return is_empty ? "" : table.render() + "\n";
}

std::string name_of_definition(const std::vector<Family>& families, evidence::Definition definition) {
  const auto found = std::find_if(families.begin(), families.end(),
                                  [&](const Family& each) { return each.first().definition == definition; });
  return found == families.end() || found->first().metric == Metric::none ? say(Msg::external_unmapped)
                                                                          : external_name(found->first().metric);
}

}  // namespace

std::string external_table(const StoredEvidence& evidence) {
  const std::vector<Family> families = families_of(evidence.result);
  Notes notes;
  std::string out = head(evidence);
  out += latency_rows(families, notes);
  out += single_rows(families, notes);
  for (const Family& each : families) {
    if (each.first().recomputed == 0) continue;
    out += paragraph(say(Msg::external_recomputed, each.first().recomputed)) + "\n";
    break;
  }
  out += paragraph(say(Msg::external_definitions));
  for (std::size_t i = 0; i < notes.all().size(); ++i) {
    const evidence::DefinitionInfo& info = info_of(notes.all()[i]);
    out += paragraph(say(Msg::external_definition_line, i + 1, name_of_definition(families, info.definition),
                         say(info.words), say(info.difference)));
  }
  return out;
}

json::object external_json(const StoredEvidence& evidence) {
  json::object out = to_json(evidence.result);
  out["id"] = evidence.id;
  out["tag"] = evidence.tag.empty() ? json::value(nullptr) : json::value(evidence.tag);
  out["imported"] = utc(evidence.imported);
  out["system"] = evidence.system.empty() ? json::value(nullptr) : json::value(evidence.system.to_json());
  return out;
}

std::string external_list_table(const std::vector<StoredEvidence>& all) {
  text::Table table({say(Msg::external_column_id), say(Msg::external_column_imported), say(Msg::external_column_tool),
                     say(Msg::column_model), say(Msg::column_load), say(Msg::column_tag),
                     say(Msg::external_column_files)});
  for (std::size_t i = 1; i < 7; ++i) table.flush_left(i);
  const auto or_none = [](const std::string& word) { return word.empty() ? std::string(kNone) : word; };
  for (const StoredEvidence& each : all) {
    table.add_row({each.id, utc(each.imported), std::string(label(each.result.tool)), or_none(each.result.model),
                   load_text(each.result.load), or_none(each.tag), file_names(each.result)});
  }
  return "  " + say(Msg::external_list_heading) + "\n" + table.render();
}

json::array external_list_json(const std::vector<StoredEvidence>& all) {
  json::array out;
  for (const StoredEvidence& each : all) {
    json::array files;
    for (const auto& file : each.result.files) files.push_back(json::string(file.name));
    const auto or_null = [](const std::string& word) {
      return word.empty() ? json::value(nullptr) : json::value(word);
    };
    out.push_back({{"id", each.id},
                   {"tool", name_of(each.result.tool)},
                   {"imported", utc(each.imported)},
                   {"model", or_null(each.result.model)},
                   {"tag", or_null(each.tag)},
                   {"files", std::move(files)}});
  }
  return out;
}

}  // namespace scoville::report
