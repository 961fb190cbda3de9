#include "matrix/knock_out.hpp"

#include <algorithm>
#include <array>

#include "matrix/bilingual.hpp"
#include "text/catalogue/config.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::matrix {
namespace {

using config::Node;
using text::MatrixMsg;
using text::say;

enum class Form { number_most, number_least, words, any };

struct Known {
  std::string_view id;
  MatrixMsg requirement;
  Form form;
};
constexpr std::array kSupply{
    Known{"delivery_weeks", MatrixMsg::ko_delivery_weeks, Form::number_most},
    Known{"spare_weeks", MatrixMsg::ko_spare_weeks, Form::number_most},
    Known{"second_source", MatrixMsg::ko_second_source, Form::words},
    Known{"warranty_years", MatrixMsg::ko_warranty_years, Form::number_least},
    Known{"licence_status", MatrixMsg::ko_licence_status, Form::words},
    Known{"export_status", MatrixMsg::ko_export_status, Form::words},
};

const Known* known(const std::string& id) {
  const auto found = std::find_if(kSupply.begin(), kSupply.end(), [&](const Known& each) { return each.id == id; });
  return found == kSupply.end() ? nullptr : &*found;
}

/// A number, bare or with its range; YAML's words for yes and no stay words.
void read_value(const Node& node, KnockOut& out) {
  const Node value = node.maybe("value");
  if (!out.accepted.empty()) {
    if (value.exists()) out.word = value.as_text();
    return;
  }
  const std::optional<double> low = node.maybe_number("low", config::kAny),
                              high = node.maybe_number("high", config::kAny);
  if (!value.exists() && !low && !high) return;
  config::Quantity number;
  number.low = low;
  number.high = high;
  number.value = value.exists() ? value.as_number(config::kAny) : low && high ? (*low + *high) / 2 : low ? *low : *high;
  number.line = node.line();
  if ((low && *low > number.value) || (high && *high < number.value)) node.fault(say(text::ConfigMsg::low_high));
  out.number = number;
}

void read_limits(const Node& node, const Known* criterion, KnockOut& out) {
  out.target.least = node.maybe_number("least", config::kAny);
  out.target.most = node.maybe_number("most", config::kAny);
  out.target.unit = node.text_or("unit", "");
  out.accepted = node.maybe_texts("accepted");
  const Form form = criterion ? criterion->form : Form::any;
  const bool is_numeric = form == Form::number_most || form == Form::number_least;
  if (form == Form::words && out.accepted.empty()) node.text("accepted");  // notes that it is missing
  if (form == Form::number_most && !out.target.most) node.number("most", config::kAny);
  if (form == Form::number_least && !out.target.least) node.number("least", config::kAny);
  if (is_numeric && !out.accepted.empty()) node.fault("accepted", say(MatrixMsg::read_number_or_words));
  if (!out.accepted.empty() && out.target.is_set()) node.fault(say(MatrixMsg::read_number_or_words));
}

KnockOut read_one(const std::string& id, const Node& node, const Requirements& requirements) {
  KnockOut out;
  out.id = id;
  const Known* const criterion = known(id);
  out.requirement = maybe_phrase_at(node, "requirement");
  const auto stated = requirements.find(id);
  if (out.requirement.english.empty() && stated != requirements.end()) out.requirement = stated->second;
  if (out.requirement.english.empty() && criterion) out.requirement = text::phrase(criterion->requirement);
  if (out.requirement.english.empty()) node.text("requirement");  // notes that it is missing
  out.is_required = node.flag_or("required", true);
  read_limits(node, criterion, out);
  read_value(node, out);
  const std::optional<std::size_t> found = node.maybe_choice("verdict", {"pass", "fail", "inconclusive", "untested"});
  const bool has_limits = out.target.is_set() || !out.accepted.empty();
  if (!has_limits && !found) node.fault(say(MatrixMsg::read_knock_out_form));
  if (has_limits && found) node.fault("verdict", say(MatrixMsg::read_verdict_or_limit));
  const bool has_value = out.number || out.word || (found && *found < 2);
  out.source = has_value ? node.text("source") : node.text_or("source", "");
  out.date = has_value ? node.date("date") : node.maybe_date("date").value_or("");
  out.verdict = has_limits ? judge(out) : static_cast<Verdict>(found.value_or(3));
  return out;
}

}  // namespace

Verdict judge(const KnockOut& knock_out) {
  if (!knock_out.accepted.empty()) {
    if (!knock_out.word) return Verdict::untested;
    const auto& accepted = knock_out.accepted;
    return std::find(accepted.begin(), accepted.end(), *knock_out.word) == accepted.end() ? Verdict::fail
                                                                                          : Verdict::pass;
  }
  if (!knock_out.target.is_set()) return knock_out.verdict;
  Estimate estimate;
  if (knock_out.number) {
    estimate.value = knock_out.number->value;
    estimate.low = knock_out.number->low.value_or(knock_out.number->value);
    estimate.high = knock_out.number->high.value_or(knock_out.number->value);
  }
  return judge(estimate, knock_out.target);
}

std::vector<KnockOut> read_knock_outs(const Node& map, const Requirements& requirements) {
  std::vector<KnockOut> out;
  for (const auto& [id, node] : map.entries()) {
    if (!node.is_map())
      map.map(id);  // notes what was expected
    else
      out.push_back(read_one(id, node, requirements));
  }
  return out;
}

std::vector<std::string> supply_criteria() {
  std::vector<std::string> out;
  for (const Known& each : kSupply) out.emplace_back(each.id);
  return out;
}

}  // namespace scoville::matrix
