#include "operators/table.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace scoville::operators {
namespace {

bool wants_gradient(const Input& input) {
  return input.has_gradient || std::any_of(input.tensors.begin(), input.tensors.end(), wants_gradient);
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("-0123456789") == std::string::npos;
}

/// "aten::softmax.int" → "softmax".
std::string bare(std::string name) {
  if (name.starts_with("aten::")) name.erase(0, 6);
  return name.substr(0, name.find('.'));
}

}  // namespace

bool Operator::has_backward() const { return std::any_of(inputs.begin(), inputs.end(), wants_gradient); }

std::vector<const Operator*> Table::named(const std::string& name) const {
  std::vector<const Operator*> exact, loose;
  for (const Operator& each : operators) {
    if (each.title() == name || each.full_name() == name) exact.push_back(&each);
    if (bare(each.name) == bare(name) && name.find('.') == std::string::npos) loose.push_back(&each);
  }
  return exact.empty() ? loose : exact;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> all;
  for (const Operator& each : operators) all.push_back(each.title());
  return all;
}

std::int64_t size_of(const Table& table, const Operator& op, const std::string& name, const std::string& shape) {
  if (is_number(name)) return std::stoll(name);
  if (shape == "empty" && std::find(op.empty.begin(), op.empty.end(), name) != op.empty.end()) return 0;
  auto found = op.sizes.find(name);
  if (found == op.sizes.end()) {
    found = table.sizes.find(name);
    SCOVILLE_CHECK(found != table.sizes.end(), "a table is read with all names of its sizes known");
  }
  return shape == "odd" ? found->second.second : found->second.first;
}

}  // namespace scoville::operators
