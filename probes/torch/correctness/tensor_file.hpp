#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "numerics/safetensors.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::correctness {

/// Tensors on their way into a safetensors file: copied to the host as they come.
class TensorFile {
 public:
  void put(const std::string& name, const at::Tensor& tensor);
  /// Name and SHA-256 of the bytes of each.
  std::map<std::string, std::string> hashes() const;
  Status write(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

/// A tensor of a file, copied. Throws std::invalid_argument for a dtype that torch has not.
at::Tensor tensor_of(const numerics::StoredTensor& stored);

/// Bytes of a contiguous tensor on the host.
std::span<const std::byte> bytes_of(const at::Tensor& tensor);

}  // namespace scoville::torch_probe::correctness
