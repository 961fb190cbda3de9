#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/sha256.hpp"
#include "model/tensor_names.hpp"
#include "model/weights.hpp"
#include "numerics/safetensors.hpp"

namespace scoville::torch_probe::model {
namespace {

using numerics::SafetensorsFile;
using numerics::StoredTensor;

Error bad(std::string words) { return {ErrorCode::invalid_argument, std::move(words)}; }

Optional<at::ScalarType> dtype_of(const std::string& name) {
  if (name == "F32") return at::kFloat;
  if (name == "F16") return at::kHalf;
  if (name == "BF16") return at::kBFloat16;
  return kNone;
}

class Stored final : public WeightSource {
 public:
  Stored(std::vector<SafetensorsFile> files, std::vector<NamedShape> shapes)
      : files_(std::move(files)), shapes_(std::move(shapes)) {
    for (const SafetensorsFile& file : files_) {
      for (const StoredTensor& each : file.tensors()) tensors_[each.name] = &each;
    }
  }

  Status check(const std::string& folder) const {
    for (const NamedShape& each : shapes_) {
      const auto found = tensors_.find(each.name);
      if (found == tensors_.end()) return bad(fmt::format("{}: no tensor {}", folder, each.name));
      const StoredTensor& stored = *found->second;
      if (stored.shape != each.shape) {
        return bad(fmt::format("{}: tensor {} is {}, config.json asks for {}", folder, each.name,
                               fmt::join(stored.shape, " x "), fmt::join(each.shape, " x ")));
      }
      if (!dtype_of(stored.dtype)) {
        return bad(fmt::format("{}: tensor {} is {}: loaded are F32, F16 and BF16", folder, each.name, stored.dtype));
      }
    }
    return Done{};
  }

  at::Tensor get(const std::string& name, at::IntArrayRef shape) const override {
    const StoredTensor& stored = *tensors_.at(name);
    // Nothing writes to it; torch has no tensor of constant data. The copy straightens data that lies unaligned.
    return at::from_blob(const_cast<std::byte*>(stored.bytes.data()), shape, at::TensorOptions(*dtype_of(stored.dtype)))
        .clone();
  }
  std::string kind() const override { return "file"; }
  std::string sha256() const override {
    Sha256 sum;
    for (const NamedShape& each : shapes_) {
      const StoredTensor& stored = *tensors_.at(each.name);
      sum.add(fmt::format("{} {} {}\n", each.name, stored.dtype, fmt::join(each.shape, "x")));
      sum.add({reinterpret_cast<const char*>(stored.bytes.data()), stored.bytes.size()});
    }
    return sum.finish();
  }

 private:
  std::vector<SafetensorsFile> files_;
  std::vector<NamedShape> shapes_;
  std::map<std::string, const StoredTensor*> tensors_;
};

/// The parts that an index names, each once.
Result<std::vector<std::string>> parts_of(const std::string& index) {
  const auto text = read_file(index);
  if (!text) return text.error();
  json::error_code wrong;
  const json::value read = json::parse(*text, wrong);
  const json::value* const map = !wrong && read.is_object() ? read.as_object().if_contains("weight_map") : nullptr;
  if (!map || !map->is_object()) return bad(index + ": expected an object with weight_map");
  std::map<std::string, bool> seen;
  for (const auto& [tensor, part] : map->as_object()) {
    const std::string name = part.is_string() ? std::string(part.as_string()) : "";
    if (name.empty() || name.find('/') != std::string::npos) {
      return bad(fmt::format("{}: weight_map.{}: expected the name of a file beside it", index, std::string(tensor)));
    }
    seen[name] = true;
  }
  std::vector<std::string> names;
  for (const auto& [name, is_used] : seen) names.push_back(name);
  return names;
}

}  // namespace

Result<std::unique_ptr<WeightSource>> stored_weights(const std::string& folder, const Config& config) {
  std::vector<std::string> names{"model.safetensors"};
  auto single = SafetensorsFile::open(folder + "/" + names.front());
  std::vector<SafetensorsFile> files;
  if (single) {
    files.push_back(*std::move(single));
  } else if (single.error().code != ErrorCode::not_found) {
    return std::move(single.error());
  } else {
    auto parts = parts_of(folder + "/model.safetensors.index.json");
    if (!parts && parts.error().code == ErrorCode::not_found) {
      return bad(folder + ": neither model.safetensors nor model.safetensors.index.json is there");
    }
    if (!parts) return std::move(parts.error());
    for (const std::string& name : *parts) {
      auto file = SafetensorsFile::open(folder + "/" + name);
      if (!file) return std::move(file.error());
      files.push_back(*std::move(file));
    }
  }
  auto made = std::make_unique<Stored>(std::move(files), tensor_shapes(config));
  if (Status checked = made->check(folder); !checked) return std::move(checked.error());
  return std::unique_ptr<WeightSource>(std::move(made));
}

}  // namespace scoville::torch_probe::model
