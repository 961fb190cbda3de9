#include "fit/engine_support.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/check.hpp"
#include "config/node.hpp"

namespace scoville::fit {

const char* embedded_engine_support();

namespace {

using config::Node;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool holds(const std::vector<std::string>& list, const std::string& word) {
  return !word.empty() && std::find(list.begin(), list.end(), word) != list.end();
}

SupportFact read_fact(const Node& node, const std::map<std::string, Node>& sources) {
  SupportFact out;
  out.engine = node.text("engine");
  out.devices = node.maybe_texts("on");
  out.quantisations = node.maybe_texts("quantisation");
  out.architectures = node.maybe_texts("architecture");
  out.loads = node.choice("loads", {"no", "yes"}) == 0 ? Loads::no : Loads::yes;
  out.note = node.text_or("note", "");
  out.source = node.text("source");
  if (const auto named = sources.find(out.source); named != sources.end()) {
    out.version = named->second.text_or("version", "");
    out.date = named->second.text_or("date", "");
    out.source = named->second.text("address");
  }
  return out;
}

/// What all of them say together.
Loads verdict_of(const std::vector<const SupportFact*>& facts) {
  Loads out = Loads::unknown;
  for (const SupportFact* each : facts) {
    if (out != Loads::unknown && out != each->loads) return Loads::unknown;
    out = each->loads;
  }
  return out;
}

}  // namespace

std::string_view name_of(Loads loads) {
  constexpr std::array<std::string_view, 3> kNames{"unknown", "no", "yes"};
  return kNames[static_cast<std::size_t>(loads)];
}

std::string family_of(const std::string& architecture) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kBeginnings{{{"llama4", "llama4"},
                                                                                       {"llama", "llama"},
                                                                                       {"mistral", "mistral"},
                                                                                       {"mixtral", "mixtral"},
                                                                                       {"qwen2moe", "qwen2-moe"},
                                                                                       {"qwen2", "qwen2"},
                                                                                       {"qwen3moe", "qwen3-moe"},
                                                                                       {"qwen3next", "qwen3-next"},
                                                                                       {"qwen3for", "qwen3"},
                                                                                       {"gemma2", "gemma2"},
                                                                                       {"gemma3n", "gemma3n"},
                                                                                       {"gemma3", "gemma3"},
                                                                                       {"gemmafor", "gemma"},
                                                                                       {"phi3", "phi3"},
                                                                                       {"phifor", "phi"},
                                                                                       {"deepseekv3", "deepseek-v3"},
                                                                                       {"deepseekv2", "deepseek-v2"},
                                                                                       {"deepseek2", "deepseek-v2"},
                                                                                       {"internlm2", "internlm2"},
                                                                                       {"baichuan", "baichuan"},
                                                                                       {"chatglm", "chatglm"},
                                                                                       {"glm4moe", "glm4-moe"},
                                                                                       {"glm4", "glm4"},
                                                                                       {"gptoss", "gpt-oss"},
                                                                                       {"minicpm", "minicpm"}}};
  const std::string name = lower(architecture);
  if (name == "qwen3" || name == "gemma" || name == "phi") return name;
  for (const auto& [beginning, family] : kBeginnings) {
    if (name.starts_with(beginning)) return std::string(family);
  }
  return "";
}

std::string quantisation_of(const ModelShape& shape) {
  const std::string stored = lower(shape.quantisation);
  if (stored.empty()) return "";
  if (stored == "none") return "none";
  if (stored == "compressed-tensors" || stored == "modelopt" || stored == "quark") {
    return shape.format.is_weight_only ? stored + "-w4a16" : stored + "-" + shape.format.name;
  }
  if (stored == "modelslim" || stored == "ascend") return "modelslim";
  if (stored.starts_with("q") && stored.size() > 2 && std::isdigit(static_cast<unsigned char>(stored[1])))
    return "gguf-" + stored;
  if (stored.starts_with("iq") || stored.starts_with("tq") || stored == "f16" || stored == "f32" || stored == "bf16")
    return "gguf-" + stored;
  return stored == "fbgemm_fp8" ? "fp8" : stored;
}

std::vector<std::string> SupportTable::engines() const {
  std::vector<std::string> out;
  for (const SupportFact& each : facts_) {
    if (!holds(out, each.engine)) out.push_back(each.engine);
  }
  return out;
}

SupportAnswer SupportTable::ask(const std::string& engine, const Device& device, const ModelShape& shape) const {
  const std::string architecture = family_of(shape.architecture), quantisation = quantisation_of(shape);
  std::vector<const SupportFact*> exact, on_quantisation, on_architecture;
  SupportAnswer out;
  for (const SupportFact& each : facts_) {
    if (each.engine != engine || (!holds(each.devices, device.vendor) && !holds(each.devices, device.family))) continue;
    const bool is_any_gguf = quantisation.starts_with("gguf-") && holds(each.quantisations, "gguf");
    const bool says_quantisation = holds(each.quantisations, quantisation) || is_any_gguf;
    const bool says_architecture = holds(each.architectures, architecture);
    if (says_quantisation && says_architecture)
      exact.push_back(&each);
    else if (says_quantisation && each.architectures.empty())
      on_quantisation.push_back(&each);
    else if (says_architecture && each.quantisations.empty())
      on_architecture.push_back(&each);
    else
      continue;
    out.facts.push_back(each);
  }
  out.quantisation = verdict_of(exact.empty() ? on_quantisation : exact);
  out.architecture = verdict_of(exact.empty() ? on_architecture : exact);
  if (out.quantisation == Loads::no || out.architecture == Loads::no)
    out.loads = Loads::no;
  else if (out.quantisation == Loads::yes && out.architecture == Loads::yes)
    out.loads = Loads::yes;
  return out;
}

Result<SupportTable> parse_support(const std::string& yaml, const std::string& where) {
  const Result<Node> root = Node::parse(yaml, where);
  if (!root) return root.error();
  std::map<std::string, Node> sources;
  for (const auto& [id, node] : root->map("sources").entries()) {
    for (const char* key : {"address", "version", "date"}) node.maybe_text(key);
    sources.emplace(id, node);
  }
  std::vector<SupportFact> facts;
  for (const Node& each : root->list("facts")) facts.push_back(read_fact(each, sources));
  return root->finish(SupportTable(std::move(facts)));
}

const SupportTable& built_in_support() {
  static const SupportTable kAll = [] {
    Result<SupportTable> read = parse_support(embedded_engine_support(), "data/engine_support.yaml");
    SCOVILLE_CHECK(read.ok(), "the built-in table of engine support must be readable");
    return std::move(*read);
  }();
  return kAll;
}

}  // namespace scoville::fit
