#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "claim/sentence.hpp"
#include "report/cells.hpp"
#include "report/claim.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using claim::Check;
using claim::Reason;
using claim::Verdict;
using text::ClaimMsg;
using text::say;

constexpr std::size_t kCellWidth = 48;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kLineWidth, indent);
}

std::string role_in_words(claim::Role role) {
  constexpr std::array kWords{ClaimMsg::role_vendor, ClaimMsg::role_partner,   ClaimMsg::role_independent,
                              ClaimMsg::role_us,     ClaimMsg::role_community, ClaimMsg::role_anonymous};
  return say(kWords[static_cast<std::size_t>(role)]);
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

/// What the verdict hangs on, where the narrow sentence does not say it all.
std::string why(Reason reason) {
  switch (reason) {
    case Reason::best_cell:
      return say(ClaimMsg::reason_best_cell);
    case Reason::contradicted:
      return say(ClaimMsg::reason_contradicted);
    case Reason::holds_in_part:
      return say(ClaimMsg::reason_holds_in_part);
    case Reason::reported_only:
      return say(ClaimMsg::reason_reported_only);
    case Reason::conditions_ours:
      return say(ClaimMsg::reason_conditions_ours);
    case Reason::not_measured:
      return say(ClaimMsg::reason_not_measured);
    default:
      return "";
  }
}

std::string head(const Check& check) {
  const claim::Claim& claim = check.claim;
  std::string out = line(say(ClaimMsg::table_verdict, describe(check.ruling.verdict)), 0);
  out += line(say(ClaimMsg::table_narrow, check.narrow.said()));
  if (const std::string reason = why(check.ruling.reason); !reason.empty())
    out += line(say(ClaimMsg::table_why, reason));
  out += "\n" + line(say(ClaimMsg::table_claim, claim.text));
  out += line("  " + say(ClaimMsg::table_by, claim.party.empty() ? say(ClaimMsg::table_nobody) : claim.party,
                         claim.role ? role_in_words(*claim.role) : say(ClaimMsg::role_unknown),
                         claim.date.empty() ? say(ClaimMsg::table_no_date) : claim.date));
  out += "  " + (claim.url.empty() ? say(ClaimMsg::table_no_source) : claim.url) + "\n";
  if (!claim.headlines.empty()) out += line("  " + say(ClaimMsg::table_headlines, joined(claim.headlines)));
  return out;
}

std::string evidence_lines(const Check& check) {
  const claim::Evidence& evidence = check.evidence;
  std::string out = line(say(ClaimMsg::table_evidence, name_of(evidence.level), say(supports(evidence.level))), 0);
  if (evidence.next != evidence.level)
    out += line("  " + say(ClaimMsg::table_next_level, name_of(evidence.next), say(needs(evidence.next)),
                           joined(evidence.lacks)));
  return out;
}

std::string missing_lines(const Check& check) {
  const auto missing = claim::missing(check.checklist);
  if (missing.empty()) return line(say(ClaimMsg::table_complete), 0);
  const auto there = std::count_if(check.checklist.begin(), check.checklist.end(), [](const auto& each) {
    return each.verdict == claim::PointVerdict::present || each.verdict == claim::PointVerdict::not_asked;
  });
  text::Table table({say(ClaimMsg::column_point), say(ClaimMsg::column_weight), say(ClaimMsg::column_lacks)});
  table.flush_left(2);
  for (const claim::PointState* each : missing) {
    table.add_row({fmt::format("{:2} {}", each->point->number, say(each->point->title)), std::to_string(each->weight),
                   text::shorten(joined(each->lacks), kCellWidth)});
  }
  return line(say(ClaimMsg::table_missing, there), 0) + table.render();
}

std::string mismatch_lines(const Check& check) {
  if (check.mismatches.empty()) return "";
  text::Table table({say(ClaimMsg::column_field), say(ClaimMsg::column_subject), say(ClaimMsg::column_comparator),
                     say(ClaimMsg::column_means)});
  for (const std::size_t column : {1, 2, 3}) table.flush_left(column);
  for (const claim::Mismatch& each : check.mismatches) {
    const ClaimMsg means = !each.is_blocking                                  ? ClaimMsg::means_stack
                           : each.field_class == claim::FieldClass::precision ? ClaimMsg::means_no_accuracy
                                                                              : ClaimMsg::means_blocks;
    table.add_row({each.key, text::shorten(each.subject, 30), text::shorten(each.comparator, 30), say(means)});
  }
  return "\n" + line(say(ClaimMsg::table_mismatched), 0) + table.render();
}

std::string cell_lines(const Check& check) {
  if (check.ruling.cells.empty()) return "";
  text::Table table({say(ClaimMsg::column_ratio), say(ClaimMsg::column_where), say(ClaimMsg::column_by),
                     say(ClaimMsg::column_against)});
  for (const std::size_t column : {1, 2, 3}) table.flush_left(column);
  for (const claim::Cell& each : check.ruling.cells) {
    const claim::Measured& measured = each.measured;
    table.add_row({shown(check.claim, measured),
                   measured.conditions.empty() ? kNone : text::shorten(measured.conditions, kCellWidth),
                   measured.party.empty() ? role_in_words(measured.by) : measured.party, describe(each.verdict)});
  }
  return "\n" + line(say(ClaimMsg::table_cells), 0) + table.render();
}

std::string test_lines(const Check& check) {
  std::string out = "\n" + line(say(ClaimMsg::table_to_test), 0);
  for (const claim::TestCommand& each : check.to_test)
    out += fmt::format("  # {}\n  {}\n", say(each.purpose), each.line);
  return out;
}

std::string watch_lines(const Check& check) {
  std::string out = "\n" + line(say(ClaimMsg::table_watch), 0);
  for (const claim::Watch& each : check.watch)
    out += line("  " + say(ClaimMsg::watch_line, say(each.title),
                           each.seen.empty() ? say(ClaimMsg::not_seen) : say(ClaimMsg::seen, each.seen)));
  return out;
}

}  // namespace

std::string describe(Verdict verdict) {
  constexpr std::array kWords{ClaimMsg::verdict_unsupported,
                              ClaimMsg::verdict_untestable,
                              ClaimMsg::verdict_not_comparable,
                              ClaimMsg::verdict_refuted_as_stated,
                              ClaimMsg::verdict_untestable_now,
                              ClaimMsg::verdict_supported_as_stated,
                              ClaimMsg::verdict_direction_supported_size_refuted,
                              ClaimMsg::verdict_direction_supported_size_open,
                              ClaimMsg::verdict_size_refuted_direction_open,
                              ClaimMsg::verdict_refuted,
                              ClaimMsg::verdict_inconclusive,
                              ClaimMsg::verdict_supported_with_conditions};
  return say(kWords[static_cast<std::size_t>(verdict)]);
}

std::string claim_table(const Check& check) {
  return head(check) + "\n" + missing_lines(check) + mismatch_lines(check) + cell_lines(check) + "\n" +
         evidence_lines(check) + test_lines(check) + watch_lines(check);
}

}  // namespace scoville::report
