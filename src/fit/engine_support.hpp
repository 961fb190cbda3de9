#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fit/devices.hpp"
#include "fit/model.hpp"

namespace scoville::fit {

enum class Loads { unknown, no, yes };
std::string_view name_of(Loads loads);

/// One published statement. Empty lists mean that it speaks of all, or of none in particular.
struct SupportFact {
  std::string engine;
  std::vector<std::string> devices;        ///< vendors or families; never empty
  std::vector<std::string> quantisations;  ///< "none", "awq", "fp8", …
  std::vector<std::string> architectures;  ///< families: "llama", "qwen3", "deepseek"
  Loads loads = Loads::unknown;
  std::string source, version, date, note;
};

/// Whether an engine loads this quantisation of this architecture on this device, and which statements say so.
struct SupportAnswer {
  Loads loads = Loads::unknown;
  Loads quantisation = Loads::unknown, architecture = Loads::unknown;
  std::vector<SupportFact> facts;
};

/// What is published on engines, devices, quantisations and architectures. What nobody says is unknown.
///
/// "yes" takes a statement on the quantisation and one on the architecture (or one on both); "no" takes one that says
/// no to either. Statements on the same question that contradict each other are "unknown".
class SupportTable {
 public:
  explicit SupportTable(std::vector<SupportFact> facts) : facts_(std::move(facts)) {}
  const std::vector<SupportFact>& facts() const { return facts_; }
  std::vector<std::string> engines() const;
  SupportAnswer ask(const std::string& engine, const Device& device, const ModelShape& shape) const;

 private:
  std::vector<SupportFact> facts_;
};

const SupportTable& built_in_support();  ///< data/engine_support.yaml
Result<SupportTable> parse_support(const std::string& yaml, const std::string& where);

/// The family that statements speak of: "LlamaForCausalLM" and "llama" are "llama". Empty for one without a name here.
std::string family_of(const std::string& architecture);
/// The name that statements use: "none", "awq", "gptq", "fp8", "w8a8", "nvfp4", "mxfp4", "gguf", "bitsandbytes", …
std::string quantisation_of(const ModelShape& shape);

}  // namespace scoville::fit
