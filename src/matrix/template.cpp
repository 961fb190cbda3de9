#include "matrix/template.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "matrix/bilingual.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::matrix {

std::vector<std::pair<const char*, const char*>> embedded_templates();  // path of the file, text

namespace {

using config::Node;
using text::MatrixMsg;
using text::say;

constexpr std::size_t kMany = 1'000'000'000;

MeasureTemplate read_measure(const Node& node) {
  MeasureTemplate out;
  out.key = node.text("key");
  out.title = phrase_at(node, "title");
  out.unit = node.text_or("unit", "1");
  out.is_higher_better = node.choice("better", {"higher", "lower"}) == 0;
  out.is_exact = node.flag_or("exact", false);
  out.target.least = node.maybe_number("least", config::kAny);
  out.target.most = node.maybe_number("most", config::kAny);
  out.target.unit = out.unit;
  const text::Phrase source = maybe_phrase_at(node, "source");
  out.target.source = source.english;
  out.target.source_zh = source.chinese;
  out.target.is_default = true;
  out.target.least_n = node.maybe_count("least_n", 1, kMany).value_or(0);
  out.target.least_samples = node.maybe_count("least_samples", 1, kMany).value_or(0);
  return out;
}

RowTemplate read_row(const Node& node) {
  RowTemplate out;
  out.id = node.text("id");
  out.dimension = node.text_or("dimension", out.id);
  out.title = phrase_at(node, "title");
  out.method = phrase_at(node, "method");
  out.needs = maybe_phrase_at(node, "needs");
  for (const Node& each : node.list("measures")) out.measures.push_back(read_measure(each));
  return out;
}

bool is_file(const std::string& name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

}  // namespace

const RowTemplate* Template::find_row(std::string_view row) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const RowTemplate& each) { return each.id == row; });
  return found == rows.end() ? nullptr : &*found;
}

const MeasureTemplate* Template::find_measure(std::string_view key) const {
  for (const RowTemplate& row : rows) {
    for (const MeasureTemplate& each : row.measures) {
      if (each.key == key) return &each;
    }
  }
  return nullptr;
}

std::vector<std::string> Template::row_ids() const {
  std::vector<std::string> out;
  for (const RowTemplate& each : rows) out.push_back(each.id);
  return out;
}

std::vector<std::string> Template::measure_keys() const {
  std::vector<std::string> out;
  for (const RowTemplate& row : rows) {
    for (const MeasureTemplate& each : row.measures) out.push_back(each.key);
  }
  return out;
}

Template read_template(const Node& node) {
  Template out;
  out.id = node.text("id");
  out.version = node.count("version", 1, kMany);
  out.title = maybe_phrase_at(node, "title");
  std::set<std::string> ids, keys;
  for (const Node& each : node.list("rows")) {
    RowTemplate row = read_row(each);
    if (!ids.insert(row.id).second) each.fault("id", say(MatrixMsg::read_twice, row.id));
    for (const MeasureTemplate& measure : row.measures) {
      if (!keys.insert(measure.key).second) each.fault("measures", say(MatrixMsg::read_twice, measure.key));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

const std::vector<Template>& built_in_templates() {
  static const std::vector<Template> templates = [] {
    std::vector<Template> out;
    for (const auto& [path, yaml] : embedded_templates()) {
      const Result<Node> root = Node::parse(yaml, path);
      SCOVILLE_CHECK(root.ok(), "every embedded matrix is YAML");
      Result<Template> read = root->finish(read_template(*root));
      SCOVILLE_CHECK(read.ok(), "every embedded matrix can be read");
      out.push_back(*std::move(read));
    }
    return out;
  }();
  return templates;
}

Result<Template> find_template(const std::string& name, const std::string& folder) {
  if (is_file(name)) {
    const Result<Node> root = Node::load(name.starts_with('/') ? name : folder + name);
    if (!root) return root.error();
    return root->finish(read_template(*root));
  }
  std::vector<std::string> names;
  for (const Template& each : built_in_templates()) {
    if (each.id == name) return each;
    names.push_back(each.id);
  }
  return Error{ErrorCode::not_found, say(MatrixMsg::template_unknown, name, fmt::format("{}", fmt::join(names, ", ")))};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

}  // namespace scoville::matrix
