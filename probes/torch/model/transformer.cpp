#include "model/transformer.hpp"

#include <sys/stat.h>

#include <utility>

namespace scoville::torch_probe::model {
namespace {

bool is_folder(const std::string& path) {
  struct stat state {};
  return stat(path.c_str(), &state) == 0 && S_ISDIR(state.st_mode);
}

at::Tensor positions_of(std::int64_t rows, std::int64_t first, std::int64_t tokens) {
  return at::arange(first, first + tokens, at::TensorOptions(at::kLong)).expand({rows, tokens});
}

}  // namespace

Transformer::Transformer(Config config, std::unique_ptr<WeightSource> source, const c10::Device& device,
                         at::ScalarType dtype, Residence residence, Edit edit)
    : config_(std::move(config)),
      source_(std::move(source)),
      device_(device),
      dtype_(dtype),
      residence_(residence),
      edit_(std::move(edit)),
      outer_(outer_weights(*source_, config_, device, dtype)) {
  if (residence_ == Residence::one_layer) return;
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    layers_.push_back(layer_weights(*source_, config_, i, device_, dtype_));
    if (edit_) edit_(i, layers_.back());
  }
}

Transformer::Transformer(const Config& config, const c10::Device& device, at::ScalarType dtype, std::uint64_t seed,
                         Residence residence, Edit edit)
    : Transformer(config, seeded_weights(config, seed), device, dtype, residence, std::move(edit)) {}

at::Tensor Transformer::seen(const std::string& part, at::Tensor value) const {
  return hook_ ? hook_(part, std::move(value)) : value;
}

const LayerWeights& Transformer::weights_of(std::int64_t layer) {
  if (residence_ == Residence::all) return layers_.at(static_cast<std::size_t>(layer));
  if (resident_ != layer) {
    layers_.clear();  // before the next one is made: memory holds one
    layers_.push_back(layer_weights(*source_, config_, layer, device_, dtype_));
    if (edit_) edit_(layer, layers_.back());
    resident_ = layer;
  }
  return layers_.front();
}

at::Tensor Transformer::embed(const at::Tensor& ids) {
  return seen("embed", at::embedding(outer_.embedding, ids.to(device_)));
}

Step Transformer::step(const at::Tensor& positions, const KvRows& kv) const {
  return prepare_step(config_, positions, device_, dtype_, kv);
}

at::Tensor Transformer::layer(std::int64_t index, const at::Tensor& hidden, const Step& step) {
  return seen("layer." + std::to_string(index), block(config_, weights_of(index), index, hidden, step));
}

at::Tensor Transformer::layer(std::int64_t index, const at::Tensor& hidden, const at::Tensor& positions,
                              const KvRows& kv) {
  return layer(index, hidden, step(positions, kv));
}

at::Tensor Transformer::head(const at::Tensor& hidden) {
  return seen("logits", at::linear(rms_norm(hidden, outer_.norm, config_.norm_eps), outer_.head));
}

at::Tensor Transformer::hidden_states(const at::Tensor& ids, const at::Tensor& positions, const KvRows& kv) {
  const Step shared = step(positions, kv);
  at::Tensor hidden = embed(ids);
  for (std::int64_t i = 0; i < config_.layers; ++i) hidden = layer(i, hidden, shared);
  return hidden;
}

at::Tensor Transformer::forward(const at::Tensor& ids) {
  return head(hidden_states(ids, positions_of(ids.size(0), 0, ids.size(1)), {}));
}

Result<at::ScalarType> dtype_named(const std::string& name) {
  if (name == "fp32") return at::kFloat;
  if (name == "bf16") return at::kBFloat16;
  if (name == "fp16") return at::kHalf;
  if (name == "fp64") return at::kDouble;
  return Error{ErrorCode::invalid_argument, "no dtype " + name + ": expected fp32, bf16, fp16 or fp64"};
}

Result<Transformer> make_transformer(const ModelOptions& options, const c10::Device& device) {
  const bool is_stored = is_folder(options.model);
  auto config = is_stored ? read_config(options.model) : preset(options.model);
  if (!config) return std::move(config.error());
  std::unique_ptr<WeightSource> source;
  if (is_stored) {
    auto stored = stored_weights(options.model, *config);
    if (!stored) return std::move(stored.error());
    source = *std::move(stored);
  } else {
    source = seeded_weights(*config, options.seed);
  }
  return Transformer(*std::move(config), std::move(source), device, options.dtype, options.residence, options.edit);
}

std::vector<std::int64_t> greedy(Transformer& model, const std::vector<std::int64_t>& prompt, std::int64_t tokens) {
  const at::NoGradGuard no_grad;
  const auto length = static_cast<std::int64_t>(prompt.size());
  const KvCache cache(model.config(), 1, length + tokens, model.device(), model.dtype());
  at::Tensor ids = at::tensor(prompt, at::TensorOptions(at::kLong)).view({1, length});
  std::vector<std::int64_t> made;
  for (std::int64_t first = 0; static_cast<std::int64_t>(made.size()) < tokens;
       first = length + static_cast<std::int64_t>(made.size()) - 1) {
    const at::Tensor hidden = model.hidden_states(ids, positions_of(1, first, ids.size(1)), {&cache, 0});
    const at::Tensor last = model.head(hidden.narrow(1, hidden.size(1) - 1, 1));
    made.push_back(last.argmax(-1).item<std::int64_t>());
    ids = at::full({1, 1}, made.back(), at::TensorOptions(at::kLong));
  }
  return made;
}

}  // namespace scoville::torch_probe::model
