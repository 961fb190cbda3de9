#include "decide/gate_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "base/json.hpp"
#include "decide/model_identity.hpp"
#include "decide/workload.hpp"
#include "plan/plan_json.hpp"

namespace scoville::decide {
namespace {

/// Where each side has a text of its own.
FieldRule text_field(const char* key, FieldClass field_class, std::string (*of)(const Setup&)) {
  return {key, field_class,
          [of](const Arm& base, const Arm& candidate) { return read_texts(of(base.setup), of(candidate.setup)); }};
}

FieldRule group_field(const char* key, FieldClass field_class, bool (*belongs)(std::string_view)) {
  return {key, field_class, [belongs](const Arm& base, const Arm& candidate) {
            return read_group(base.setup, candidate.setup, belongs);
          }};
}

/// Some members of an object that a plan is written as, in their order; those that are null are left out.
std::string members(const json::object& all, std::initializer_list<std::string_view> keys) {
  json::object some;
  for (const std::string_view key : keys) {
    const json::value* const found = all.if_contains(key);
    if (found && !found->is_null()) some[key] = *found;
  }
  return compact(some);
}

std::string arrivals(const Setup& setup) {
  return setup.load.has_schedule() ? compact(plan::to_json(setup.load).at("arrivals")) : "no schedule";
}
std::string concurrency(const Setup& setup) {
  return setup.load.max_concurrency ? std::to_string(setup.load.max_concurrency) : "no cap";
}
std::string requests(const Setup& setup) {
  const std::string count = setup.load.num_prompts ? fmt::format("{} requests", setup.load.num_prompts) : "";
  const std::string time = setup.load.duration ? format_duration(*setup.load.duration) : "";
  return count.empty() || time.empty() ? count + time : count + ", " + time;
}
std::string warmup(const Setup& setup) {
  return setup.load.finds_warmup ? "found from the run" : fmt::format("{} requests", setup.load.num_warmups);
}
std::string failures(const Setup& setup) {
  return members(plan::to_json(setup.load), {"timeouts_ns", "retries", "slot_waits_for_body"});
}
std::string beside(const Setup& setup) {
  const plan::LoadPlan& load = setup.load;
  if (load.cancel.share <= 0 && !load.probe_rate) return "nothing";
  return members(plan::to_json(load), {"cancel_share", "cancel_after_ns", "probe_rate_per_s"});
}
std::string sampling(const Setup& setup) {
  return members(plan::to_json(setup.shape), {"max_tokens", "ignore_eos", "n", "temperature", "top_p", "extra_body"});
}
std::string dialect(const Setup& setup) { return std::string(plan::name_of(setup.shape.dialect)); }
std::string limits(const Setup& setup) { return compact(plan::to_json(setup.limits)); }
std::string dataset(const Setup& setup) {
  const std::string name = setup.dataset.empty() ? "" : setup.dataset + ", ";
  return name + fmt::format("{:016x}, seed {}", setup.dataset_hash, setup.seed);
}
std::string client_host(const Setup& setup) { return setup.client; }
std::string client_threads(const Setup& setup) { return std::to_string(setup.load.threads); }
std::string client_version(const Setup& setup) { return setup.version; }
std::string tokenizer(const Setup& setup) { return setup.system.text("model.tokenizer_sha256"); }
std::string devices(const Setup& setup) {
  const std::optional<int> count = devices_of(setup);
  return count ? std::to_string(*count) : "";
}
std::string slices(const Setup& setup) { return slice_of(setup.system); }

std::string percent(std::optional<double> share) { return share ? fmt::format("{:+.1f} %", *share * 100) : ""; }

/// `share` is candidate ÷ base − 1; unknown where a side does not count.
Reading within(std::optional<double> share, double tolerance) {
  if (!share) return {};
  const FieldState state = std::fabs(*share) > tolerance ? FieldState::different : FieldState::equal;
  return {state, percent(0), percent(share)};
}

Reading prompt_tokens(const Arm& base, const Arm& candidate) {
  return within(workload_difference(base, candidate).prompt, kPromptTolerance);
}
Reading output_tokens(const Arm& base, const Arm& candidate) {
  return within(workload_difference(base, candidate).output, kOutputTolerance);
}

/// Mean share of prompt tokens that came from a cache; empty where a run does not tell.
std::optional<double> cached_share(const Arm& arm) {
  double sum = 0;
  for (const ArmRun& run : arm.runs) {
    if (!run.statistics.cached_share) return std::nullopt;
    sum += *run.statistics.cached_share;
  }
  if (arm.runs.empty()) return std::nullopt;
  return sum / static_cast<double>(arm.runs.size());
}

/// What was really cached tells more than the settings: caches that did equally much are equal, whatever they are
/// called. Where a server does not count, its settings tell.
Reading prefix_cache(const Arm& base, const Arm& candidate) {
  const std::optional<double> ours = cached_share(base), theirs = cached_share(candidate);
  if (!ours || !theirs) return read_group(base.setup, candidate.setup, is_prefix_cache);
  const bool differs = std::fabs(*theirs - *ours) > kCachedTolerance;
  const auto shown = [](double share) { return fmt::format("{:.1f} % cached", share * 100); };
  return {differs ? FieldState::different : FieldState::equal, shown(*ours), shown(*theirs)};
}

bool begins(std::string_view key, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return key.starts_with(start); });
}

bool ends(std::string_view key, std::initializer_list<std::string_view> lasts) {
  return std::any_of(lasts.begin(), lasts.end(), [&](std::string_view last) { return key.ends_with(last); });
}

bool is_device(std::string_view key) {
  return (key.starts_with("device.") && ends(key, {".name", ".memory_mib"})) || key == "engine.runtime.devices";
}
bool is_power_cap(std::string_view key) { return key.starts_with("device.") && key.ends_with(".power_limit_w"); }
bool is_driver(std::string_view key) {
  return begins(key, {"driver.", "firmware."}) || key == "engine.runtime.driver" ||
         (key.starts_with("device.") && ends(key, {".firmware", ".vbios"}));
}
bool is_runtime(std::string_view key) {
  return key.starts_with("runtime.") ||
         (key.starts_with("engine.runtime.") && ends(key, {".cuda", ".cudnn", ".rocm", ".hip"}));
}
bool is_framework(std::string_view key) {
  return key.starts_with("framework.") || (key.starts_with("engine.runtime.") && ends(key, {".torch", ".python"}));
}
bool is_engine(std::string_view key) { return begins(key, {"engine.name", "engine.version", "engine.build"}); }
bool is_other_flag(std::string_view key) {
  return key.starts_with("engine.flags.") && !is_precision(key) && !is_parallelism(key) && !is_speculation(key) &&
         !is_prefix_cache(key);
}
bool is_os(std::string_view key) { return key.starts_with("os.") && key != "os.kernel_tuning"; }
bool is_host(std::string_view key) { return begins(key, {"cpu.", "memory.", "machine.", "os.kernel_tuning"}); }
bool is_network(std::string_view key) { return begins(key, {"network.", "rdma.", "pci.nic"}); }
bool is_container(std::string_view key) { return begins(key, {"container.", "cgroup."}); }
bool is_topology(std::string_view key) { return key.starts_with("topology."); }
bool is_variable(std::string_view key) { return begins(key, {"env.", "engine.env."}); }

}  // namespace

const std::vector<FieldRule>& field_rules() {
  using enum FieldClass;
  static const std::vector<FieldRule> all{
      {"model", must_equal,
       [](const Arm& base, const Arm& candidate) { return read_model(base.setup, candidate.setup); }},
      text_field("model.tokenizer", must_equal, tokenizer),
      text_field("dataset", must_equal, dataset),
      {"prompt_tokens", must_equal, prompt_tokens},
      {"output_tokens", must_equal, output_tokens},
      text_field("request.dialect", must_equal, dialect),
      text_field("request.sampling", must_equal, sampling),
      text_field("load.arrivals", must_equal, arrivals),
      text_field("load.concurrency", must_equal, concurrency),
      text_field("load.requests", must_equal, requests),
      text_field("load.warmup", must_equal, warmup),
      text_field("load.failures", must_equal, failures),
      text_field("load.beside", must_equal, beside),
      text_field("limits", must_equal, limits),
      {"prefix_cache", must_equal, prefix_cache},
      text_field("client.version", must_equal, client_version),
      text_field("client.host", must_equal, client_host),
      text_field("client.threads", must_equal, client_threads),
      text_field("device.slice", must_equal, slices),
      text_field("device.count", normalise, devices),
      group_field("device", subject, is_device),
      group_field("device.power_cap", subject, is_power_cap),
      group_field("driver", subject, is_driver),
      group_field("runtime", subject, is_runtime),
      group_field("framework", subject, is_framework),
      group_field("engine", subject, is_engine),
      group_field("engine.flags", subject, is_other_flag),
      group_field("precision", subject, is_precision),
      group_field("parallelism", subject, is_parallelism),
      group_field("speculation", subject, is_speculation),
      group_field("os", subject, is_os),
      group_field("host", record, is_host),
      group_field("topology", record, is_topology),
      group_field("network", record, is_network),
      group_field("container", record, is_container),
      group_field("variables", record, is_variable),
  };
  return all;
}

}  // namespace scoville::decide
