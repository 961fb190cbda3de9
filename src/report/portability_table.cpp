#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/portability.hpp"
#include "text/catalogue/portability.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using portability::Effort;
using portability::kEfforts;
using portability::Skip;
using text::PortabilityMsg;
using text::say;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kTopFiles = 10, kShownSkips = 5, kShownChanges = 20;

std::string line(const std::string& sentence) { return text::wrapped("  " + sentence, kWidth, 4); }

std::string in_words(Effort effort) {
  constexpr PortabilityMsg kWords[]{PortabilityMsg::effort_mechanical, PortabilityMsg::effort_small,
                                    PortabilityMsg::effort_port, PortabilityMsg::effort_rewrite};
  return say(kWords[static_cast<std::size_t>(effort)]);
}

std::string in_words(Skip why) {
  constexpr PortabilityMsg kWords[]{PortabilityMsg::skip_too_large, PortabilityMsg::skip_binary,
                                    PortabilityMsg::skip_unreadable, PortabilityMsg::skip_no_notebook};
  return say(kWords[static_cast<std::size_t>(why)]);
}

/// "1 203 417": thousands apart, as figures of files and lines are read.
std::string count(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}
std::string count_or_none(std::size_t number) { return number == 0 ? "–" : count(number); }

template <class List, class Word>
std::string joined(const List& list, Word word, const char* between) {
  std::string out;
  for (const auto& each : list) out += (out.empty() ? "" : between) + word(each);
  return out;
}

std::string head(const PortabilityReport& report) {
  const portability::Summary& sum = report.summary;
  const std::string paths = joined(
      report.survey->paths, [](const std::string& path) { return path; }, ", ");
  std::string out = sum.places == 0 ? say(PortabilityMsg::head_none, paths, count(sum.files), count(sum.lines))
                                    : say(PortabilityMsg::head_places, paths, count(sum.places),
                                          count(sum.files_with_places), count(sum.files), count(sum.lines));
  out = text::wrapped(out, kWidth, 2);
  return out +
         line(say(PortabilityMsg::head_kinds,
                  joined(
                      sum.files_by_kind,
                      [](const auto& kind) { return fmt::format("{} {}", kind.first, count(kind.second)); }, " · ")));
}

std::vector<std::string> effort_cells(const std::array<std::size_t, kEfforts>& by_effort) {
  std::vector<std::string> out;
  for (const std::size_t each : by_effort) out.push_back(count_or_none(each));
  return out;
}

std::vector<std::string> row(std::string name, std::size_t places, const std::array<std::size_t, kEfforts>& by_effort) {
  std::vector<std::string> out{std::move(name), count(places)};
  for (std::string& each : effort_cells(by_effort)) out.push_back(std::move(each));
  return out;
}

std::vector<std::string> effort_header(PortabilityMsg first) {
  std::vector<std::string> out{say(first), say(PortabilityMsg::column_places)};
  for (std::size_t i = 0; i < kEfforts; ++i) out.push_back(in_words(static_cast<Effort>(i)));
  return out;
}

std::string vendors(const portability::Summary& sum) {
  text::Table table(effort_header(PortabilityMsg::column_vendor));
  for (const portability::VendorCount& each : sum.vendors)
    table.add_row(
        row(each.vendor == "none" ? say(PortabilityMsg::no_vendor) : each.vendor, each.places, each.by_effort));
  return "\n" + table.render();
}

/// The rows of a table whose last column takes several lines where its words do not fit beside the others.
class FormTable {
 public:
  explicit FormTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string render() const {
    std::size_t room = kWidth - 2;
    for (std::size_t c = 0; c + 1 < rows_.front().size(); ++c) {
      std::size_t widest = 0;
      for (const auto& row : rows_) widest = std::max(widest, c < row.size() ? text::display_width(row[c]) : 0);
      room -= std::min(room, widest + 2);
    }
    text::Table table(rows_.front());
    table.flush_left(3);
    table.flush_left(4);
    for (std::size_t i = 1; i < rows_.size(); ++i) add(rows_[i], room, table);
    return table.render();
  }

 private:
  static void add(std::vector<std::string> row, std::size_t room, text::Table& table) {
    if (row.size() < 5) return table.add_row(std::move(row));
    const std::string lines = text::wrapped(row[4], room, 0);
    for (std::size_t from = 0; from < lines.size();) {
      const std::size_t end = lines.find('\n', from);
      row[4] = lines.substr(from, end - from);
      table.add_row(std::exchange(row, std::vector<std::string>(5)));
      from = end + 1;
    }
  }

  std::vector<std::vector<std::string>> rows_;
};

std::string families(const PortabilityReport& report) {
  const portability::RuleSet& set = *report.rules;
  FormTable table({say(PortabilityMsg::column_rule), say(PortabilityMsg::column_places),
                   say(PortabilityMsg::column_files), say(PortabilityMsg::column_effort),
                   say(PortabilityMsg::column_form)});
  for (const portability::FamilyCount& each : report.summary.families) {
    table.add_row({set.families[each.family].title.said(), count(each.places), count(each.files)});
    for (const portability::RuleCount& its : each.rules) {
      const portability::Rule& rule = set.rules[its.rule];
      table.add_row({"  " + rule.id, count(its.places), count(its.files), in_words(rule.effort), rule.form.said()});
    }
  }
  return "\n" + table.render();
}

/// At most `width` columns: the end of a path tells it apart.
std::string end_of(const std::string& path, std::size_t width) {
  if (text::display_width(path) <= width) return path;
  std::string_view rest = path;
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (text::display_width(rest) >= width || (!rest.empty() && is_inside(rest.front()))) rest.remove_prefix(1);
  return "…" + std::string(rest);
}

std::string top_files(const PortabilityReport& report) {
  const portability::Summary& sum = report.summary;
  constexpr std::size_t kPathWidth = 46;
  text::Table table(effort_header(PortabilityMsg::column_file));
  for (std::size_t i = 0; i < std::min(kTopFiles, sum.top.size()); ++i) {
    const portability::FileCount& each = sum.top[i];
    std::string path = report.survey->files[each.file].file.key;
    path = end_of(path, kPathWidth);
    table.add_row(row(std::move(path), each.places, each.by_effort));
  }
  std::string out = "\n" + table.render();
  if (sum.top.size() > kTopFiles)
    out += "  " + say(PortabilityMsg::line_more_files, count(sum.top.size() - kTopFiles)) + "\n";
  return out;
}

/// Every place, by rule, each rule with its portable form and what is to be known about it.
std::string places(const PortabilityReport& report) {
  const portability::RuleSet& set = *report.rules;
  std::vector<std::string> of_rule(set.rules.size());
  for (const portability::SurveyedFile& file : report.survey->files) {
    for (const portability::Finding& each : file.scan.findings) {
      const std::string at = each.cell == 0 ? fmt::format("{}:{}", file.file.path, each.line)
                                            : fmt::format("{}:cell {}:{}", file.file.path, each.cell, each.line);
      of_rule[each.rule] += fmt::format("  {}: {}\n", at, each.text);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < of_rule.size(); ++i) {
    if (of_rule[i].empty()) continue;
    const portability::Rule& rule = set.rules[i];
    out +=
        "\n" + text::wrapped(fmt::format("{} ({}): {}", rule.id, in_words(rule.effort), rule.form.said()), kWidth, 2);
    if (!rule.note.english.empty()) out += line(rule.note.said());
    out += of_rule[i];
  }
  return out;
}

std::string changed_places(const std::vector<portability::KeptPlace>& list, char sign) {
  std::string out;
  for (std::size_t i = 0; i < std::min(list.size(), kShownChanges); ++i)
    out += fmt::format("  {} {}:{}: {}\n", sign, list[i].file, list[i].line, list[i].text);
  if (list.size() > kShownChanges)
    out += "    " + say(PortabilityMsg::line_more_places, count(list.size() - kShownChanges)) + "\n";
  return out;
}

std::string since(const portability::Difference& since) {
  std::string out = "\n" + text::wrapped(say(PortabilityMsg::against_head, since.path, count(since.before),
                                             count(since.now), count(since.appeared.size()), count(since.gone.size())),
                                         kWidth, 2);
  if (since.rules_differ) out += line(say(PortabilityMsg::against_rules));
  if (since.rules.empty()) return out;
  text::Table table({say(PortabilityMsg::column_rule), say(PortabilityMsg::column_before),
                     say(PortabilityMsg::column_now), say(PortabilityMsg::column_appeared),
                     say(PortabilityMsg::column_gone)});
  for (const portability::RuleChange& each : since.rules)
    table.add_row(
        {each.rule, count(each.before), count(each.now), count_or_none(each.appeared), count_or_none(each.gone)});
  return out + table.render() + changed_places(since.appeared, '+') + changed_places(since.gone, '-');
}

std::string not_read(const PortabilityReport& report) {
  const std::vector<portability::Skipped>& skipped = report.survey->skipped;
  std::string out;
  for (std::size_t i = 0; i < std::min(skipped.size(), kShownSkips); ++i)
    out += line(say(PortabilityMsg::line_skipped, skipped[i].path, in_words(skipped[i].why)));
  if (skipped.size() > kShownSkips)
    out += line(say(PortabilityMsg::line_more_skipped, count(skipped.size() - kShownSkips)));
  if (report.survey->links > 0) out += line(say(PortabilityMsg::line_links, count(report.survey->links)));
  if (report.summary.unread_lines > 0)
    out += line(say(PortabilityMsg::line_unread_lines, count(report.summary.unread_lines)));
  return out;
}

std::string foot(const PortabilityReport& report) {
  const portability::Summary& sum = report.summary;
  std::string out = "\n";
  if (sum.places > 0) {
    out += line(say(PortabilityMsg::line_work_items,
                    joined(
                        sum.by_work_item,
                        [](const auto& item) { return fmt::format("{} {}", item.first, count(item.second)); }, " · ")));
    out += line(say(PortabilityMsg::line_meaning));
  }
  out += line(say(PortabilityMsg::line_mentions, count(sum.mentions)));
  out += not_read(report);
  if (sum.places > 0 && !report.shows_places) out += line(say(PortabilityMsg::line_every_place));
  return out;
}

}  // namespace

std::string portability_table(const PortabilityReport& report) {
  std::string out = head(report);
  if (report.summary.places > 0) out += vendors(report.summary) + families(report) + top_files(report);
  if (report.since) out += since(*report.since);
  if (report.shows_places) out += places(report);
  return out + foot(report);
}

}  // namespace scoville::report
