#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/block.hpp"
#include "model/config.hpp"
#include "model/kv_cache.hpp"
#include "model/weights.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::model {

/// The reference model: decoder-only, RMSNorm, rotary positions, grouped-query attention, SwiGLU.
///
/// One code for three uses: a single layer for the layer probe, all outputs for correctness, the engine's decoding.
/// All through ATen operators, so it runs wherever a backend has them.
class Transformer {
 public:
  /// Whether all layers' weights stay, or one at a time is made, used and dropped: layer(i) keeps only its own.
  enum class Residence { all, one_layer };
  /// Sees what a part gave ("embed", "layer.0" …, "logits") and answers with what goes on: mostly the same.
  using Hook = std::function<at::Tensor(const std::string& part, at::Tensor value)>;
  /// May change a layer's weights once they are made: quantised ones, planted faults.
  using Edit = std::function<void(std::int64_t layer, LayerWeights& weights)>;

  Transformer(Config config, std::unique_ptr<WeightSource> source, const c10::Device& device, at::ScalarType dtype,
              Residence residence = Residence::all, Edit edit = {});
  /// Seeded weights.
  Transformer(const Config& config, const c10::Device& device, at::ScalarType dtype, std::uint64_t seed,
              Residence residence = Residence::all, Edit edit = {});

  const Config& config() const { return config_; }
  const c10::Device& device() const { return device_; }
  at::ScalarType dtype() const { return dtype_; }
  const WeightSource& source() const { return *source_; }

  /// Of every later call.
  void set_hook(Hook hook) { hook_ = std::move(hook); }

  /// ids [rows, tokens], int64, on any device → [rows, tokens, hidden].
  at::Tensor embed(const at::Tensor& ids);
  at::Tensor layer(std::int64_t index, const at::Tensor& hidden, const Step& step);
  /// The same where there is one layer to run: `positions` [rows, tokens] on the CPU.
  at::Tensor layer(std::int64_t index, const at::Tensor& hidden, const at::Tensor& positions, const KvRows& kv = {});
  /// Last norm and projection: [rows, tokens, hidden] → logits [rows, tokens, vocab], in the model's dtype.
  at::Tensor head(const at::Tensor& hidden);

  /// Whole sequences from position 0, nothing kept: ids [rows, tokens] → logits [rows, tokens, vocab].
  at::Tensor forward(const at::Tensor& ids);
  /// Tokens at these positions, with what the cache holds: hidden states behind the last layer.
  at::Tensor hidden_states(const at::Tensor& ids, const at::Tensor& positions, const KvRows& kv);

  Step step(const at::Tensor& positions, const KvRows& kv = {}) const;
  const LayerWeights& weights_of(std::int64_t layer);

 private:
  at::Tensor seen(const std::string& part, at::Tensor value) const;

  Config config_;
  std::unique_ptr<WeightSource> source_;
  c10::Device device_;
  at::ScalarType dtype_;
  Residence residence_;
  Edit edit_;
  Hook hook_;
  OuterWeights outer_;
  std::vector<LayerWeights> layers_;  ///< all of them, or one
  std::int64_t resident_ = -1;        ///< which one
};

/// A preset with seeded weights, or a folder with config.json and safetensors. Errors: one line.
struct ModelOptions {
  std::string model = "small";
  at::ScalarType dtype = at::kFloat;
  std::uint64_t seed = 1;
  Transformer::Residence residence = Transformer::Residence::all;
  Transformer::Edit edit;
};
Result<Transformer> make_transformer(const ModelOptions& options, const c10::Device& device);

/// "fp32", "bf16", "fp16", "fp64".
Result<at::ScalarType> dtype_named(const std::string& name);

/// Argmax of the last logits, again and again, of one sequence, with a cache: token ids.
std::vector<std::int64_t> greedy(Transformer& model, const std::vector<std::int64_t>& prompt, std::int64_t tokens);

}  // namespace scoville::torch_probe::model
