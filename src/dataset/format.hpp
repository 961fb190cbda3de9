#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scoville::dataset {

/// Formats of files that prompts or lengths are read from (docs/formats/datasets.md).
enum class Format { batch, custom, openai, sharegpt, mooncake, azure, burstgpt, lengths, workload };

std::string_view name_of(Format format);
/// By our name, or one that other tools have for it ("timed_trace", "mooncake_trace").
std::optional<Format> format_from(std::string_view name);
/// All of name_of(), with commas.
std::string format_names();

/// What the content looks like: by the head of a table, or by the members of the first lines that are JSON. Empty: it
/// does not tell.
std::optional<Format> detect_format(std::string_view content);

}  // namespace scoville::dataset
