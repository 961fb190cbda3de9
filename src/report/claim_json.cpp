#include "report/claim.hpp"

namespace scoville::report {
namespace {

using text::Language;
using text::say_in;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& each : list) out.push_back(json::string(each));
  return out;
}

std::string english(text::ClaimMsg key) { return say_in(Language::english, key); }

json::object subject_json(const claim::Claim& claim) {
  json::object out{{"id", text_or_null(claim.id)},
                   {"text", claim.text},
                   {"party", text_or_null(claim.party)},
                   {"role", claim.role ? json::value(name_of(*claim.role)) : json::value(nullptr)},
                   {"date", text_or_null(claim.date)},
                   {"url", text_or_null(claim.url)},
                   {"ratio", nullptr},
                   {"value", number_or_null(claim.value)},
                   {"up_to", claim.is_up_to}};
  if (claim.ratio) out["ratio"] = json::object{{"low", claim.ratio->low}, {"high", claim.ratio->high}};
  return out;
}

json::array points_json(const std::vector<claim::PointState>& states) {
  json::array out;
  for (const claim::PointState& each : states) {
    out.push_back(json::object{{"number", each.point->number},
                               {"id", each.point->id},
                               {"verdict", name_of(each.verdict)},
                               {"weight", each.weight},
                               {"lacks", texts(each.lacks)},
                               {"question", english(each.point->question)}});
  }
  return out;
}

json::array missing_json(const std::vector<claim::PointState>& states) {
  json::array out;
  for (const claim::PointState* each : missing(states)) out.push_back(json::string(each->point->id));
  return out;
}

json::array mismatches_json(const std::vector<claim::Mismatch>& list) {
  json::array out;
  for (const claim::Mismatch& each : list) {
    out.push_back(json::object{{"field", each.key},
                               {"subject", each.subject},
                               {"comparator", each.comparator},
                               {"class", name_of(each.field_class)},
                               {"blocks", each.is_blocking}});
  }
  return out;
}

json::array cells_json(const std::vector<claim::Cell>& cells) {
  json::array out;
  for (const claim::Cell& each : cells) {
    const claim::Measured& measured = each.measured;
    out.push_back(json::object{{"ratio", measured.ratio},
                               {"low", number_or_null(measured.lo)},
                               {"high", number_or_null(measured.hi)},
                               {"margin", measured.margin},
                               {"conditions", text_or_null(measured.conditions)},
                               {"by", name_of(measured.by)},
                               {"party", text_or_null(measured.party)},
                               {"source", text_or_null(measured.source)},
                               {"date", text_or_null(measured.date)},
                               {"matched", measured.is_matched},
                               {"verdict", name_of(each.verdict)}});
  }
  return out;
}

json::array tests_json(const std::vector<claim::TestCommand>& list) {
  json::array out;
  for (const claim::TestCommand& each : list)
    out.push_back(json::object{{"purpose", english(each.purpose)}, {"command", each.line}});
  return out;
}

json::array watch_json(const std::vector<claim::Watch>& list) {
  json::array out;
  for (const claim::Watch& each : list)
    out.push_back(json::object{{"id", each.id}, {"title", english(each.title)}, {"seen", text_or_null(each.seen)}});
  return out;
}

}  // namespace

json::object claim_json(const claim::Check& check) {
  const claim::Ruling& ruling = check.ruling;
  return {{"schema", "scoville.claim/1"},
          {"claim", subject_json(check.claim)},
          {"verdict", name_of(ruling.verdict)},
          {"reason", name_of(ruling.reason)},
          {"fields", texts(ruling.fields)},
          {"evidence",
           {{"level", name_of(check.evidence.level)},
            {"may_support", english(supports(check.evidence.level))},
            {"next", name_of(check.evidence.next)},
            {"lacks", texts(check.evidence.lacks)}}},
          {"missing", missing_json(check.checklist)},
          {"mismatched", mismatches_json(check.mismatches)},
          {"narrow", check.narrow.english},
          {"results", cells_json(ruling.cells)},
          {"checklist", points_json(check.checklist)},
          {"to_test", tests_json(check.to_test)},
          {"watch", watch_json(check.watch)}};
}

}  // namespace scoville::report
