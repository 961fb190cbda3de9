#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "correctness/host_watch.hpp"
#include "correctness/inputs.hpp"
#include "correctness/plant.hpp"
#include "correctness/tensor_file.hpp"
#include "model/transformer.hpp"

namespace scoville::torch_probe::correctness {

/// The reference model over all inputs, a part at a time, so that one layer's weights are enough: every part in turn is
/// given each input alone, the first one again, those of equal length as a batch, and, where there is a baseline, the
/// baseline's own input of that part (the isolated pass).
class LayerRun {
 public:
  LayerRun(model::Transformer& model, std::vector<Input> inputs, const Baseline* baseline, std::optional<Plant> plant);

  using Told = std::function<void(std::size_t done, std::size_t of, const std::string& part)>;
  void run(const Told& told);

  /// Tensors under the names of docs/formats/baseline.md.
  TensorFile& file() { return file_; }
  /// Parts, repeats and host runs into it.
  void describe(numerics::Manifest& manifest) const;

 private:
  using Call = std::function<at::Tensor(const at::Tensor&)>;
  void part(const std::string& name, const std::string& input, const Call& call);
  void isolated(const std::string& name, const std::string& input, const Call& call);
  void batched(const std::string& name, const Call& call, const std::vector<at::Tensor>& alone);
  at::Tensor layer(std::int64_t index, const at::Tensor& hidden);

  model::Transformer& model_;
  std::vector<Input> inputs_;
  const Baseline* baseline_;
  std::optional<Plant> plant_;
  HostWatch watch_;
  TensorFile file_;
  std::vector<at::Tensor> values_;  ///< of each input, what the last part gave
  std::vector<numerics::Part> parts_;
  std::vector<numerics::Repeat> again_, batched_;
};

}  // namespace scoville::torch_probe::correctness
