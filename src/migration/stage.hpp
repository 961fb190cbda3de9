#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/catalogue.hpp"

namespace scoville::migration {

/// A stage of an adoption, from a claim to a decision. Each is entered when those it needs have been left with their
/// gate met.
struct Stage {
  std::size_t number = 0;  ///< 0 to 6
  std::string id;          ///< "bring-up"
  text::Msg title, does, gate;
  std::vector<std::size_t> needs;     ///< numbers
  std::vector<std::string> commands;  ///< that bring what the gate asks for; words in capitals are the user's
};

const std::vector<Stage>& stages();

/// By id or number; null where there is none.
const Stage* find_stage(std::string_view name);

/// All ids, in order.
std::vector<std::string> stage_ids();

}  // namespace scoville::migration
