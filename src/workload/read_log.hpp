#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "workload/logged_request.hpp"
#include "workload/prompt_reader.hpp"

namespace scoville::workload {

enum class LogFormat { requests, openai, access };

/// By the first lines of the content; empty: none of them.
std::optional<LogFormat> detect_format(std::string_view content);

struct ReadOptions {
  std::optional<LogFormat> format;
  std::string session_field;
};

/// Reads one file's content. `hash` is the same for all files that are learned from together. `name` stands for the
/// file in the error: a format that is not known.
Result<LogRows> read_log(const std::string& name, std::string_view content, const SaltedHash& hash,
                         const ReadOptions& options);

}  // namespace scoville::workload
