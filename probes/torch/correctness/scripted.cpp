#include "correctness/scripted.hpp"

#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>

#include <filesystem>
#include <stdexcept>

#include "base/file.hpp"
#include "base/sha256.hpp"
#include "correctness/host_watch.hpp"
#include "correctness/repeats.hpp"
#include "devices.hpp"

namespace scoville::torch_probe::correctness {
namespace {

constexpr const char* kSequence = "inputs";

torch::jit::Module loaded(const std::string& path, const c10::Device& device) {
  try {
    torch::jit::Module module = torch::jit::load(path, device);
    module.eval();
    return torch::jit::freeze(module);
  } catch (const c10::Error& wrong) {
    const std::string words = wrong.what_without_backtrace();
    throw std::invalid_argument(path + ": " + words.substr(0, words.find('\n')));
  }
}

/// One tensor for each argument of forward() but self.
std::vector<at::Tensor> inputs_of(const std::string& path, const std::vector<c10::Argument>& arguments,
                                  const c10::Device& device) {
  Result<numerics::SafetensorsFile> file = numerics::SafetensorsFile::open(path);
  if (!file) throw std::invalid_argument(file.error().message);
  std::vector<at::Tensor> out;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const numerics::StoredTensor* found = file->find(arguments[i].name());
    if (!found && file->tensors().size() >= i) found = &file->tensors()[i - 1];
    if (!found) throw std::invalid_argument(path + ": it has no tensor " + arguments[i].name());
    out.push_back(tensor_of(*found).to(device));
  }
  return out;
}

/// Has every tensor that the graph computes returned as well; the names, in the order of the outputs that were added. A
/// copy of each is returned: later nodes may write into what they get.
std::vector<std::string> return_all(torch::jit::Graph& graph) {
  std::vector<std::string> names;
  std::vector<torch::jit::Node*> nodes(graph.nodes().begin(), graph.nodes().end());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    torch::jit::Node* const node = nodes[i];
    if (node->kind() == c10::prim::Constant) continue;
    for (std::size_t k = 0; k < node->outputs().size(); ++k) {
      torch::jit::Value* const value = node->outputs()[k];
      if (!value->type()->isSubtypeOf(*c10::TensorType::get())) continue;
      torch::jit::WithInsertPoint here(node->next());
      torch::jit::Value* const nothing = graph.insertConstant(c10::IValue());
      torch::jit::Node* const copy = graph.insertNode(graph.create(c10::aten::clone, {value, nothing}));
      graph.registerOutput(copy->output());
      names.push_back(std::to_string(names.size()) + "." + node->kind().toQualString());
    }
  }
  return names;
}

std::vector<at::Tensor> run(const std::shared_ptr<torch::jit::Graph>& graph, const torch::jit::Module& module,
                            const std::vector<at::Tensor>& inputs, std::size_t wanted) {
  torch::jit::GraphExecutor executor(graph, "");
  torch::jit::Stack stack{module._ivalue()};
  for (const at::Tensor& each : inputs) stack.emplace_back(each);
  executor.run(stack);
  std::vector<at::Tensor> out;
  for (std::size_t i = stack.size() - wanted; i < stack.size(); ++i) out.push_back(stack[i].toTensor());
  return out;
}

}  // namespace

void run_scripted(const probe::Question& question, TensorFile& file, numerics::Manifest& manifest) {
  const c10::Device device = device_named(question.device);
  const std::string path = question.text("torchscript");
  Result<std::string> bytes = read_file(path);
  if (!bytes) throw std::invalid_argument(bytes.error().message);
  const torch::jit::Module module = loaded(path, device);
  const torch::jit::Method forward = module.get_method("forward");
  const std::vector<at::Tensor> inputs =
      inputs_of(question.text("inputs"), forward.function().getSchema().arguments(), device);
  const std::shared_ptr<torch::jit::Graph> graph = forward.graph()->copy();
  torch::jit::Inline(*graph);
  const std::vector<std::string> names = return_all(*graph);
  HostWatch watch(device);
  std::vector<at::Tensor> first;
  watch.watch("graph", [&] {
    first = run(graph, module, inputs, names.size());
    return at::Tensor();
  });
  const std::vector<at::Tensor> again = run(graph, module, inputs, names.size());
  synchronise(device);
  for (std::size_t i = 0; i < names.size(); ++i) {
    manifest.parts.push_back({names[i], ""});
    file.put(numerics::tensor_name(kSequence, names[i]), first[i]);
    manifest.again.push_back(repeat_of(names[i], again[i], first[i]));
  }
  manifest.sequences = {{kSequence, 0, ""}};
  manifest.host_runs = watch.runs();
  manifest.watched_host_runs = true;
  manifest.model = std::filesystem::path(path).filename().string();
  manifest.weights = "torchscript";
  manifest.weights_sha256 = sha256(*bytes);
}

}  // namespace scoville::torch_probe::correctness
