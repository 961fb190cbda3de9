#include "cli/external.hpp"

#include <algorithm>

namespace scoville::cli {
namespace {

using report::StoredEvidence;
using text::Msg;
using text::say;

Error damaged(const store::RunStore& store, const std::string& id, const std::string& why) {
  return {ErrorCode::io, say(Msg::external_damaged, store.path(), id, why)};
}

Result<StoredEvidence> evidence_from(const store::RunStore& store, const store::Finding& finding) {
  const json::object* const body = finding.body.if_object();
  const json::value* const result = body ? body->if_contains("result") : nullptr;
  if (!result) return damaged(store, finding.id, "result");
  Result<evidence::ExternalResult> read = evidence::external_from(*result);
  if (!read) return damaged(store, finding.id, read.error().message);
  StoredEvidence out;
  out.id = finding.id;
  out.imported = finding.made;
  out.result = std::move(*read);
  if (const json::value* const tag = body->if_contains("tag"); tag && tag->is_string()) out.tag = tag->get_string();
  const json::value* const system = body->if_contains("system");
  if (!system || system->is_null()) return out;
  Result<event::Fingerprint> fingerprint = event::Fingerprint::from_json(*system);
  if (!fingerprint) return damaged(store, finding.id, fingerprint.error().message);
  out.system = std::move(*fingerprint);
  return out;
}

}  // namespace

store::Finding finding_of(const StoredEvidence& evidence, const std::string& subject) {
  const json::object body{
      {"tag", evidence.tag},
      {"system", evidence.system.empty() ? json::value(nullptr) : json::value(evidence.system.to_json())},
      {"result", to_json(evidence.result)}};
  return {evidence.id, kExternal, subject, {}, body};
}

Result<std::vector<StoredEvidence>> read_evidence(const store::RunStore& store) {
  const Result<std::vector<store::Finding>> findings = store.findings(kExternal);
  if (!findings) return findings.error();
  std::vector<StoredEvidence> out;
  for (const store::Finding& each : *findings) {
    Result<StoredEvidence> evidence = evidence_from(store, each);
    if (!evidence) return evidence.error();
    out.push_back(std::move(*evidence));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<std::vector<StoredEvidence>> find_evidence(const store::RunStore& store, const std::string& name) {
  Result<std::vector<StoredEvidence>> all = read_evidence(store);
  if (!all || name.empty()) return all ? Result(std::vector<StoredEvidence>()) : all;
  std::vector<StoredEvidence> tagged, beginning;
  for (StoredEvidence& each : *all) {
    if (each.id == name) return std::vector{std::move(each)};
    if (each.tag == name)
      tagged.push_back(std::move(each));
    else if (each.id.starts_with(name))
      beginning.push_back(std::move(each));
  }
  if (!tagged.empty()) return tagged;
  if (beginning.size() > 1)
    return Error{ErrorCode::invalid_argument, say(Msg::external_ambiguous, store.path(), name, beginning.size())};
  return beginning;
}

Result<Named> find_named(const store::RunStore& store, const std::vector<std::string>& names) {
  Named out;
  const auto add = [](auto& to, auto& found) {
    for (auto& each : found) {
      const bool is_known = std::any_of(to.begin(), to.end(), [&](const auto& known) { return known.id == each.id; });
      if (!is_known) to.push_back(std::move(each));
    }
  };
  for (const std::string& name : names) {
    Result<std::vector<store::RunInfo>> runs = store.find(name);
    if (runs) {
      add(out.runs, *runs);
      continue;
    }
    if (runs.error().code != ErrorCode::not_found) return runs.error();
    Result<std::vector<StoredEvidence>> evidence = find_evidence(store, name);
    if (!evidence) return evidence.error();
    if (evidence->empty()) return runs.error();
    add(out.evidence, *evidence);
  }
  return out;
}

Error not_compared(const store::RunStore& store, const std::string& name, Error otherwise) {
  if (otherwise.code != ErrorCode::not_found) return otherwise;
  const Result<std::vector<StoredEvidence>> evidence = find_evidence(store, name);
  if (!evidence || evidence->empty()) return otherwise;
  return {ErrorCode::invalid_argument, say(Msg::external_not_compared, name, label(evidence->front().result.tool))};
}

Status check_external_tag(const store::RunStore& store, const std::string& tag) {
  if (tag.empty() || !store.find(tag)) return Done{};
  return Error{ErrorCode::invalid_argument, say(Msg::external_tag_of_runs, tag)};
}

}  // namespace scoville::cli
