#include "report/fingerprint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/words.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using environment::ChecklistRow;
using event::FieldStatus;
using event::Fingerprint;
using event::FingerprintField;
using text::Msg;
using text::say;

constexpr std::array<Msg, 3> kStates{Msg::env_state_fixed, Msg::env_state_unknown, Msg::env_state_changed};
constexpr std::size_t kMostDetail = 96;    // columns of the checklist
constexpr std::size_t kMostColumns = 160;  // of a value on a terminal; the JSON has all of it

/// A tool may print what moves a cursor: nothing of that reaches the terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) c = ' ';
  }
  return text;
}

std::string checklist_table(const std::vector<ChecklistRow>& rows) {
  text::Table table({say(Msg::env_column_item), say(Msg::env_column_state), say(Msg::env_column_detail)});
  table.flush_left(1);
  table.flush_left(2);
  for (const ChecklistRow& row : rows) {
    std::string detail = row.changed.empty() ? row.detail : fmt::format("{}", fmt::join(row.changed, ", "));
    table.add_row({title_of(row.row), say(kStates[static_cast<std::size_t>(row.state)]),
                   text::shorten(printable(detail), kMostDetail)});
  }
  return table.render();
}

std::string value_or_not_known(const Fingerprint& print, const std::string& key) {
  const std::string value = print.text(key);
  return value.empty() ? say(Msg::env_not_known) : text::shorten(printable(value.substr(0, value.find('\n'))), 80);
}

std::string changes(const Fingerprint& print, const Fingerprint& base, const std::string& base_name) {
  const std::vector<std::string> keys = environment::changed_keys(print, base);
  if (keys.empty()) return say(Msg::env_changed_none, base_name) + "\n\n";
  std::string out = say(Msg::env_changed_head, base_name) + "\n";
  for (const std::string& key : keys) {
    out += "  " + say(Msg::env_changed_line, key, value_or_not_known(base, key), value_or_not_known(print, key)) + "\n";
  }
  return out + "\n";
}

/// One field; what has several lines stands below its key, its columns in place.
std::string field_lines(const FingerprintField& field, const Fingerprint& print, std::size_t width) {
  const std::string value = printable(print.text(field.key));
  if (value.find('\n') == std::string::npos) {
    return fmt::format("  {}  {}\n", text::pad_right(field.key, width), text::shorten(value, kMostColumns));
  }
  std::string out = fmt::format("  {}\n", field.key);
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('\n', at), value.size());
    out += fmt::format("    {}\n", value.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string area_of(const std::string& key) { return key.substr(0, key.find('.')); }

std::string known_fields(const Fingerprint& print) {
  std::string out, area;
  std::size_t width = 0;
  for (const FingerprintField& field : print.fields()) {
    if (field.status == FieldStatus::ok) width = std::max(width, std::min<std::size_t>(field.key.size(), 36));
  }
  for (const FingerprintField& field : print.fields()) {
    if (field.status != FieldStatus::ok) continue;
    if (!area.empty() && area != area_of(field.key)) out += "\n";
    area = area_of(field.key);
    out += field_lines(field, print, width);
  }
  return out;
}

std::string missed_fields(const Fingerprint& print) {
  std::string out, absent;
  bool is_slow = false;
  for (const FingerprintField& field : print.fields()) {
    if (field.status == FieldStatus::absent) absent += (absent.empty() ? "" : ", ") + field.key;
    if (field.status == FieldStatus::ok || field.status == FieldStatus::absent) continue;
    out += fmt::format("  {}  {}  {}\n", field.key,
                       say(field.status == FieldStatus::denied ? Msg::env_status_denied : Msg::env_status_error),
                       text::shorten(printable(field.source), kMostColumns));
    is_slow = is_slow || field.source.find("timed out after") != std::string::npos;
  }
  if (is_slow) out += "  " + say(Msg::env_timeout_hint) + "\n";
  if (!out.empty()) out = fmt::format("\n{}\n{}", say(Msg::env_missed_head), out);
  if (!absent.empty()) out += "\n" + text::wrapped(say(Msg::env_absent_line, absent), 120, 2);
  return out;
}

}  // namespace

std::string checklist_text(const Fingerprint& print) {
  return say(Msg::env_head) + "\n" + checklist_table(environment::checklist(print, nullptr));
}

std::string fingerprint_text(const Fingerprint& print, const Fingerprint* base, const std::string& base_name) {
  std::string out = fmt::format("{}\n{}\n", say(Msg::env_head), checklist_table(environment::checklist(print, base)));
  if (base) out += changes(print, *base, base_name);
  out += known_fields(print) + missed_fields(print);
  return out + "\n" + say(Msg::env_hashes, print.full_hash().substr(0, 12), print.comparable_hash().substr(0, 12)) +
         "\n";
}

json::object fingerprint_json(const Fingerprint& print, const Fingerprint* base) {
  json::object out = print.to_json();
  json::array rows;
  for (const ChecklistRow& row : environment::checklist(print, base)) {
    json::array changed;
    for (const std::string& key : row.changed) changed.emplace_back(key);
    rows.push_back(json::object{{"row", json::string(environment::name_of(row.row))},
                                {"state", json::string(environment::name_of(row.state))},
                                {"changed", std::move(changed)}});
  }
  out["checklist"] = std::move(rows);
  return out;
}

}  // namespace scoville::report
