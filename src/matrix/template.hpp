#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/node.hpp"
#include "matrix/estimate.hpp"
#include "text/catalogue.hpp"

namespace scoville::matrix {

/// One figure that a row is judged by.
struct MeasureTemplate {
  std::string key;  ///< "ttft_p95": no other measure of the template has it
  text::Phrase title;
  std::string unit;  ///< "1": a ratio or a share
  bool is_higher_better = true;
  bool is_exact = false;  ///< counted, or a fact
  Target target;          ///< its default; not set: the plan's owner is asked for it
};

/// One row of the matrix: a dimension, how it is tested, what it is judged by.
struct RowTemplate {
  std::string id, dimension;
  text::Phrase title, method;
  text::Phrase needs;  ///< what brings its value
  std::vector<MeasureTemplate> measures;
};

/// The form that every candidate is put through, so that results stay comparable: docs/formats/matrix.md.
struct Template {
  std::string id;
  std::size_t version = 0;  ///< raised whenever a row, a measure or a default target changes
  text::Phrase title;
  std::vector<RowTemplate> rows;

  const RowTemplate* find_row(std::string_view row) const;
  const MeasureTemplate* find_measure(std::string_view key) const;
  std::vector<std::string> row_ids() const;
  std::vector<std::string> measure_keys() const;
};

/// Notes its faults at `node`; whoever loaded the file calls finish().
Template read_template(const config::Node& node);

/// Those that this program was built with (data/matrices/*.yaml), by id.
const std::vector<Template>& built_in_templates();

/// A built-in one by its id, or a file (a name that ends with .yaml or .yml); `folder` is where relative paths begin.
Result<Template> find_template(const std::string& name, const std::string& folder = "");

/// The folder part of a path, with its slash; empty where it has none.
std::string folder_of(const std::string& path);

}  // namespace scoville::matrix
