#include "cli/set_words.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace scoville::cli {

Status set_words(Parameters& parameters, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& all = parameters.all();
    const auto flag =
        std::find_if(all.begin(), all.end(), [&](const Parameter& each) { return each.name == words[i]; });
    SCOVILLE_CHECK(flag != all.end(), "only flags of the command are set");
    const std::string value = flag->value.empty() || i + 1 == words.size() ? "" : words[++i];
    if (Status set = flag->set(value); !set)
      return Error{ErrorCode::invalid_argument,
                   text::say(text::Msg::flag_bad_value, flag->name, value, set.error().message)};
  }
  return Done{};
}

}  // namespace scoville::cli
