#include "claim/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "claim/checklist.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {
namespace {

using text::ClaimMsg;
using text::say;

constexpr std::size_t kCommentColumn = 34;

/// A double-quoted scalar of YAML.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n' || c == '\r' || c == '\t')
      out += ' ';
    else
      out += c;
  }
  return out + "\"";
}

std::string or_null(const std::string& text) { return text.empty() ? "null" : quoted(text); }

std::string line(const std::string& key, const std::string& value, const std::string& comment) {
  std::string out = fmt::format("{}: {}", key, value);
  if (!comment.empty())
    out += std::string(out.size() < kCommentColumn ? kCommentColumn - out.size() : 1, ' ') + "# " + comment;
  return out + "\n";
}

std::string ratio_value(const Ratio& ratio) {
  if (ratio.low == ratio.high) return fmt::format("{:.6g}", ratio.low);
  return fmt::format("{{low: {:.6g}, high: {:.6g}}}", ratio.low, ratio.high);
}

/// Values from the sentence, by the field's key.
std::map<std::string, std::string> values_of(const Recognised& recognised) {
  std::map<std::string, std::string> out;
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) out[key] = quoted(text);
  };
  put("subject.device", recognised.subject);
  put("comparator.device", recognised.comparator);
  put("metric.name", recognised.metric);
  put("metric.unit", recognised.unit);
  put("numerics.weights", recognised.weights);
  put("workload.model", recognised.model);
  if (recognised.value) out["metric.value"] = fmt::format("{:.10g}", *recognised.value);
  return out;
}

/// The point of the checklist that a field belongs to, as a comment: said once, at its first field.
std::string comment_of(std::string_view key, std::vector<int>& told) {
  for (const Point& each : points()) {
    const bool is_of = std::any_of(each.needs.begin(), each.needs.end(), [&](std::string_view need) {
      return need == key || need.starts_with(std::string(key) + "|") || need.ends_with("|" + std::string(key));
    });
    if (!is_of || std::find(told.begin(), told.end(), each.number) != told.end()) continue;
    told.push_back(each.number);
    return fmt::format("{} · {}", each.number, say(each.title));
  }
  return "";
}

std::string head(const Draft& draft) {
  std::string out = "# " + say(ClaimMsg::draft_head) + "\n# " + say(ClaimMsg::draft_sided) + "\nclaim:\n";
  out += "  text: " + quoted(draft.sentence) + "\n";
  out += "  who:\n    party: " + or_null(draft.party) + "\n";
  out += "    " + line("role", draft.role ? std::string(name_of(*draft.role)) : "null", say(ClaimMsg::draft_who));
  out += "  date: " + (draft.date.empty() ? "null" : draft.date) + "\n";
  return out + "  url: " + or_null(draft.url) + "\n";
}

std::string ratio_lines(const Recognised& recognised) {
  const std::string from = say(ClaimMsg::draft_from_sentence);
  std::string out = "    " + (recognised.ratio ? line("ratio", ratio_value(*recognised.ratio), from)
                                               : line("ratio", "null", say(ClaimMsg::draft_ratio)));
  if (recognised.is_up_to) out += "    " + line("up_to", "true", from);
  return out;
}

}  // namespace

std::string draft_yaml(const Draft& draft, const Recognised& recognised) {
  const std::map<std::string, std::string> values = values_of(recognised);
  std::vector<int> told;
  std::string out = head(draft), section;
  for (const Field& field : fields()) {
    const std::size_t dot = field.key.find('.');
    if (const std::string name(field.key.substr(0, dot)); name != section) {
      section = name;
      out += "  " + section + ":\n";
      if (section == "metric") out += ratio_lines(recognised);
    }
    const std::string key(field.key.substr(dot + 1));
    const auto found = values.find(std::string(field.key));
    const std::string comment = comment_of(field.key, told);
    out += "    " + (found == values.end() ? line(key, "null", comment)
                                           : line(key, found->second, say(ClaimMsg::draft_from_sentence)));
  }
  return out + "  " + line("results", "[]", say(ClaimMsg::draft_results));
}

std::string questions(const Claim& claim) {
  const std::vector<PointState> states = checklist(claim);
  std::string out =
      say(ClaimMsg::mail_head, claim.text, claim.url.empty() ? say(ClaimMsg::table_no_source) : claim.url);
  out += "\n" + say(ClaimMsg::mail_ask) + "\n\n";
  int number = 0;
  for (const PointState* each : missing(states)) out += fmt::format("{:2}. {}\n", ++number, say(each->point->question));
  return out;
}

}  // namespace scoville::claim
