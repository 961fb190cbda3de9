#include "correctness/tensor_file.hpp"

#include <array>
#include <stdexcept>

#include "base/sha256.hpp"

namespace scoville::torch_probe::correctness {
namespace {

struct Dtype {
  const char* name;
  at::ScalarType type;
};
constexpr std::array kDtypes{Dtype{"F32", at::kFloat},  Dtype{"BF16", at::kBFloat16}, Dtype{"F16", at::kHalf},
                             Dtype{"F64", at::kDouble}, Dtype{"I64", at::kLong},      Dtype{"I32", at::kInt},
                             Dtype{"I16", at::kShort},  Dtype{"I8", at::kChar},       Dtype{"U8", at::kByte},
                             Dtype{"BOOL", at::kBool}};

const char* name_of(at::ScalarType type) {
  for (const Dtype& each : kDtypes) {
    if (each.type == type) return each.name;
  }
  throw std::invalid_argument(std::string("no safetensors dtype for ") + c10::toString(type));
}

}  // namespace

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.data_ptr()), static_cast<std::size_t>(tensor.nbytes())};
}

void TensorFile::put(const std::string& name, const at::Tensor& tensor) {
  // A clone: what is given may be a buffer that the next call writes into.
  tensors_.emplace_back(name, tensor.detach().to(at::kCPU).contiguous().clone());
}

std::map<std::string, std::string> TensorFile::hashes() const {
  std::map<std::string, std::string> out;
  for (const auto& [name, tensor] : tensors_) {
    const std::span<const std::byte> bytes = bytes_of(tensor);
    out[name] = sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  return out;
}

Status TensorFile::write(const std::string& path) const {
  std::vector<numerics::StoredTensor> stored;
  for (const auto& [name, tensor] : tensors_) {
    stored.push_back({name, name_of(tensor.scalar_type()), tensor.sizes().vec(), bytes_of(tensor)});
  }
  return numerics::write_safetensors(path, stored);
}

at::Tensor tensor_of(const numerics::StoredTensor& stored) {
  for (const Dtype& each : kDtypes) {
    if (stored.dtype != each.name) continue;
    // from_blob wants a pointer that may be written to; the clone is what is given away.
    void* const data = const_cast<std::byte*>(stored.bytes.data());
    return at::from_blob(data, stored.shape, at::TensorOptions().dtype(each.type)).clone();
  }
  throw std::invalid_argument(stored.name + ": no dtype of torch is " + stored.dtype);
}

}  // namespace scoville::torch_probe::correctness
