#include "cli/arm_options.hpp"

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "run/models.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kMostArms = 2;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

void repeatable(Parameters& parameters, const char* name, const char* value, Msg help,
                std::vector<std::string>& target) {
  Parameter parameter{name, value, help, "", [&target](std::string_view given) -> Status {
                        if (given.empty()) return usage(say(Msg::expected_text));
                        target.emplace_back(given);
                        return Done{};
                      }};
  parameter.is_repeatable = true;
  parameters.add(std::move(parameter));
}

/// The one given for all, or the one for this arm, or none.
std::string one_of(const std::vector<std::string>& given, std::size_t place) {
  if (given.empty()) return "";
  return given.size() == 1 ? given.front() : given[place];
}

}  // namespace

void ArmOptions::declare(Parameters& parameters, Msg model_help) {
  parameters.under(Group::target);
  repeatable(parameters, "--base-url", "URL", Msg::flag_arm_url, urls_);
  repeatable(parameters, "--model", "NAME", model_help, models_);
  repeatable(parameters, "--api-key-file", "FILE", Msg::flag_arm_key_file, key_files_);
  shared_.declare_shared(parameters);
  parameters.under(Group::system);
  repeatable(parameters, "--system", "FILE", Msg::flag_arm_system, system_files_);
  repeatable(parameters, "--model-path", "PATH", Msg::flag_arm_model_path, model_paths_);
  systems_[0].declare_engine_arg_of(parameters, false);
  systems_[1].declare_engine_arg_of(parameters, true);
  parameters.under(Group::none);
}

Status ArmOptions::settle_counts() const {
  if (urls_.empty()) return usage(say(Msg::base_url_missing));
  if (urls_.size() > kMostArms) return usage(say(Msg::correct_arms_wrong));
  const auto fits = [&](const char* flag, const std::vector<std::string>& given) -> Status {
    if (given.size() <= 1 || given.size() == urls_.size()) return Done{};
    return usage(say(Msg::correct_per_arm, flag, given.size()));
  };
  if (Status fine = fits("--model", models_); !fine) return fine;
  if (Status fine = fits("--api-key-file", key_files_); !fine) return fine;
  // One machine or one folder named for both would be a claim about the other, so each is named.
  const auto has_each = [&](const char* flag, const std::vector<std::string>& given) -> Status {
    if (given.empty() || given.size() == urls_.size()) return Done{};
    return usage(say(Msg::correct_per_arm_exact, flag, given.size(), urls_.size()));
  };
  if (Status fine = has_each("--system", system_files_); !fine) return fine;
  return has_each("--model-path", model_paths_);
}

Status ArmOptions::settle() {
  if (Status fine = settle_counts(); !fine) return fine;
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    TargetOptions target = shared_.for_arm(urls_[i], one_of(models_, i), one_of(key_files_, i));
    if (Status settled = target.settle(); !settled) return settled;
    if (Result<wire::Url> base = target.base(); !base) return usage(base.error().message);
    if (target.shape.dialect != plan::Dialect::openai && target.shape.dialect != plan::Dialect::openai_completions)
      return usage(say(Msg::correct_dialect, plan::name_of(target.shape.dialect)));
    SystemOptions& system = systems_[i];
    system.set(one_of(system_files_, i), one_of(model_paths_, i));
    if (Status settled = system.settle(); !settled) return settled;
    targets_.push_back(std::move(target));
  }
  return Done{};
}

Result<ReadyArm> ArmOptions::open_one(std::size_t place, const run::GreedyOptions& asking,
                                      std::uint32_t max_tokens) const {
  const TargetOptions& options = targets_[place];
  Result<wire::Target> base = wire::make_target(*options.base(), options.wire);
  if (!base) return base.error();
  plan::RequestShape shape = options.shape;
  shape.max_tokens = max_tokens;
  if (shape.model.empty()) {
    Result<std::string> model = run::first_model(*base, shape);
    if (!model) return model.error();
    shape.model = *model;
  }
  wire::Target target = *base;
  Result<wire::Url> url = options.generation_url(*load::make_dialect(shape.dialect));
  if (!url) return url.error();
  target.url = *url;
  ReadyArm arm{run::GreedyServer(target, shape, options.timeouts.request, asking), {}};
  const auto say_step = [](const std::string& sentence) { complain(sentence); };
  if (Status ready = arm.server.get_ready(options.ready_timeout, stop_requested(), say_step); !ready)
    return ready.error();
  HashingLine hashing;
  Result<event::Fingerprint> system = systems_[place].gather(
      *base, shape, {}, [&](std::uint64_t done, std::uint64_t total) { return hashing.show(done, total); });
  if (!system) return system.error();
  arm.system = std::move(*system);
  return arm;
}

Result<std::vector<ReadyArm>> ArmOptions::open(const run::GreedyOptions& asking, std::uint32_t max_tokens) const {
  std::vector<ReadyArm> arms;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    Result<ReadyArm> arm = open_one(i, asking, max_tokens);
    if (!arm) return arm.error();
    arms.push_back(std::move(*arm));
  }
  return arms;
}

}  // namespace scoville::cli
