#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/external_result.hpp"

namespace scoville::evidence {

struct FileText {
  std::string path, text;
};

/// What files of other tools say. Whose a file is, is told by what it holds, not by its name. The pieces of one result
/// that a tool spreads over several files (of one folder) are put together; a file may hold several results. The error
/// names the file and the line or member.
Result<std::vector<ExternalResult>> read_results(std::span<const FileText> files);

}  // namespace scoville::evidence
