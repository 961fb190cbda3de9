#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace scoville::numerics {

/// A tensor of a safetensors file: a name, and bytes in little-endian, row-major order. Owns no bytes.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< as the format spells it: "F64", "F32", "F16", "BF16", "I64" … "BOOL"
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

/// Bits of one element of a dtype that the format knows; 0 of any other.
unsigned bits_of(std::string_view dtype);

/// A safetensors file, mapped into memory: 8 bytes of length, a JSON header, raw data
/// (https://github.com/huggingface/safetensors, "Format").
///
/// What open() returns was checked: every tensor lies within the file and has as many bytes as its shape and dtype ask
/// for. The tensors' bytes live as long as the file object does.
class SafetensorsFile {
 public:
  /// Errors: one line with the path and what is wrong with it.
  static Result<SafetensorsFile> open(const std::string& path);

  SafetensorsFile(SafetensorsFile&& other) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) = delete;
  ~SafetensorsFile();

  /// In the order of their names.
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  /// Null where there is none of this name.
  const StoredTensor* find(std::string_view name) const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  SafetensorsFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  Status read_header();

  const std::byte* data_;
  std::size_t size_;
  std::vector<StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes beside the target and renames. Data begins at a multiple of 8 bytes. Tensors keep the order they come in.
Status write_safetensors(const std::string& path, std::span<const StoredTensor> tensors,
                         const std::map<std::string, std::string>& metadata = {});

}  // namespace scoville::numerics
