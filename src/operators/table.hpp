#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace scoville::operators {

/// One argument of an operator as data/operators.yaml has it: sizes by name, not yet numbers.
struct Input {
  enum class Kind { tensor, tensors, whole, real, flag, word, type, wholes, none };
  Kind kind = Kind::none;
  std::string named;               ///< empty: by its place
  std::vector<std::string> sizes;  ///< of a tensor; names or numbers
  std::string dtype;               ///< of a tensor, empty: the one that is asked about; of a type
  std::string values = "normal", below;
  bool has_gradient = false, stays_on_host = false, is_as_is = false, is_transposed = false;
  std::vector<Input> tensors;
  std::vector<std::string> wholes;  ///< names or numbers; of `whole` the first
  double real = 0;
  bool flag = false;
  std::string word;
};

enum class Tolerance { normal, loose, exact };

struct Operator {
  std::string name, overload, label, since;
  std::vector<std::string> alternatives;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> sizes;  ///< its own, over those of the table
  std::vector<Input> inputs;
  std::vector<std::string> dtypes, shapes, empty;
  std::string compare = "values";
  std::vector<std::size_t> outputs, written;
  std::string reference;
  std::size_t reference_inputs = 0;
  Tolerance tolerance = Tolerance::normal;
  std::optional<std::int64_t> host_bytes = 0;  ///< nullopt: whatever it wants
  std::vector<std::string> uses;

  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }  ///< of the dispatcher
  /// "aten::copy_ (host to device)": no two of a table have the same.
  std::string title() const { return label.empty() ? full_name() : full_name() + " (" + label + ")"; }
  bool has_backward() const;
};

/// A family of models by its config.json's model_type, and the parts that its operators are tagged with.
struct Family {
  std::string name;
  std::vector<std::string> parts;
};

/// data/operators.yaml: every operator with the way of calling it.
struct Table {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> sizes;  ///< usual, odd
  std::vector<Operator> operators;
  std::vector<Family> families;
  std::vector<std::string> decoder;  ///< parts of a model of a family that is not here

  /// By its title, or by its name with or without "aten::" and overload; nothing if there is none.
  std::vector<const Operator*> named(const std::string& name) const;
  std::vector<std::string> names() const;
};

/// The one built into the program.
const Table& built_in_table();
/// The same with the operators, sizes and families of a file put over it; those of the same title are replaced.
Result<Table> table_with(const std::string& path);
/// Text of a table alone; `where` stands in its faults.
Result<Table> parse_table(const std::string& yaml, const std::string& where);

/// The value of a name or number for a shape class; precondition: the table knows the name.
std::int64_t size_of(const Table& table, const Operator& op, const std::string& name, const std::string& shape);

}  // namespace scoville::operators
