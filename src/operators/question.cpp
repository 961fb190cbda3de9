#include "operators/question.hpp"

#include <algorithm>

namespace scoville::operators {
namespace {

bool wants(const std::vector<std::string>& wanted, const std::string& one) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), one) != wanted.end();
}

/// One argument for one case.
class Filling {
 public:
  Filling(const Table& table, const Operator& op, const Case& one) : table_(table), op_(op), case_(one) {}

  json::object argument(const Input& input) const {
    json::object out = value(input);
    if (!input.named.empty()) out["named"] = input.named;
    return out;
  }

 private:
  std::int64_t size(const std::string& name) const { return size_of(table_, op_, name, case_.shape); }

  json::array sizes(const std::vector<std::string>& names) const {
    json::array out;
    for (const std::string& name : names) out.push_back(size(name));
    return out;
  }

  json::object tensor(const Input& input) const {
    json::object out{{"tensor", sizes(input.sizes)},
                     {"dtype", input.dtype.empty() ? case_.dtype : input.dtype},
                     {"values", input.values}};
    if (!input.below.empty()) out["below"] = size(input.below);
    if (input.is_transposed || (case_.shape == "transposed" && !input.is_as_is)) out["transposed"] = true;
    if (input.has_gradient && case_.direction == "backward") out["gradient"] = true;
    if (input.stays_on_host) out["host"] = true;
    return out;
  }

  json::object value(const Input& input) const {
    switch (input.kind) {
      case Input::Kind::tensor:
        return tensor(input);
      case Input::Kind::tensors: {
        json::array list;
        for (const Input& each : input.tensors) list.push_back(tensor(each));
        return {{"tensors", std::move(list)}};
      }
      case Input::Kind::whole:
        return {{"int", size(input.wholes.front())}};
      case Input::Kind::real:
        return {{"float", input.real}};
      case Input::Kind::flag:
        return {{"bool", input.flag}};
      case Input::Kind::word:
        return {{"text", input.word}};
      case Input::Kind::type:
        return {{"dtype", input.dtype}};
      case Input::Kind::wholes:
        return {{"ints", sizes(input.wholes)}};
      case Input::Kind::none:
        break;
    }
    return {{"none", true}};
  }

  const Table& table_;
  const Operator& op_;
  const Case& case_;
};

template <class List>
json::array array_of(const List& list) {
  return json::array(list.begin(), list.end());
}

}  // namespace

std::vector<Case> cases_of(const Operator& op, const Wanted& wanted) {
  std::vector<Case> all;
  for (const std::string& dtype : op.dtypes) {
    if (!wants(wanted.dtypes, dtype)) continue;
    for (const std::string& shape : op.shapes) {
      if (shape == "empty" && op.empty.empty()) continue;
      all.push_back({all.size(), dtype, shape, "forward"});
      if (op.has_backward()) all.push_back({all.size(), dtype, shape, "backward"});
    }
  }
  return all;
}

json::object question_about(const Table& table, const Operator& op, const std::vector<Case>& cases,
                            std::uint64_t seed) {
  json::array asked;
  for (const Case& each : cases) {
    json::array arguments;
    for (const Input& input : op.inputs) arguments.push_back(Filling(table, op, each).argument(input));
    asked.push_back({{"case", each.number},
                     {"dtype", each.dtype},
                     {"shape", each.shape},
                     {"direction", each.direction},
                     {"arguments", std::move(arguments)}});
  }
  json::value reference = nullptr;
  if (!op.reference.empty()) reference = {{"name", op.reference}, {"inputs", op.reference_inputs}};
  return {{"operator", op.full_name()},
          {"alternatives", array_of(op.alternatives)},
          {"compare", op.compare},
          {"outputs", array_of(op.outputs)},
          {"written", array_of(op.written)},
          {"reference", std::move(reference)},
          {"seed", seed},
          {"cases", std::move(asked)}};
}

}  // namespace scoville::operators
