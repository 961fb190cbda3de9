#include "correctness/correctness.hpp"

#include <filesystem>
#include <stdexcept>

#include "about.hpp"
#include "base/file.hpp"
#include "correctness/layer_run.hpp"
#include "correctness/reduce.hpp"
#include "correctness/scripted.hpp"
#include "devices.hpp"

namespace scoville::torch_probe {
namespace {

using namespace correctness;
namespace fs = std::filesystem;

model::ModelOptions options_of(const probe::Question& question) {
  Result<at::ScalarType> dtype = model::dtype_named(question.text("dtype", "fp32"));
  if (!dtype) throw std::invalid_argument(dtype.error().message);
  model::ModelOptions options;
  options.model = question.text("model", "tiny");
  options.dtype = *dtype;
  options.seed = static_cast<std::uint64_t>(question.number("seed", 0));
  if (question.text("layers", "all") == "one_at_a_time") options.residence = model::Transformer::Residence::one_layer;
  return options;
}

model::Transformer made(const model::ModelOptions& options, const c10::Device& device) {
  Result<model::Transformer> model = model::make_transformer(options, device);
  if (!model) throw std::invalid_argument(model.error().message);
  return std::move(*model);
}

void run_variants(const std::vector<std::string>& names, const model::ModelOptions& options, const c10::Device& device,
                  const std::vector<Input>& inputs, TensorFile& file, numerics::Manifest& manifest) {
  for (const std::string& name : names) {
    numerics::Variant& variant = manifest.variants.emplace_back();
    variant.name = name;
    model::ModelOptions reduced = options;
    reduced.edit = reduced_weights(name, variant.fault);
    if (!reduced.edit) continue;
    model::Transformer model = made(reduced, device);
    for (const Input& each : inputs) {
      const at::Tensor logits = model.forward(each.ids().to(device));
      file.put(numerics::tensor_name(each.name, "logits", name), logits.squeeze(0));
    }
  }
}

void run_greedy(model::Transformer& model, const std::vector<Input>& inputs, std::int64_t count, TensorFile& file) {
  if (count == 0) return;
  for (const Input& each : inputs) {
    const std::vector<std::int64_t> tokens = model::greedy(model, each.tokens, count);
    file.put(numerics::tensor_name(each.name, "greedy"), Input{"", "", tokens, false}.ids().view(-1));
  }
}

/// What is known before anything is computed.
numerics::Manifest begun(const probe::Question& question) {
  numerics::Manifest manifest;
  const json::object about = describe();
  manifest.probe = about.at("probe").as_string();
  manifest.probe_version = about.at("version").as_string();
  manifest.stack = about.at("stack").as_object();
  manifest.device = device_named(question.device).str();
  manifest.dtype = question.text("dtype", "fp32");
  manifest.seed = static_cast<std::uint64_t>(question.number("seed", 0));
  manifest.threads = static_cast<std::size_t>(at::get_num_threads());
  return manifest;
}

void run_model(const probe::Question& question, probe::Speaker& speaker, TensorFile& file,
               numerics::Manifest& manifest) {
  const c10::Device device = device_named(question.device);
  const model::ModelOptions options = options_of(question);
  model::Transformer model = made(options, device);
  std::optional<Baseline> baseline;
  if (const std::string against = question.text("against"); !against.empty()) baseline.emplace(against);
  // Layer outputs of another model are no inputs of this one's: the program will say that the two cannot be compared.
  if (baseline && baseline->manifest().weights_sha256 != model.source().sha256()) baseline.reset();
  const std::vector<Input> inputs =
      baseline ? baseline->inputs() : made_inputs(options.seed, model.config().vocab, texts_in(question, "prompts"));
  LayerRun run(model, inputs, baseline ? &*baseline : nullptr, plant_in(question));
  run.run([&](std::size_t done, std::size_t of, const std::string& part) { speaker.progress(done, of, part); });
  run.describe(manifest);
  file = std::move(run.file());
  manifest.model = model.config().name;
  manifest.weights = model.source().kind();
  manifest.weights_sha256 = model.source().sha256();
  manifest.vocabulary = static_cast<std::size_t>(model.config().vocab);
  manifest.greedy_tokens = static_cast<std::size_t>(question.number("greedy_tokens", 16));
  if (baseline) manifest.against_sha256 = baseline->manifest().identity();
  speaker.progress(0, 1, "greedy");
  run_greedy(model, inputs, static_cast<std::int64_t>(manifest.greedy_tokens), file);
  run_variants(texts_in(question, "variants"), options, device, inputs, file, manifest);
}

void write(const std::string& folder, const TensorFile& file, numerics::Manifest& manifest) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  manifest.tensors = file.hashes();
  if (Status written = file.write(folder + "/" + numerics::kTensorFile); !written)
    throw std::runtime_error(written.error().message);
  if (Status written = write_file(folder + "/" + numerics::kManifestFile, pretty(numerics::to_json(manifest)));
      !written)
    throw std::runtime_error(written.error().message);
}

}  // namespace

probe::Answer answer_correctness(const probe::Question& question, probe::Speaker& speaker) {
  const at::NoGradGuard no_gradients;
  const std::string folder = question.text("save");
  if (folder.empty()) throw std::invalid_argument("save: expected a folder");
  if (const double threads = question.number("threads", 0); threads > 0) use_threads(static_cast<int>(threads));
  TensorFile file;
  numerics::Manifest manifest = begun(question);
  if (question.text("torchscript").empty()) {
    run_model(question, speaker, file, manifest);
  } else {
    run_scripted(question, file, manifest);
  }
  write(folder, file, manifest);
  return json::object{{"folder", folder}, {"manifest", numerics::kManifestFile}};
}

}  // namespace scoville::torch_probe
