#include "claim/claim.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/check.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {
namespace {

using config::Node;
using text::ClaimMsg;
using text::say;

constexpr std::array kRoles{"vendor", "partner", "independent", "us", "community", "anonymous"};

constexpr FieldClass kMust = FieldClass::must_equal, kPrecision = FieldClass::precision, kStack = FieldClass::stack,
                     kOne = FieldClass::one_sided;
constexpr FieldForm kWords = FieldForm::words, kNumber = FieldForm::number, kWhole = FieldForm::whole;

constexpr std::array kFields{
    Field{"subject.device", kOne, kWords},
    Field{"subject.count", kOne, kWhole},
    Field{"subject.form", kOne, kWords},
    Field{"subject.power_w", kOne, kNumber},
    Field{"subject.mem_gb", kOne, kNumber},
    Field{"subject.available", kOne, FieldForm::flag},
    Field{"comparator.device", kOne, kWords},
    Field{"comparator.count", kOne, kWhole},
    Field{"comparator.form", kOne, kWords},
    Field{"comparator.stack", kOne, kWords},
    Field{"comparator.best_config", kOne, kWords},
    Field{"comparator.generation", kOne, kWords},
    Field{"comparator.power_w", kOne, kNumber},
    Field{"comparator.available", kOne, FieldForm::flag},
    Field{"metric.name", kOne, kWords},
    Field{"metric.unit", kOne, kWords},
    Field{"metric.better", kOne, FieldForm::direction},
    Field{"metric.value", kOne, kNumber},
    Field{"metric.baseline", kOne, kNumber},
    Field{"metric.percentile", kMust, kWords},
    Field{"metric.boundary", kMust, kWords},
    Field{"metric.kind", kMust, FieldForm::kind},
    Field{"workload.model", kMust, kWords},
    Field{"workload.revision", kMust, kWords},
    Field{"workload.isl", kMust, kWords},
    Field{"workload.osl", kMust, kWords},
    Field{"workload.load", kMust, kWords},
    Field{"workload.interactivity", kMust, kWords},
    Field{"workload.slo", kMust, kWords},
    Field{"workload.prefix_cache", kMust, kWords},
    Field{"numerics.weights", kPrecision, kWords},
    Field{"numerics.activations", kPrecision, kWords},
    Field{"numerics.kv", kPrecision, kWords},
    Field{"numerics.sparsity", kPrecision, kWords},
    Field{"numerics.accuracy", kOne, kWords},
    Field{"software.engine", kStack, kWords},
    Field{"software.version", kStack, kWords},
    Field{"software.driver", kStack, kWords},
    Field{"software.spec_decode", kStack, kWords},
    Field{"software.parallelism", kStack, kWords},
    Field{"stats.runs", kOne, kWhole},
    Field{"stats.spread", kOne, kWords},
    Field{"price.basis", kOne, kWords},
    Field{"price.date", kOne, FieldForm::date},
    Field{"artefacts.scripts", kOne, kWords},
    Field{"artefacts.logs", kOne, kWords},
    Field{"artefacts.config", kOne, kWords},
    Field{"artefacts.white_paper", kOne, kWords},
    Field{"artefacts.engine_docs", kOne, kWords},
    Field{"artefacts.community", kOne, kWords},
    Field{"production.days", kOne, kNumber},
    Field{"production.cost", kOne, kWords},
    Field{"production.failures", kOne, kWords},
    Field{"production.drift", kOne, kWords},
};

const std::vector<std::string> kKinds{"measured", "simulated", "projected", "peak"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Of words that were held against their form already.
std::optional<double> number_in(const std::string& words) {
  double out = 0;
  const auto read = std::from_chars(words.data(), words.data() + words.size(), out);
  return read.ec == std::errc() && out > 0 ? std::optional<double>(out) : std::nullopt;
}

/// What stands under `key`, held against its form: the fault is noted, the words are kept.
std::string read_form(const Node& parent, const std::string& key, FieldForm form) {
  switch (form) {
    case FieldForm::words:
      break;
    case FieldForm::number:
      parent.maybe_number(key, config::kAboveZero);
      break;
    case FieldForm::whole:
      parent.maybe_count(key, 1, 10'000'000);
      break;
    case FieldForm::flag:
      parent.maybe_flag(key);
      break;
    case FieldForm::date:
      parent.maybe_date(key);
      break;
    case FieldForm::kind:
      parent.maybe_choice(key, kKinds);
      break;
    case FieldForm::direction:
      parent.maybe_choice(key, {"higher", "lower"});
      break;
  }
  const Node found = parent.maybe(key);
  if (found.is_scalar()) return found.as_text();
  if (form == FieldForm::words && found.exists()) found.as_text();  // notes what was expected
  return "";
}

Said read_said(const Node& section, const std::string& key, const Field& field) {
  const Node found = section.maybe(key);
  if (field.field_class == FieldClass::one_sided || !found.is_map()) {
    const std::string both = read_form(section, key, field.form);
    return {both, both};
  }
  return {read_form(found, "subject", field.form), read_form(found, "comparator", field.form)};
}

std::optional<Ratio> read_ratio(const Node& metric) {
  const Node found = metric.maybe("ratio");
  if (!found.is_map()) {
    const std::optional<double> plain = metric.maybe_number("ratio", config::kAboveZero);
    return plain ? std::optional<Ratio>({*plain, *plain}) : std::nullopt;
  }
  const Ratio out{found.number("low", config::kAboveZero), found.number("high", config::kAboveZero)};
  if (out.low > out.high) found.fault(say(ClaimMsg::fault_low_high));
  return out;
}

/// The ratio of one result: said, or made from a value and the claim's own.
double read_result_ratio(const Node& node, const Claim& claim) {
  const std::optional<double> ratio = node.maybe_number("ratio", config::kAboveZero);
  const std::optional<double> value = node.maybe_number("value", config::kAboveZero);
  if (ratio) return *ratio;
  if (value && claim.value) return claim.is_lower_better ? *claim.value / *value : *value / *claim.value;
  node.fault("ratio", say(ClaimMsg::fault_no_ratio));
  return 1;
}

Measured read_result(const Node& node, const Claim& claim) {
  Measured out;
  out.refused = node.maybe_texts("refused");
  if (out.refused.empty()) out.ratio = read_result_ratio(node, claim);
  out.lo = node.maybe_number("low", config::kAboveZero);
  out.hi = node.maybe_number("high", config::kAboveZero);
  if (out.lo.has_value() != out.hi.has_value() || (out.lo && !(*out.lo <= out.ratio && out.ratio <= *out.hi)))
    node.fault(say(ClaimMsg::fault_interval));
  out.margin = node.number_or("margin", {0, 1}, out.margin);
  out.conditions = node.text_or("conditions", "");
  out.by = static_cast<Role>(node.choice("by", role_names()));
  out.party = node.text_or("party", "");
  out.method = node.text_or("method", "");
  out.source = node.text("source");
  out.date = node.maybe_date("date").value_or("");
  out.is_matched = node.flag_or("matched", false);
  out.is_verified = node.flag_or("verified", false);
  out.aa_healthy = node.maybe_flag("aa_healthy");
  if (out.has_interval()) {
    out.slower = *out.hi < 1;
    out.equivalent = *out.lo >= 1 / (1 + out.margin) && *out.hi <= 1 + out.margin;
  }
  return out;
}

void read_fields(const Node& node, Claim& out) {
  std::map<std::string, Node> sections;
  for (const Field& field : kFields) {
    const std::size_t dot = field.key.find('.');
    const std::string section(field.key.substr(0, dot)), key(field.key.substr(dot + 1));
    if (!sections.contains(section)) sections.emplace(section, node.maybe_map(section));
    Said said = read_said(sections.at(section), key, field);
    if (said.is_partly()) out.said.emplace(field.key, std::move(said));
  }
  const auto flag = [&](std::string_view key) -> std::optional<bool> {
    const std::string& word = out.at(key).subject;
    return word.empty() ? std::nullopt : std::optional<bool>(word == "true" || word == "yes");
  };
  out.is_available = flag("subject.available");
  out.has_rival = flag("comparator.available");
  out.is_lower_better = out.at("metric.better").subject == "lower";
  const Node metric = sections.at("metric");
  out.ratio = read_ratio(metric);
  out.is_up_to = metric.flag_or("up_to", false);
  out.value = number_in(out.at("metric.value").subject);
  out.headlines = sections.at("comparator").maybe_texts("headlines");
}

}  // namespace

std::string_view name_of(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

std::vector<std::string> role_names() { return {kRoles.begin(), kRoles.end()}; }

std::string_view name_of(FieldClass field_class) {
  switch (field_class) {
    case FieldClass::must_equal:
      return "must_equal";
    case FieldClass::precision:
      return "precision";
    case FieldClass::stack:
      return "stack";
    case FieldClass::one_sided:
      return "one_sided";
  }
  SCOVILLE_CHECK(false, "every class has a name");
}

std::span<const Field> fields() { return kFields; }

bool Said::differs() const { return is_said() && lower(subject) != lower(comparator); }

std::string Said::shown() const {
  if (!is_partly()) return "";
  if (is_said() && !differs()) return subject;
  return (subject.empty() ? "?" : subject) + " / " + (comparator.empty() ? "?" : comparator);
}

const Said& Claim::at(std::string_view key) const {
  static const Said kNothing;
  SCOVILLE_CHECK(std::any_of(kFields.begin(), kFields.end(), [&](const Field& each) { return each.key == key; }),
                 "a field of a claim is one of the table");
  const auto found = said.find(key);
  return found == said.end() ? kNothing : found->second;
}

std::string Claim::comparator() const {
  const std::string& device = at("comparator.device").subject;
  return device.empty() ? at("comparator.stack").subject : device;
}

bool Claim::is_absolute() const { return comparator().empty() && value && !ratio; }

Claim read_claim(const Node& node) {
  Claim out;
  out.id = node.text_or("id", "");
  out.text = node.text("text");
  out.date = node.maybe_date("date").value_or("");
  out.url = node.text_or("url", "");
  const Node who = node.maybe_map("who");
  out.party = who.text_or("party", "");
  if (const auto role = who.maybe_choice("role", role_names())) out.role = static_cast<Role>(*role);
  read_fields(node, out);
  for (const Node& each : node.maybe_list("results")) out.results.push_back(read_result(each, out));
  return out;
}

Result<Claim> read_claim_file(const std::string& path) {
  Result<Node> root = Node::load(path);
  if (!root) return root.error();
  const Node inner = root->maybe_map("claim");
  Claim out = read_claim(inner.exists() ? inner : *root);
  return root->finish(std::move(out));
}

}  // namespace scoville::claim
