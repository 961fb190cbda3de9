#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"

namespace scoville::environment {

/// What stands at the head of a GGUF file.
struct GgufHeader {
  std::uint32_t version = 0;
  std::uint64_t tensor_count = 0;
  std::map<std::string, json::value, std::less<>> metadata;  ///< but for arrays, whose length stands in their place
  std::optional<std::uint64_t> parameters;  ///< elements of all tensors; empty where their list cannot be read
  std::optional<bool> ties_embeddings;      ///< no tensor output.weight: the embedding serves as the head too

  /// The value of `key`, null if there is none.
  const json::value* find(std::string_view key) const;
  std::string text(std::string_view key) const;
};

/// Reads the header alone (github.com/ggml-org/ggml, docs/gguf.md, versions 2 and 3, little-endian). Lengths are held
/// against the size of the file before they are believed.
Result<GgufHeader> read_gguf_header(const std::string& path);

/// "Q4_K_M" for 15, as llama.cpp numbers `general.file_type`; "" for a number that it does not have.
std::string_view gguf_file_type(std::int64_t number);

}  // namespace scoville::environment
