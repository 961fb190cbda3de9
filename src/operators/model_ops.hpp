#pragma once

#include <string>
#include <vector>

#include "operators/table.hpp"

namespace scoville::operators {

/// The operators that a model stands on.
struct ModelUse {
  std::string model_type;  ///< as its config.json or the user said it
  bool is_known = true;    ///< false: taken as a decoder of the usual kind
  std::vector<std::string> parts;

  bool needs(const Operator& op) const;
};

/// `what`: a family's name (model_type), a folder with a config.json, or that file. An error for neither.
Result<ModelUse> model_use(const Table& table, const std::string& what);

}  // namespace scoville::operators
