#include "migration/plan.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "text/catalogue/config.hpp"
#include "text/catalogue/next.hpp"
#include "text/nearest.hpp"

namespace scoville::migration {

const char* embedded_defaults();

namespace {

using config::Node;
using text::NextMsg;
using text::say;

constexpr std::array<std::string_view, 4> kBases{"assumption", "estimate", "log", "quote"};

text::Phrase title_at(const Node& node) {
  const Node title = node.maybe("title");
  if (!title.exists()) return {};
  if (title.is_map()) return {title.text("en"), title.text("zh")};
  const std::string both = title.as_text();
  return {both, both};
}

void read_range(const Node& node, Item& into) {
  into.low = node.number("low", config::kAtLeastZero);
  into.likely = node.number("likely", config::kAtLeastZero);
  into.high = node.number("high", config::kAtLeastZero);
  if (into.low > into.likely || into.likely > into.high) node.fault(say(NextMsg::read_range));
}

/// In place of the default of its name, or beside them.
void read_item(const std::string& id, const Node& node, std::vector<Item>& items) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& each) { return each.id == id; });
  const bool is_known = found != items.end();
  if (!node.is_map()) {
    if (is_known && node.is_scalar() && node.as_text() == "none")
      items.erase(found);
    else
      node.fault(say(NextMsg::read_item_form));
    return;
  }
  Item item;
  if (is_known) item = *found;
  item.id = id;
  if (const text::Phrase title = title_at(node); !title.english.empty()) item.title = title;
  if (item.title.english.empty()) {
    std::vector<std::string> known;
    for (const Item& each : default_items()) known.push_back(each.id);
    const std::string near = text::nearest(id, known);
    node.fault(near.empty() ? say(NextMsg::read_item_title) : say(NextMsg::read_item_near, near));
  }
  read_range(node, item);
  item.basis = static_cast<Basis>(node.choice("basis", {kBases.begin(), kBases.end()}));
  item.source = node.text("source");
  item.source_zh.clear();
  item.date = node.maybe_date("date").value_or("");
  item.is_to_first_token = node.flag_or("first_token", item.is_to_first_token);
  if (is_known)
    *found = std::move(item);
  else
    items.push_back(std::move(item));
}

std::optional<PeopleCost> read_people(const Node& node) {
  if (!node.exists()) return std::nullopt;
  PeopleCost out;
  out.per_year = node.number("cost_per_year", config::kAboveZero);
  out.currency = node.text("currency");
  out.source = node.text("source");
  out.date = node.maybe_date("date").value_or("");
  const bool is_code = out.currency.size() == 3 && std::all_of(out.currency.begin(), out.currency.end(),
                                                               [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!out.currency.empty() && !is_code) node.fault("currency", say(NextMsg::read_currency));
  return out;
}

}  // namespace

std::string_view name_of(Basis basis) { return kBases[static_cast<std::size_t>(basis)]; }

const Item* Plan::find(std::string_view id) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& each) { return each.id == id; });
  return found == items.end() ? nullptr : &*found;
}

Plan read_plan(const Node& node) {
  Plan out;
  out.items = default_items();
  if (!node.exists()) return out;
  for (const auto& [id, item] : node.maybe_map("items").entries()) read_item(id, item, out.items);
  if (out.items.empty()) node.fault("items", say(NextMsg::read_no_items));
  out.people = read_people(node.maybe_map("people"));
  out.days_per_year = node.number_or("days_per_year", {1, 366}, out.days_per_year);
  out.engineers = node.number_or("engineers", {0.1, 10'000}, out.engineers);
  out.correlation = node.number_or("correlation", config::kShare, out.correlation);
  out.shape = static_cast<Shape>(node.maybe_choice("shape", {"triangular", "pert"}).value_or(0));
  out.draws = node.maybe_count("draws", 1000, 10'000'000).value_or(out.draws);
  out.seed = node.maybe_count("seed", 0, 1'000'000'000).value_or(out.seed);
  return out;
}

const std::vector<Item>& default_items() {
  static const std::vector<Item> items = [] {
    const Result<Node> root = Node::parse(embedded_defaults(), "data/migration_defaults.yaml");
    SCOVILLE_CHECK(root.ok(), "the embedded work breakdown is YAML");
    const Node basis = root->map("basis");
    const std::string english = basis.text("en"), chinese = basis.text("zh");
    std::vector<Item> out;
    for (const Node& each : root->list("items")) {
      Item& item = out.emplace_back();
      item.id = each.text("id");
      item.title = title_at(each);
      read_range(each, item);
      item.source = english;
      item.source_zh = chinese;
      item.is_to_first_token = each.flag_or("first_token", false);
    }
    SCOVILLE_CHECK(root->finish().ok(), "the embedded work breakdown can be read");
    return out;
  }();
  return items;
}

}  // namespace scoville::migration
