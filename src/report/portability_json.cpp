#include "report/portability.hpp"

namespace scoville::report {
namespace {

using portability::Effort;
using portability::kEfforts;
using portability::RuleSet;
using portability::Survey;

json::object efforts_json(const std::array<std::size_t, kEfforts>& by_effort) {
  json::object out;
  for (std::size_t i = 0; i < kEfforts; ++i) out[name_of(static_cast<Effort>(i))] = by_effort[i];
  return out;
}

json::object counts_json(const std::map<std::string, std::size_t>& counts) {
  json::object out;
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

json::array vendors_json(const portability::Summary& sum) {
  json::array out;
  for (const portability::VendorCount& each : sum.vendors)
    out.push_back(
        json::object{{"vendor", each.vendor}, {"places", each.places}, {"by_effort", efforts_json(each.by_effort)}});
  return out;
}

json::array rules_json(const portability::FamilyCount& family, const RuleSet& set) {
  json::array out;
  for (const portability::RuleCount& each : family.rules) {
    const portability::Rule& rule = set.rules[each.rule];
    out.push_back(json::object{{"rule", rule.id},
                               {"vendor", rule.vendor},
                               {"effort", name_of(rule.effort)},
                               {"places", each.places},
                               {"files", each.files},
                               {"form", rule.form.english}});
  }
  return out;
}

json::array families_json(const portability::Summary& sum, const RuleSet& set) {
  json::array out;
  for (const portability::FamilyCount& each : sum.families) {
    const portability::Family& family = set.families[each.family];
    out.push_back(json::object{{"family", family.id},
                               {"title", family.title.english},
                               {"work_item", family.work_item},
                               {"places", each.places},
                               {"files", each.files},
                               {"hard", each.hard},
                               {"rules", rules_json(each, set)}});
  }
  return out;
}

json::array files_json(const portability::Summary& sum, const Survey& survey) {
  json::array out;
  for (const portability::FileCount& each : sum.top)
    out.push_back(json::object{{"file", survey.files[each.file].file.key},
                               {"kind", survey.files[each.file].kind},
                               {"lines", survey.files[each.file].scan.lines},
                               {"places", each.places},
                               {"by_effort", efforts_json(each.by_effort)}});
  return out;
}

json::value cell_or_null(std::uint32_t cell) { return cell == 0 ? json::value(nullptr) : json::value(cell); }

json::array places_json(const Survey& survey, const RuleSet& set) {
  json::array out;
  for (const portability::SurveyedFile& file : survey.files)
    for (const portability::Finding& each : file.scan.findings)
      out.push_back(json::object{{"rule", set.rules[each.rule].id},
                                 {"file", file.file.key},
                                 {"cell", cell_or_null(each.cell)},
                                 {"line", each.line},
                                 {"column", each.column},
                                 {"text", each.text}});
  return out;
}

json::array skipped_json(const Survey& survey) {
  json::array out;
  for (const portability::Skipped& each : survey.skipped)
    out.push_back(json::object{{"file", each.path}, {"why", name_of(each.why)}});
  return out;
}

json::array kept_json(const std::vector<portability::KeptPlace>& places) {
  json::array out;
  for (const portability::KeptPlace& each : places)
    out.push_back(json::object{{"rule", each.rule},
                               {"file", each.file},
                               {"cell", cell_or_null(each.cell)},
                               {"line", each.line},
                               {"text", each.text}});
  return out;
}

json::value since_json(const std::optional<portability::Difference>& since) {
  if (!since) return nullptr;
  return json::object{{"file", since->path}, {"rules_differ", since->rules_differ}, {"before", since->before},
                      {"now", since->now},   {"new", kept_json(since->appeared)},   {"gone", kept_json(since->gone)}};
}

json::object only_json(const portability::Choice& choice) {
  json::array rules;
  for (const std::string& each : choice.rules) rules.push_back(json::string(each));
  return {{"vendor", choice.vendor.empty() ? json::value(nullptr) : json::value(choice.vendor)},
          {"rules", std::move(rules)}};
}

}  // namespace

json::object portability_json(const PortabilityReport& report) {
  const portability::Summary& sum = report.summary;
  const Survey& survey = *report.survey;
  json::array paths;
  for (const std::string& each : survey.paths) paths.push_back(json::string(each));
  return {{"schema", "scoville.portability/1"},
          {"paths", std::move(paths)},
          {"rules_sha256", report.rules->sha256},
          {"only", only_json(report.choice)},
          {"files_read", sum.files},
          {"files_by_kind", counts_json(sum.files_by_kind)},
          {"lines", sum.lines},
          {"places_total", sum.places},
          {"files_with_places", sum.files_with_places},
          {"by_effort", efforts_json(sum.by_effort)},
          {"vendors", vendors_json(sum)},
          {"work_items", counts_json(sum.by_work_item)},
          {"mentions", sum.mentions},
          {"unread_lines", sum.unread_lines},
          {"links_not_followed", survey.links},
          {"skipped", skipped_json(survey)},
          {"families", families_json(sum, *report.rules)},
          {"files", files_json(sum, survey)},
          {"against", since_json(report.since)},
          {"places", places_json(survey, *report.rules)}};
}

}  // namespace scoville::report
