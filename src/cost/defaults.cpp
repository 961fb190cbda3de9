#include "cost/defaults.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"

namespace scoville::cost {

const char* embedded_cost_defaults();
const char* embedded_cost_template_default();
const char* embedded_cost_template_cn();

namespace {

using Quantities = std::map<std::string, config::Quantity>;

struct Book {
  Quantities inputs;
  std::map<std::string, Quantities> devices;
};

Quantities read_all(const config::Node& map) {
  Quantities out;
  for (const auto& [key, node] : map.entries()) {
    config::Quantity each;
    each.value = node.number("value", config::kAny);
    each.low = node.maybe_number("low", config::kAny);
    each.high = node.maybe_number("high", config::kAny);
    each.source = node.text("source");
    each.date = node.text("date");  // some sources say no more than a year
    each.is_default = true;
    out.emplace(key, std::move(each));
  }
  return out;
}

Book read_book() {
  const Result<config::Node> root = config::Node::parse(embedded_cost_defaults(), "data/cost_defaults.yaml");
  SCOVILLE_CHECK(root.ok(), "the embedded defaults of the cost model can be read");
  Book out;
  out.inputs = read_all(root->map("inputs"));
  for (const auto& [device, node] : root->map("devices").entries()) out.devices.emplace(device, read_all(node));
  SCOVILLE_CHECK(root->finish().ok(), "the embedded defaults of the cost model have no fault");
  return out;
}

const Book& book() {
  static const Book read = read_book();
  return read;
}

std::optional<config::Quantity> find(const Quantities& in, std::string_view key) {
  const auto found = in.find(std::string(key));
  return found == in.end() ? std::nullopt : std::optional(found->second);
}

/// A template has its comments in both languages: a line that begins with "#en" or "#zh" is for one of them.
std::string in_language(const std::string& both, bool is_chinese) {
  const std::string_view kept = is_chinese ? "#zh" : "#en", dropped = is_chinese ? "#en" : "#zh";
  std::string out;
  for (std::size_t at = 0; at < both.size();) {
    const std::size_t end = std::min(both.find('\n', at), both.size());
    std::string line = both.substr(at, end - at);
    at = end + 1;
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(first, dropped.size(), dropped) == 0) continue;
    if (line.compare(first, kept.size(), kept) == 0) line.erase(first + 1, kept.size() - 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::optional<config::Quantity> default_of(const Input& input, const std::string& device) {
  const auto of_device = book().devices.find(device);
  if (of_device != book().devices.end()) {
    if (auto found = find(of_device->second, input.key)) return found;
  }
  if (input.need != Need::defaulted) return std::nullopt;
  return find(book().inputs, input.key);
}

std::optional<std::string> study_template(const std::string& region, bool is_chinese) {
  if (region == "default") return in_language(embedded_cost_template_default(), is_chinese);
  if (region == "cn") return in_language(embedded_cost_template_cn(), is_chinese);
  return std::nullopt;
}

}  // namespace scoville::cost
