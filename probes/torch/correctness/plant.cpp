#include "correctness/plant.hpp"

#include <stdexcept>

namespace scoville::torch_probe::correctness {
namespace {

at::Tensor through_bf16(const at::Tensor& value) { return value.to(at::kBFloat16).to(value.scalar_type()); }

}  // namespace

std::optional<Plant> plant_in(const probe::Question& question) {
  const json::value* const found = question.params.if_contains("plant");
  if (!found) return std::nullopt;
  const json::object* const object = found->if_object();
  const json::value* const layer = object ? object->if_contains("layer") : nullptr;
  const json::value* const kind = object ? object->if_contains("kind") : nullptr;
  if (!layer || !layer->is_int64() || !kind || !kind->is_string())
    throw std::invalid_argument("plant: expected {\"layer\": N, \"kind\": \"bf16|wrong|element\"}");
  Plant plant{layer->get_int64(), std::string(kind->get_string())};
  if (plant.kind != "bf16" && plant.kind != "wrong" && plant.kind != "element")
    throw std::invalid_argument("plant.kind: expected bf16, wrong or element, not " + plant.kind);
  return plant;
}

at::Tensor with_fault(const Plant& plant, const at::Tensor& hidden, const LayerCall& layer) {
  if (plant.kind == "bf16") return through_bf16(layer(through_bf16(hidden)));
  at::Tensor out = layer(hidden);
  if (plant.kind == "wrong") return hidden + (out - hidden) * 1.1;
  at::Tensor host = out.to(at::kCPU).contiguous().clone();
  host.view(-1)[host.numel() / 2] += host.abs().max();
  return host.to(out.device());
}

}  // namespace scoville::torch_probe::correctness
