#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "numerics/judge.hpp"

namespace scoville::numerics {

/// For tests: a run's tensors in memory.
struct MadeSide {
  struct Held {
    std::string dtype, bytes;
    std::vector<std::int64_t> shape;
  };
  Manifest manifest;
  std::shared_ptr<std::map<std::string, Held>> held = std::make_shared<std::map<std::string, Held>>();

  void put(const std::string& name, const std::vector<double>& values, std::vector<std::int64_t> shape = {}) {
    std::vector<float> floats(values.begin(), values.end());
    std::string bytes(floats.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
    (*held)[name] = {"F32", std::move(bytes), std::move(shape)};
  }
  void put_ids(const std::string& name, const std::vector<std::int64_t>& ids) {
    std::string bytes(ids.size() * sizeof(std::int64_t), '\0');
    std::memcpy(bytes.data(), ids.data(), bytes.size());
    (*held)[name] = {"I64", std::move(bytes), {static_cast<std::int64_t>(ids.size())}};
  }
  Side side() const {
    return {manifest, [tensors = held](const std::string& name) -> std::optional<TensorView> {
              const auto found = tensors->find(name);
              if (found == tensors->end()) return std::nullopt;
              return TensorView{found->second.dtype, found->second.shape, found->second.bytes};
            }};
  }
};

}  // namespace scoville::numerics
