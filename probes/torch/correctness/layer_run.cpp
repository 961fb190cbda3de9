#include "correctness/layer_run.hpp"

#include "correctness/repeats.hpp"
#include "devices.hpp"

namespace scoville::torch_probe::correctness {
LayerRun::LayerRun(model::Transformer& model, std::vector<Input> inputs, const Baseline* baseline,
                   std::optional<Plant> plant)
    : model_(model), inputs_(std::move(inputs)), baseline_(baseline), plant_(std::move(plant)), watch_(model.device()) {
  for (const Input& each : inputs_) {
    values_.push_back(each.ids());
    file_.put(numerics::tensor_name(each.name, "tokens"), each.ids().view(-1));
  }
}

at::Tensor LayerRun::layer(std::int64_t index, const at::Tensor& hidden) {
  const at::Tensor positions =
      at::arange(hidden.size(1), at::kLong).unsqueeze(0).expand({hidden.size(0), hidden.size(1)}).contiguous();
  const auto plain = [&](const at::Tensor& given) { return model_.layer(index, given, positions); };
  return plant_ && plant_->layer == index ? with_fault(*plant_, hidden, plain) : plain(hidden);
}

void LayerRun::run(const Told& told) {
  const std::int64_t layers = model_.config().layers;
  const auto of = static_cast<std::size_t>(layers + 2);
  told(0, of, "embed");
  part("embed", "", [this](const at::Tensor& ids) { return model_.embed(ids.to(model_.device())); });
  std::string before = "embed";
  for (std::int64_t i = 0; i < layers; ++i) {
    const std::string name = "layer." + std::to_string(i);
    told(static_cast<std::size_t>(i + 1), of, name);
    part(name, before, [this, i](const at::Tensor& hidden) { return layer(i, hidden); });
    before = name;
  }
  told(of - 1, of, "logits");
  part("logits", before, [this](const at::Tensor& hidden) { return model_.head(hidden); });
}

void LayerRun::part(const std::string& name, const std::string& input, const Call& call) {
  parts_.push_back({name, input});
  const auto watched = [&](const at::Tensor& given) {
    at::Tensor out = watch_.watch(name, [&] { return call(given); });
    synchronise(model_.device());
    return out;
  };
  const std::vector<at::Tensor> given = values_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    values_[i] = watched(given[i]);
    file_.put(numerics::tensor_name(inputs_[i].name, name), values_[i].squeeze(0));
  }
  again_.push_back(repeat_of(name, watched(given.front()), values_.front()));
  batched(name, watched, given);
  isolated(name, input, watched);
}

void LayerRun::batched(const std::string& name, const Call& call, const std::vector<at::Tensor>& given) {
  std::vector<at::Tensor> rows, alone;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_batched || given[i].size(1) != given.front().size(1)) continue;
    rows.push_back(given[i].to(at::kCPU));
    alone.push_back(values_[i].to(at::kCPU));
  }
  if (rows.size() < 2) return;
  const at::Tensor together = call(at::cat(rows, 0).to(given.front().device()));
  batched_.push_back(repeat_of(name, together, at::cat(alone, 0)));
}

void LayerRun::isolated(const std::string& name, const std::string& input, const Call& call) {
  if (!baseline_) return;
  for (const Input& each : inputs_) {
    const std::string from = input.empty() ? "tokens" : input;
    at::Tensor given = baseline_->tensor(numerics::tensor_name(each.name, from));
    if (!given.defined()) continue;
    given = given.unsqueeze(0);
    if (!input.empty()) given = given.to(model_.dtype()).to(model_.device());
    file_.put(numerics::tensor_name(each.name, name, "isolated"), call(given).squeeze(0));
  }
}

void LayerRun::describe(numerics::Manifest& manifest) const {
  manifest.parts = parts_;
  manifest.again = again_;
  manifest.batched = batched_;
  manifest.host_runs = watch_.runs();
  manifest.watched_host_runs = true;
  for (const Input& each : inputs_) manifest.sequences.push_back({each.name, each.tokens.size(), each.text});
  if (plant_) manifest.planted = plant_->words();
}

}  // namespace scoville::torch_probe::correctness
