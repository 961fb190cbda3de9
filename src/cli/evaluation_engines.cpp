#include "cli/evaluation_engines.hpp"

#include "cli/set_words.hpp"
#include "evaluate/steps.hpp"

namespace scoville::cli {

/// One server of ours: scripted, or an engine with the flags that started it.
struct EvaluationEngines::Started {
  std::string url;
  TemporaryFolder folder;
  std::optional<BuiltInEndpoint> scripted;
  TargetOptions target;
  LaunchOptions launch;
  Parameters launch_parameters, target_parameters;
  std::optional<LaunchedEngine> engine;
};

EvaluationEngines::EvaluationEngines(const evaluate::Plan& plan, const StoreOptions& store, bool is_dry)
    : plan_(plan), store_(store), is_dry_(is_dry) {}
EvaluationEngines::~EvaluationEngines() = default;

Result<std::string> EvaluationEngines::start_scripted(std::size_t system) {
  auto one = std::make_unique<Started>();
  Result<BuiltInEndpoint> endpoint = BuiltInEndpoint::start(one->folder, {"ttft=20ms,itl=1ms", false, true});
  if (!endpoint) return endpoint.error();
  one->scripted.emplace(std::move(*endpoint));
  one->url = one->scripted->url();
  return (started_[system] = std::move(one))->url;
}

Result<std::string> EvaluationEngines::start_launched(std::size_t system) {
  const evaluate::System& wanted = plan_.systems[system];
  auto one = std::make_unique<Started>();
  one->launch.declare(one->launch_parameters);
  one->target.declare(one->target_parameters);
  if (Status set = set_words(one->launch_parameters, evaluate::launch_words(wanted.launch)); !set) return set.error();
  if (!wanted.model.empty()) one->target.set_model(wanted.model);
  if (Status settled = one->launch.settle(one->target, 1); !settled) return settled.error();
  if (Status settled = one->target.settle(); !settled) return settled.error();
  one->engine.emplace(one->launch, one->target, store_);
  if (Status ready = one->engine->start(); !ready) return std::move(ready.error()).within(wanted.name);
  const Result<wire::Url> base = one->target.base();
  if (!base) return base.error();
  one->url = base->to_string();
  return (started_[system] = std::move(one))->url;
}

Result<std::string> EvaluationEngines::address(std::size_t system) {
  if (const auto found = started_.find(system); found != started_.end()) return found->second->url;
  if (is_dry_) return start_scripted(system);
  if (!plan_.systems[system].launch.any()) return plan_.systems[system].endpoint;
  return start_launched(system);
}

std::optional<Error> EvaluationEngines::loss() const {
  for (const auto& [system, one] : started_) {
    if (!one->engine) continue;
    if (std::optional<Error> lost = one->engine->loss()) return std::move(*lost).within(plan_.systems[system].name);
  }
  return std::nullopt;
}

}  // namespace scoville::cli
