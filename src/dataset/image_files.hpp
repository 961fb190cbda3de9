#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dataset/jsonl_rows.hpp"

namespace scoville::dataset {

/// Bytes as a URL: "data:image/png;base64,…".
std::string data_url(std::string_view media_type, std::string_view bytes);

/// An image of a file as a data URL; what it is, its first bytes tell.
Result<std::string> image_url_of(const std::string& path);

/// One user message of a text and images, in OpenAI's shape.
std::string message_with_images(std::string_view text, const std::vector<std::string>& urls);

/// Rows with image_files become messages that carry the images. A relative path begins at `folder`, that of the file
/// of prompts. A row whose image cannot be read goes to `bad`.
void take_images(JsonlRows& rows, const std::string& folder);

}  // namespace scoville::dataset
