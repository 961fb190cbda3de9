#include "report/readiness.hpp"

#include <array>
#include <utility>
#include <vector>

#include "text/catalogue/readiness.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace readiness;
using text::ReadinessMsg;
using text::say;

constexpr std::size_t kEvidenceWidth = 64;

/// In the order of Item.
constexpr std::array<ReadinessMsg, kItems> kTitles{ReadinessMsg::item_visible,
                                                   ReadinessMsg::item_count,
                                                   ReadinessMsg::item_allocate,
                                                   ReadinessMsg::item_copy,
                                                   ReadinessMsg::item_add,
                                                   ReadinessMsg::item_synchronise,
                                                   ReadinessMsg::item_read_back,
                                                   ReadinessMsg::item_framework,
                                                   ReadinessMsg::item_transformers,
                                                   ReadinessMsg::item_engine,
                                                   ReadinessMsg::item_image,
                                                   ReadinessMsg::item_telemetry,
                                                   ReadinessMsg::item_compiler,
                                                   ReadinessMsg::item_operator_library,
                                                   ReadinessMsg::item_communication_library,
                                                   ReadinessMsg::item_profiler,
                                                   ReadinessMsg::item_triton};

std::string title_of(Item item) { return say(kTitles[static_cast<std::size_t>(item)]); }

std::string word_of(Verdict verdict) {
  constexpr std::array kWords{ReadinessMsg::yes, ReadinessMsg::no, ReadinessMsg::unknown};
  return say(kWords[static_cast<std::size_t>(verdict)]);
}

std::string evidence_of(const Check& check) {
  const std::string evidence = check.evidence.substr(0, check.evidence.find('\n'));
  if (check.version.empty()) return evidence;
  return evidence.empty() ? check.version : check.version + " · " + evidence;
}

/// At most as wide as the column; at least one.
std::vector<std::string> lines_of(const std::string& evidence) {
  const std::string wrapped = text::wrapped(evidence, kEvidenceWidth, 0);
  std::vector<std::string> lines;
  for (std::size_t from = 0, end; (end = wrapped.find('\n', from)) != std::string::npos; from = end + 1) {
    lines.push_back(wrapped.substr(from, end - from));
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string conclusion(const Finding& finding) {
  switch (finding.is_ready) {
    case Verdict::yes:
      return say(ReadinessMsg::ready);
    case Verdict::no:
      return say(ReadinessMsg::not_ready, title_of(*finding.first_missing));
    case Verdict::unknown:
      return say(ReadinessMsg::cannot_tell, title_of(*finding.first_missing));
  }
  return "";
}

}  // namespace

json::object readiness_json(const Finding& finding, const std::string& device, const std::string& probe) {
  json::array checks;
  for (const Check& each : finding.checks) {
    checks.push_back({{"check", std::string(name_of(each.item))},
                      {"required", is_required(each.item)},
                      {"verdict", std::string(name_of(each.verdict))},
                      {"version", each.version.empty() ? json::value() : json::value(each.version)},
                      {"evidence", each.evidence}});
  }
  constexpr std::array kReady{"ready", "not_ready", "cannot_tell"};
  const Missing& missing = finding.layers_missing;
  return {
      {"schema", "scoville.readiness/1"},
      {"device", device},
      {"probe", probe},
      {"verdict", kReady[static_cast<std::size_t>(finding.is_ready)]},
      {"first_missing",
       finding.first_missing ? json::value(std::string(name_of(*finding.first_missing))) : json::value()},
      {"checks", std::move(checks)},
      {"ecosystem", {{"layers_missing", {{"value", missing.value}, {"low", missing.low}, {"high", missing.high}}}}}};
}

std::string readiness_table(const Finding& finding, const std::string& device, const std::string& probe) {
  text::Table table(
      {say(ReadinessMsg::column_check), say(ReadinessMsg::column_verdict), say(ReadinessMsg::column_evidence)});
  table.flush_left(1);
  table.flush_left(2);
  for (const Check& each : finding.checks) {
    if (each.item == Item::framework) table.add_rule();
    std::string name = title_of(each.item), verdict = word_of(each.verdict);
    for (const std::string& line : lines_of(evidence_of(each))) {
      table.add_row({std::exchange(name, ""), std::exchange(verdict, ""), line});
    }
  }
  const Missing& missing = finding.layers_missing;
  return say(ReadinessMsg::head, device, probe) + "\n\n" + table.render() + "\n" + conclusion(finding) + "\n" +
         say(ReadinessMsg::layers_missing, missing.low, missing.high) + "\n";
}

}  // namespace scoville::report
