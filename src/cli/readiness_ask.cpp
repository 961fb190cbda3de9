#include "cli/readiness_ask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "cli/target_options.hpp"
#include "run/models.hpp"
#include "text/catalogue/readiness.hpp"
#include "wire/target.hpp"

namespace scoville::cli {
namespace {

using readiness::Check;
using readiness::Item;
using readiness::Verdict;
using text::ReadinessMsg;
using text::say;

constexpr Nanos kImportTime = std::chrono::seconds(60);  // a first import compiles

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Runs a few lines of Python; the last line it prints is the version.
Check ask_python(Item item, const ReadinessQuestion& question, const std::string& script) {
  const environment::SystemTools tools(question.variables, {kImportTime, 64 << 10});
  const environment::CommandResult result = tools.run({question.python, "-c", script});
  using End = environment::CommandResult::End;
  if (result.end == End::not_found) return {item, Verdict::unknown, say(ReadinessMsg::no_python, question.python), ""};
  if (result.ok()) return {item, Verdict::yes, question.python, last_line(result.output)};
  const bool timed_out = result.end == End::timed_out;
  return {item, timed_out ? Verdict::unknown : Verdict::no, last_line(timed_out ? "timed out" : result.errors), ""};
}

constexpr const char* kTransformers = "import transformers; transformers.AutoConfig; print(transformers.__version__)";
constexpr const char* kTriton = R"python(
import sys, torch, triton, triton.language as tl
device = sys.argv[1] if len(sys.argv) > 1 else "DEVICE"
@triton.jit
def add_one(x, n: tl.constexpr):
    i = tl.arange(0, n)
    tl.store(x + i, tl.load(x + i) + 1)
x = torch.zeros(128, device=device)
add_one[(1,)](x, 128)
assert bool((x == 1).all()), "the kernel ran and computed something else"
print(triton.__version__)
)python";

/// A kernel of Triton needs its source in a file.
Check ask_triton(const ReadinessQuestion& question, const std::string& vendor) {
  if (vendor == "cpu") return {Item::triton, Verdict::unknown, say(ReadinessMsg::triton_not_cpu), ""};
  std::string source = kTriton;
  source.replace(source.find("DEVICE"), 6, question.device);
  return ask_python(
      Item::triton, question,
      fmt::format("import tempfile, runpy, os\nf = tempfile.NamedTemporaryFile('w', suffix='.py', delete=False)\n"
                  "f.write({})\nf.close()\ntry:\n    runpy.run_path(f.name)\nfinally:\n    os.unlink(f.name)",
                  compact(json::value(source))));
}

constexpr const char* kEngines[]{"vllm",   "vllm_ascend", "vllm_mlu", "vllm_metax",   "vllm_musa",
                                 "sglang", "lmdeploy",    "mindie",   "tensorrt-llm", "tensorrt_llm"};

Check installed_engine(const event::Fingerprint& machine) {
  std::string found;
  for (std::string name : kEngines) {
    const std::string version = machine.text("framework." + name);
    if (!version.empty()) found += (found.empty() ? "" : ", ") + name + " " + version;
  }
  if (found.empty()) return {Item::engine, Verdict::no, say(ReadinessMsg::no_engine), ""};
  return {Item::engine, Verdict::unknown, say(ReadinessMsg::plugin_there, found), ""};
}

Check ask_engine(const ReadinessQuestion& question, const event::Fingerprint& machine) {
  if (question.base_url.empty()) return installed_engine(machine);
  TargetOptions options;
  options.set_base_url(question.base_url);
  const auto failed = [&](const Error& error) { return Check{Item::engine, Verdict::no, error.message, ""}; };
  if (const Status settled = options.settle(); !settled) return failed(settled.error());
  const Result<wire::Url> url = options.base();
  if (!url) return failed(url.error());
  const Result<wire::Target> target = wire::make_target(*url, options.wire);
  if (!target) return failed(target.error());
  const Result<std::vector<std::string>> models = run::list_models(*target, options.shape);
  if (!models) return failed(models.error());
  const std::string names = fmt::format("{}", fmt::join(*models, ", "));
  const bool is_listed = question.model.empty() || std::ranges::find(*models, question.model) != models->end();
  if (is_listed) return {Item::engine, Verdict::yes, say(ReadinessMsg::listed, question.base_url, names), ""};
  return {Item::engine, Verdict::no, say(ReadinessMsg::not_listed, question.base_url, names, question.model), ""};
}

Check ask_image(const ReadinessQuestion& question, const event::Fingerprint& machine) {
  if (question.image.empty()) {
    const std::string kind = machine.text("container.kind");
    if (kind.empty() || kind == "none") return {Item::image, Verdict::unknown, say(ReadinessMsg::no_image), ""};
    return {Item::image, Verdict::unknown, say(ReadinessMsg::in_container, kind), ""};
  }
  const environment::SystemTools tools(question.variables, {std::chrono::seconds(5), 64 << 10});
  for (const char* tool : {"docker", "podman", "nerdctl"}) {
    const auto result = tools.run({tool, "image", "inspect", "--format", "{{index .RepoDigests 0}}", question.image});
    if (!result.ok()) continue;
    const std::string digest = last_line(result.output);
    const std::size_t at = digest.find("sha256:");
    if (at != std::string::npos) return {Item::image, Verdict::yes, tool, digest.substr(at)};
  }
  return {Item::image, Verdict::no, say(ReadinessMsg::image_not_seen, question.image), ""};
}

std::map<std::string, std::string> packages_of(const event::Fingerprint& machine) {
  std::map<std::string, std::string> packages;
  constexpr std::string_view kPrefix = "framework.";
  for (const event::FingerprintField& field : machine.fields()) {
    if (field.key.starts_with(kPrefix) && field.status == event::FieldStatus::ok) {
      packages[field.key.substr(kPrefix.size())] = machine.text(field.key);
    }
  }
  return packages;
}

}  // namespace

std::vector<Check> ask_probe(probe::Session& session, const probe::Request& request) {
  const probe::Outcome outcome = session.ask(request);
  std::vector<Check> checks;
  for (const json::object& row : outcome.rows) {
    const auto item = readiness::item_named(text_in(row, "check"));
    const auto verdict = readiness::verdict_named(text_in(row, "verdict"));
    if (item && verdict) checks.push_back({*item, *verdict, text_in(row, "evidence"), text_in(row, "version")});
  }
  if (!outcome.fault) return checks;
  // A probe that died in the middle: the step after the last row is what killed it.
  const std::size_t next = checks.size();
  const std::string words =
      say(ReadinessMsg::probe_silent, probe::name_of(outcome.fault->reason), outcome.fault->message);
  if (next < readiness::kItems && readiness::is_required(static_cast<Item>(next))) {
    checks.push_back({static_cast<Item>(next), Verdict::no, words, ""});
  }
  return checks;
}

std::string vendor_of(const json::object& description, const event::Fingerprint& machine, const std::string& device) {
  if (device == "cpu") return "cpu";
  const json::value* devices = description.if_contains("devices");
  if (devices && devices->is_array()) {
    for (const json::value& each : devices->as_array()) {
      if (!each.is_object()) continue;
      const std::string id = text_in(each.as_object(), "id");
      const std::string vendor = text_in(each.as_object(), "vendor");
      if (!vendor.empty() && (id == device || id.starts_with(device + ":"))) return vendor;
    }
  }
  return machine.text("pci.accelerator.0.vendor");
}

std::vector<Check> ask_layers(const ReadinessQuestion& question, const std::string& vendor,
                              const event::Fingerprint& machine) {
  const environment::SystemTools tools(question.variables, {std::chrono::seconds(5), 64 << 10});
  const readiness::Surroundings here{tools, packages_of(machine), readiness::library_folders("", question.variables)};
  std::vector<Check> checks{ask_python(Item::transformers, question, kTransformers),
                            ask_engine(question, machine),
                            ask_image(question, machine),
                            {Item::telemetry, Verdict::unknown, say(ReadinessMsg::no_telemetry), ""}};
  for (const Item layer : {Item::compiler, Item::operator_library, Item::communication_library, Item::profiler}) {
    checks.push_back(readiness::find_layer(layer, vendor, question.ways, here));
  }
  checks.push_back(ask_triton(question, vendor));
  return checks;
}

}  // namespace scoville::cli
