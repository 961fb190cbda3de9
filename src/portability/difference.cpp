#include "portability/difference.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/json_fields.hpp"
#include "text/catalogue/portability.hpp"

namespace scoville::portability {
namespace {

using text::PortabilityMsg;
using text::say;

Error fault(const std::string& path, const std::string& what) {
  return {ErrorCode::invalid_argument, say(PortabilityMsg::earlier_fault, path, what)};
}

Status read_place(const json::value& from, const std::string& name, KeptPlace& into) {
  JsonIn in(from, name);
  std::optional<std::uint32_t> cell;
  in("rule", into.rule);
  in("file", into.file);
  in("text", into.text);
  in("line", into.line);
  in("cell", cell);
  into.cell = cell.value_or(0);
  return in.status();
}

/// Absent in no file that --json wrote; of any other shape: all.
Choice read_choice(const json::object& object) {
  Choice out;
  const json::value* const only = object.if_contains("only");
  if (!only || !only->is_object()) return out;
  if (const json::value* const vendor = only->get_object().if_contains("vendor"); vendor && vendor->is_string())
    out.vendor = vendor->get_string();
  if (const json::value* const rules = only->get_object().if_contains("rules"); rules && rules->is_array())
    for (const json::value& each : rules->get_array())
      if (each.is_string()) out.rules.emplace_back(each.get_string());
  return out;
}

}  // namespace

Result<Earlier> read_earlier(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return Error{ErrorCode::invalid_argument, text.error().message};
  json::error_code broken;
  const json::value root = json::parse(*text, broken);
  if (broken) return fault(path, broken.message());
  const json::object* const object = root.if_object();
  const json::value* const schema = object ? object->if_contains("schema") : nullptr;
  if (!schema || *schema != "scoville.portability/1") return fault(path, "schema");
  Earlier out;
  out.path = path;
  if (const json::value* const sha = object->if_contains("rules_sha256"); sha && sha->is_string())
    out.rules_sha256 = sha->as_string();
  const json::value* const places = object->if_contains("places");
  if (!places || !places->is_array()) return fault(path, "places");
  for (const json::value& each : places->as_array()) {
    KeptPlace place;
    if (Status read = read_place(each, "places[" + std::to_string(out.places.size()) + "]", place); !read)
      return fault(path, read.error().message);
    out.places.push_back(std::move(place));
  }
  std::stable_sort(out.places.begin(), out.places.end());
  out.choice = read_choice(*object);
  return out;
}

void keep_only(Earlier& earlier, const RuleSet& set, const Choice& choice) {
  if (choice.is_all()) return;
  std::erase_if(earlier.places, [&](const KeptPlace& each) {
    const Rule* const rule = set.find(each.rule);
    return !rule || !choice.takes(*rule);
  });
}

std::vector<KeptPlace> kept_places(const Survey& survey, const RuleSet& set) {
  std::vector<KeptPlace> out;
  for (const SurveyedFile& file : survey.files)
    for (const Finding& each : file.scan.findings)
      out.push_back({set.rules[each.rule].id, file.file.key, each.text, each.cell, each.line});
  std::stable_sort(out.begin(), out.end());
  return out;
}

Difference difference(const Earlier& earlier, const std::vector<KeptPlace>& now, const RuleSet& set) {
  Difference out{earlier.path, earlier.rules_sha256 != set.sha256, earlier.places.size(), now.size(), {}, {}, {}};
  std::set_difference(now.begin(), now.end(), earlier.places.begin(), earlier.places.end(),
                      std::back_inserter(out.appeared));
  std::set_difference(earlier.places.begin(), earlier.places.end(), now.begin(), now.end(),
                      std::back_inserter(out.gone));
  std::map<std::string, RuleChange> changes;
  for (const KeptPlace& each : earlier.places) ++changes[each.rule].before;
  for (const KeptPlace& each : now) ++changes[each.rule].now;
  for (const KeptPlace& each : out.appeared) ++changes[each.rule].appeared;
  for (const KeptPlace& each : out.gone) ++changes[each.rule].gone;
  for (auto& [rule, change] : changes) {
    change.rule = rule;
    if (change.appeared + change.gone > 0) out.rules.push_back(std::move(change));
  }
  return out;
}

}  // namespace scoville::portability
