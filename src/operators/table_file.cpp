#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "config/node.hpp"
#include "operators/table.hpp"
#include "text/catalogue/operators.hpp"

namespace scoville::operators {

const char* embedded_operators();

namespace {

using config::Node;
using text::OperatorsMsg;
using text::say;

const std::vector<std::string> kDtypes{"fp64",     "fp32",  "bf16",  "fp16", "fp8_e4m3",
                                       "fp8_e5m2", "int64", "int32", "int8", "bool"};
const std::vector<std::string> kShapes{"contiguous", "transposed", "empty", "odd"};
const std::vector<std::string> kValues{"normal", "positive", "ranks",   "index", "distinct",
                                       "small",  "flags",    "one_hot", "zeros", "ones"};
constexpr std::size_t kMostPlace = 100, kMostSize = 1 << 20;

using Sizes = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

/// Reads one file: the names of sizes that stand in it are held against these.
class Reader {
 public:
  explicit Reader(Table& into) : table_(into) {}

  void read(const Node& root) {
    root.count("version", 1, 1);
    read_sizes(root.maybe_map("sizes"), table_.sizes);
    for (const Node& each : root.maybe_list("operators")) put(operator_in(each));
    const Node models = root.maybe_map("models");
    if (models.exists()) read_models(models);
  }

 private:
  static void read_sizes(const Node& node, Sizes& into) {
    if (!node.exists()) return;
    for (const auto& [name, value] : node.entries()) {
      const std::vector<Node> pair = value.items();
      if (pair.size() != 2) {
        value.fault(say(OperatorsMsg::expected_size));
        continue;
      }
      const config::Range range{1, static_cast<double>(kMostSize)};
      into[name] = {static_cast<std::int64_t>(pair[0].as_number(range)),
                    static_cast<std::int64_t>(pair[1].as_number(range))};
    }
  }

  static std::vector<std::string> some_of(const Node& node, const std::string& key,
                                          const std::vector<std::string>& known, std::vector<std::string> fallback) {
    const std::vector<std::string> given = node.maybe_texts(key);
    for (const std::string& each : given) {
      if (std::find(known.begin(), known.end(), each) == known.end()) {
        node.fault(key, say(OperatorsMsg::unknown_word, each));
      }
    }
    return given.empty() ? fallback : given;
  }

  bool is_size(const std::string& word, const Sizes& own) const {
    const bool is_number = !word.empty() && word.find_first_not_of("-0123456789") == std::string::npos;
    return is_number || own.contains(word) || table_.sizes.contains(word);
  }

  std::vector<std::string> sizes_in(const Node& node, const std::string& key, const Sizes& own) const {
    std::vector<std::string> all;
    for (const Node& each : node.maybe_list(key)) {
      all.push_back(each.as_text());
      if (!is_size(all.back(), own)) each.fault(say(OperatorsMsg::unknown_size, all.back()));
    }
    return all;
  }

  Input tensor_in(const Node& node, const Sizes& own) const {
    Input input;
    input.kind = Input::Kind::tensor;
    input.sizes = sizes_in(node, "tensor", own);
    if (const auto dtype = node.maybe_choice("dtype", kDtypes)) input.dtype = kDtypes[*dtype];
    if (const auto values = node.maybe_choice("values", kValues)) input.values = kValues[*values];
    input.below = node.text_or("below", "");
    const bool needs_bound = input.values == "index" || input.values == "distinct";
    if (needs_bound && !is_size(input.below, own)) node.fault("below", say(OperatorsMsg::unknown_size, input.below));
    input.has_gradient = node.flag_or("gradient", false);
    input.stays_on_host = node.flag_or("host", false);
    input.is_as_is = node.flag_or("as_is", false);
    input.is_transposed = node.flag_or("transposed", false);
    return input;
  }

  Input plain_in(const Node& node, const Sizes& own) const {
    using Kind = Input::Kind;
    Input input;
    if (node.has("int")) {
      input.kind = Kind::whole;
      input.wholes = {node.text("int")};
      if (!is_size(input.wholes.front(), own)) node.fault("int", say(OperatorsMsg::unknown_size, input.wholes.front()));
    } else if (node.has("float")) {
      input.kind = Kind::real;
      input.real = node.number("float", config::kAny);
    } else if (node.has("bool")) {
      input.kind = Kind::flag;
      input.flag = node.flag_or("bool", false);
    } else if (node.has("text")) {
      input.kind = Kind::word;
      input.word = node.text("text");
    } else if (node.has("ints")) {
      input.kind = Kind::wholes;
      input.wholes = sizes_in(node, "ints", own);
    } else if (node.has("none")) {
      input.kind = Kind::none;
      node.flag_or("none", true);
    } else if (node.has("dtype")) {
      input.kind = Kind::type;
      input.dtype = kDtypes[std::min(node.choice("dtype", kDtypes), kDtypes.size() - 1)];
    } else {
      node.fault(say(OperatorsMsg::expected_input));
    }
    return input;
  }

  Input input_in(const Node& node, const Sizes& own) const {
    Input input;
    if (node.has("tensor")) {
      input = tensor_in(node, own);
    } else if (node.has("tensors")) {
      input.kind = Input::Kind::tensors;
      for (const Node& each : node.maybe_list("tensors")) input.tensors.push_back(tensor_in(each, own));
    } else {
      input = plain_in(node, own);
    }
    input.named = node.text_or("named", "");
    return input;
  }

  static std::vector<std::size_t> places_in(const Node& node, const std::string& key) {
    std::vector<std::size_t> all;
    for (const Node& each : node.maybe_list(key)) {
      all.push_back(static_cast<std::size_t>(each.as_number({0, static_cast<double>(kMostPlace)})));
    }
    return all;
  }

  static std::optional<std::int64_t> host_bytes_in(const Node& node) {
    if (node.text_or("host_bytes", "0") == "all") return std::nullopt;
    return static_cast<std::int64_t>(node.number_or("host_bytes", config::kAtLeastZero, 0));
  }

  Operator operator_in(const Node& node) const {
    Operator op;
    op.name = node.text("name");
    op.overload = node.text_or("overload", "");
    op.label = node.text_or("label", "");
    op.since = node.text_or("since", "");
    op.alternatives = node.maybe_texts("alternatives");
    read_sizes(node.maybe_map("sizes"), op.sizes);
    for (const Node& each : node.list("inputs")) op.inputs.push_back(input_in(each, op.sizes));
    op.dtypes = some_of(node, "dtypes", kDtypes, {"fp32", "bf16", "fp16"});
    op.shapes = some_of(node, "shapes", kShapes, kShapes);
    op.empty = node.maybe_texts("empty");
    const std::vector<std::string> ways{"values", "magnitudes", "kept_or_dropped"};
    op.compare = ways[node.maybe_choice("compare", ways).value_or(0)];
    op.outputs = places_in(node, "outputs");
    op.written = places_in(node, "written");
    if (const Node reference = node.maybe_map("reference"); reference.exists()) {
      op.reference = reference.text("name");
      op.reference_inputs = reference.count("inputs", 1, kMostPlace);
    }
    op.tolerance = static_cast<Tolerance>(node.maybe_choice("tolerance", {"normal", "loose", "exact"}).value_or(0));
    op.host_bytes = host_bytes_in(node);
    op.uses = node.maybe_texts("uses");
    return op;
  }

  void put(Operator op) {
    const auto same = std::find_if(table_.operators.begin(), table_.operators.end(),
                                   [&](const Operator& each) { return each.title() == op.title(); });
    if (same == table_.operators.end()) {
      table_.operators.push_back(std::move(op));
    } else {
      *same = std::move(op);
    }
  }

  void read_models(const Node& node) {
    if (const Node decoder = node.maybe_map("decoder"); decoder.exists()) table_.decoder = decoder.maybe_texts("parts");
    for (const Node& each : node.maybe_list("families")) {
      Family family{each.text("name"), each.maybe_texts("parts")};
      if (const auto like = each.maybe_text("like")) {
        const auto other = family_named(*like);
        if (other == table_.families.end()) {
          each.fault("like", say(OperatorsMsg::unknown_word, *like));
        } else {
          family.parts = other->parts;
        }
      }
      const auto same = family_named(family.name);
      if (same == table_.families.end()) {
        table_.families.push_back(std::move(family));
      } else {
        *same = std::move(family);
      }
    }
  }

  std::vector<Family>::iterator family_named(const std::string& name) {
    return std::find_if(table_.families.begin(), table_.families.end(),
                        [&](const Family& each) { return each.name == name; });
  }

  Table& table_;
};

}  // namespace

Result<Table> parse_table(const std::string& yaml, const std::string& where) {
  const Result<Node> root = Node::parse(yaml, where);
  if (!root) return root.error();
  Table table;
  Reader(table).read(*root);
  return root->finish(std::move(table));
}

const Table& built_in_table() {
  static const Table table = [] {
    Result<Table> parsed = parse_table(embedded_operators(), "data/operators.yaml");
    SCOVILLE_CHECK(parsed.ok(), parsed.ok() ? "" : parsed.error().message.c_str());
    return std::move(*parsed);
  }();
  return table;
}

Result<Table> table_with(const std::string& path) {
  const Result<Node> root = Node::load(path);
  if (!root) return root.error();
  Table table = built_in_table();
  Reader(table).read(*root);
  return root->finish(std::move(table));
}

}  // namespace scoville::operators
