#include "correctness/inputs.hpp"

#include <stdexcept>

#include "base/file.hpp"
#include "base/rng.hpp"
#include "correctness/tensor_file.hpp"

namespace scoville::torch_probe::correctness {
namespace {

constexpr std::size_t kSeeds = 3, kSeededTokens = 24, kTextTokens = 48;

template <class T>
T opened(Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().message);
  return std::move(*result);
}

numerics::Manifest manifest_of(const std::string& folder) {
  const std::string path = folder + "/" + numerics::kManifestFile;
  json::error_code fault;
  const json::value value = json::parse(opened(read_file(path)), fault);
  if (fault) throw std::invalid_argument(path + ": " + fault.message());
  return opened(numerics::manifest_from(value));
}

}  // namespace

at::Tensor Input::ids() const {
  at::Tensor ids = at::empty({1, static_cast<std::int64_t>(tokens.size())}, at::kLong);
  std::copy(tokens.begin(), tokens.end(), ids.data_ptr<std::int64_t>());
  return ids;
}

Baseline::Baseline(const std::string& folder)
    : manifest_(manifest_of(folder)),
      file_(opened(numerics::SafetensorsFile::open(folder + "/" + numerics::kTensorFile))) {}

at::Tensor Baseline::tensor(const std::string& name) const {
  const numerics::StoredTensor* const found = file_.find(name);
  return found ? tensor_of(*found) : at::Tensor();
}

std::vector<Input> Baseline::inputs() const {
  std::vector<Input> out;
  for (const numerics::Sequence& each : manifest_.sequences) {
    const at::Tensor tokens = tensor(numerics::tensor_name(each.name, "tokens"));
    if (!tokens.defined() || tokens.scalar_type() != at::kLong)
      throw std::invalid_argument("the baseline holds no tokens of " + each.name);
    const at::Tensor flat = tokens.contiguous();
    const auto* const first = flat.data_ptr<std::int64_t>();
    out.push_back({each.name, each.text, {first, first + flat.numel()}, each.text.empty()});
  }
  return out;
}

std::vector<Input> made_inputs(std::uint64_t seed, std::int64_t vocabulary, const std::vector<std::string>& prompts) {
  std::vector<Input> out;
  for (std::size_t i = 0; i < kSeeds; ++i) {
    Input input{"seed" + std::to_string(i + 1), "", {}, true};
    Rng random(seed, hash_bytes("correctness"), i);
    for (std::size_t t = 0; t < kSeededTokens; ++t)
      input.tokens.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vocabulary))));
    out.push_back(std::move(input));
  }
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    Input input{"text" + std::to_string(i + 1), prompts[i].substr(0, kTextTokens), {}, false};
    for (const char each : input.text) input.tokens.push_back(static_cast<unsigned char>(each) % vocabulary);
    if (!input.tokens.empty()) out.push_back(std::move(input));
  }
  return out;
}

std::vector<std::string> texts_in(const probe::Question& question, std::string_view key) {
  const json::value* const found = question.params.if_contains(key);
  if (!found) return {};
  if (!found->is_array()) throw std::invalid_argument(std::string(key) + ": expected a list of texts");
  std::vector<std::string> out;
  for (const json::value& each : found->get_array()) {
    if (!each.is_string()) throw std::invalid_argument(std::string(key) + ": expected a list of texts");
    out.emplace_back(each.get_string());
  }
  return out;
}

}  // namespace scoville::torch_probe::correctness
