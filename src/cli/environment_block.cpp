#include "cli/environment_block.hpp"

#include <unistd.h>

#include <string_view>

namespace scoville::cli {

environment::Variables environment_block() {
  environment::Variables out;
  for (char** each = environ; each && *each; ++each) {
    const std::string_view line = *each;
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) out.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return out;
}

}  // namespace scoville::cli
