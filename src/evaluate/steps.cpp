#include "evaluate/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/sha256.hpp"

namespace scoville::evaluate {
namespace {

using Words = std::vector<std::string>;

void add(Words& into, std::initializer_list<std::string> words) { into.insert(into.end(), words); }

void add_if(Words& into, const char* flag, const std::string& value) {
  if (!value.empty()) add(into, {flag, value});
}

std::string written(Nanos span) { return fmt::format("{}ms", to_millis(span)); }

bool is_live(const System& system) { return !system.endpoint.empty() || system.launch.any(); }
bool can_share(const System& system) { return is_live(system) && !(system.launch.any() && system.is_alone); }
/// Both answer at the same time, in one dialect: that is what `duel` and `probe correctness` take.
bool can_meet(const System& a, const System& b) { return can_share(a) && can_share(b) && a.dialect == b.dialect; }

/// What is said of a system; `prefix`: "--" or "--b-".
void add_system(Words& into, const System& system, const std::string& prefix) {
  if (!system.fingerprint.empty()) add(into, {prefix + "system", system.fingerprint});
  if (!system.model_path.empty()) add(into, {prefix + "model-path", system.model_path});
  for (const auto& [name, value] : system.engine_args) add(into, {prefix + "engine-arg", name + "=" + value});
}

void add_target(Words& into, const System& system) {
  if (!system.model.empty()) add(into, {"--model", system.model});
  if (system.dialect != plan::Dialect::openai) add(into, {"--dialect", std::string(plan::name_of(system.dialect))});
  add_if(into, "--api-key-file", system.api_key_file);
}

/// How long one run takes at least.
std::optional<Nanos> length_of(const Workload& workload) {
  std::optional<Nanos> out = workload.duration;
  if (workload.rate && workload.requests) {
    const Nanos issued(static_cast<std::int64_t>(static_cast<double>(*workload.requests) / *workload.rate * 1e9));
    out = out ? std::min(*out, issued) : issued;
  }
  return out;
}

std::optional<Nanos> times(std::optional<Nanos> length, std::size_t runs) {
  if (!length) return std::nullopt;
  return *length * static_cast<std::int64_t>(runs);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : ",") + each;
  return out;
}

Step duel_of(const Plan& plan, const std::string& key, const Workload& workload, std::size_t candidate) {
  const System &base = plan.systems.front(), &other = plan.systems[candidate];
  Step out;
  out.stage = Stage::serving;
  out.id = fmt::format("serving {} {} {}", workload.name, base.name, other.name);
  out.workload = workload.name;
  out.candidate = other.name;
  out.live = {0, candidate};
  out.words = {"duel", url_of(base), url_of(other)};
  add_target(out.words, base);
  if (other.model != base.model) add_if(out.words, "--b-model", other.model);
  add_system(out.words, base, "--");
  add_system(out.words, other, "--b-");
  const Words load = load_words(workload);
  out.words.insert(out.words.end(), load.begin(), load.end());
  add_if(out.words, "--subject", joined(plan.subject));
  add_if(out.words, "--allow", joined(plan.allow));
  add(out.words, {"--primary", workload.slos.empty() ? "output_tokens_per_s" : "goodput_per_s"});
  const std::string tag = tag_of(plan, key, workload, other);
  add(out.words, {"--pairs", std::to_string(plan.pairs), "--tag", tag});
  out.tags = {tag + "-a", tag + "-b"};
  out.runs = 2 * plan.pairs;
  out.requests = workload.requests.value_or(0);
  out.estimate = times(length_of(workload), 2 * plan.pairs);
  return out;
}

/// A system measured by itself: there is nothing to pair it with, or its engine cannot run beside another.
Step bench_of(const Plan& plan, const std::string& key, const Workload& workload, std::size_t place) {
  const System& system = plan.systems[place];
  Step out;
  out.stage = Stage::serving;
  out.id = fmt::format("serving {} {}", workload.name, system.name);
  out.workload = workload.name;
  out.candidate = place == 0 ? "" : system.name;
  out.words = {"bench"};
  if (system.is_alone && system.launch.any()) {
    const Words launch = launch_words(system.launch);
    out.words.insert(out.words.end(), launch.begin(), launch.end());
  } else {
    add(out.words, {"--base-url", url_of(system)});
    out.live = {place};
  }
  add_target(out.words, system);
  add_system(out.words, system, "--");
  const Words load = load_words(workload);
  out.words.insert(out.words.end(), load.begin(), load.end());
  if (system.devices > 0) add(out.words, {"--devices", std::to_string(system.devices)});
  const std::string tag = tag_of(plan, key, workload, system);
  add(out.words, {"--repeats", std::to_string(plan.repeats), "--tag", tag});
  out.tags = {tag};
  out.runs = plan.repeats;
  out.requests = workload.requests.value_or(0);
  out.estimate = times(length_of(workload), plan.repeats);
  return out;
}

Step correctness_of(const Plan& plan, const std::string& key, std::size_t candidate) {
  const System &base = plan.systems.front(), &other = plan.systems[candidate];
  const Correctness& asked = plan.correctness;
  Step out;
  out.stage = Stage::correctness;
  out.id = fmt::format("correctness {} {}", base.name, other.name);
  out.candidate = other.name;
  out.live = {0, candidate};
  out.words = {"probe", "correctness", "--base-url", url_of(base), "--base-url", url_of(other)};
  for (const System* each : {&base, &other}) {
    if (!base.model.empty() || !other.model.empty()) add(out.words, {"--model", each->model});
  }
  if (base.dialect != plan::Dialect::openai) add(out.words, {"--dialect", std::string(plan::name_of(base.dialect))});
  add_if(out.words, "--tasks", asked.tasks);
  add_if(out.words, "--dataset-path", asked.prompts);
  if (asked.num_prompts) add(out.words, {"--num-prompts", std::to_string(*asked.num_prompts)});
  if (asked.max_tokens) add(out.words, {"--max-tokens", std::to_string(*asked.max_tokens)});
  if (asked.concurrency) add(out.words, {"--max-concurrency", std::to_string(*asked.concurrency)});
  if (asked.accuracy_target && !asked.tasks.empty())
    add(out.words, {"--accuracy-target", fmt::format("{}", *asked.accuracy_target)});
  if (asked.agreement_target) add(out.words, {"--agreement-target", fmt::format("{}", *asked.agreement_target)});
  const std::string tag = fmt::format("{}-{}-correctness-{}", plan.name, key, other.name);
  add(out.words, {"--tag", tag});
  out.tags = {tag};
  return out;
}

void add_serving(const Plan& plan, Agenda& agenda) {
  if (plan.workloads.empty()) agenda.not_run.push_back({Stage::serving, "", WhyNot::no_workload});
  for (const Workload& workload : plan.workloads) {
    const System& base = plan.systems.front();
    const bool has_base = base.runs.contains(workload.name);
    bool needs_base = !has_base && plan.systems.size() == 1;
    for (std::size_t i = 1; i < plan.systems.size(); ++i) {
      const System& other = plan.systems[i];
      const bool has_other = other.runs.contains(workload.name);
      if (!has_base && !has_other && can_meet(base, other)) {
        agenda.steps.push_back(duel_of(plan, agenda.key, workload, i));
        continue;
      }
      needs_base = needs_base || !has_base;
      if (has_other) continue;
      if (is_live(other))
        agenda.steps.push_back(bench_of(plan, agenda.key, workload, i));
      else
        agenda.not_run.push_back({Stage::serving, other.name, WhyNot::not_live});
    }
    if (needs_base && is_live(base)) agenda.steps.push_back(bench_of(plan, agenda.key, workload, 0));
    if (needs_base && !is_live(base)) agenda.not_run.push_back({Stage::serving, "", WhyNot::not_live});
  }
}

void add_correctness(const Plan& plan, Agenda& agenda) {
  if (plan.systems.size() == 1) agenda.not_run.push_back({Stage::correctness, "", WhyNot::one_system});
  for (std::size_t i = 1; i < plan.systems.size(); ++i) {
    if (can_meet(plan.systems.front(), plan.systems[i]))
      agenda.steps.push_back(correctness_of(plan, agenda.key, i));
    else
      agenda.not_run.push_back({Stage::correctness, plan.systems[i].name, WhyNot::not_live});
  }
}

/// Eight digits that stay as they are while what is measured does.
std::string key_of(const Plan& plan) {
  std::string all;
  for (const System& each : plan.systems) {
    Words words = launch_words(each.launch);
    add(words, {each.name, each.endpoint});
    add_target(words, each);
    add_system(words, each, "--");
    all += shell_line(words) + "\n";
  }
  for (const Workload& each : plan.workloads) all += each.name + " " + shell_line(load_words(each)) + "\n";
  return sha256(all).substr(0, 8);
}

}  // namespace

std::string_view name_of(WhyNot why) {
  constexpr std::array<std::string_view, 4> names{"other_version", "not_live", "no_workload", "one_system"};
  return names[static_cast<std::size_t>(why)];
}

std::string url_of(const System& system) {
  return system.endpoint.empty() ? "{url of " + system.name + "}" : system.endpoint;
}

std::string tag_of(const Plan& plan, const std::string& key, const Workload& workload, const System& system) {
  return fmt::format("{}-{}-{}-{}", plan.name, key, workload.name, system.name);
}

std::vector<std::string> launch_words(const LaunchWords& launch) {
  Words out;
  add_if(out, "--launch", launch.command);
  add_if(out, "--launch-preset", launch.preset);
  for (const auto& [name, value] : launch.settings) add(out, {"--launch-set", name + "=" + value});
  for (const auto& [name, value] : launch.variables) add(out, {"--launch-env", name + "=" + value});
  for (const std::string& each : launch.arguments) add(out, {"--launch-arg", each});
  add_if(out, "--ready", launch.ready);
  return out;
}

std::vector<std::string> load_words(const Workload& workload) {
  Words out;
  if (workload.requests) add(out, {"--num-prompts", std::to_string(*workload.requests)});
  if (workload.duration) add(out, {"--duration", written(*workload.duration)});
  if (workload.concurrency) add(out, {"--max-concurrency", std::to_string(*workload.concurrency)});
  if (workload.rate) add(out, {"--request-rate", fmt::format("{}", *workload.rate)});
  add_if(out, "--random-input-len", workload.input);
  add_if(out, "--random-output-len", workload.output);
  add_if(out, "--dataset-path", workload.dataset);
  if (workload.ignores_eos) add(out, {"--ignore-eos"});
  if (!workload.slos.empty()) add(out, {"--goodput"});
  for (const plan::Slo& each : workload.slos) {
    const std::string_view name = each.metric == plan::SloMetric::e2e ? "e2el" : plan::name_of(each.metric);
    add(out, {fmt::format("{}:{}", name, written(each.limit))});
  }
  out.insert(out.end(), workload.flags.begin(), workload.flags.end());
  return out;
}

Agenda make_agenda(const Plan& plan) {
  Agenda out;
  out.key = key_of(plan);
  for (const Stage stage : plan.stages) {
    if (stage == Stage::correctness) add_correctness(plan, out);
    if (stage == Stage::serving) add_serving(plan, out);
    if (!is_measured_here(stage)) out.not_run.push_back({stage, "", WhyNot::other_version});
  }
  return out;
}

std::string runs_of(const Plan& plan, const Agenda& agenda, const Workload& workload, std::size_t place) {
  const System& system = plan.systems[place];
  if (const auto given = system.runs.find(workload.name); given != system.runs.end()) return given->second;
  for (const Step& each : agenda.steps) {
    if (each.stage != Stage::serving || each.workload != workload.name) continue;
    const bool is_its_own = each.candidate == (place == 0 ? "" : system.name);
    if (each.tags.size() == 1 && is_its_own) return each.tags[0];
    if (each.tags.size() == 2 && place == 0) return each.tags[0];
    if (each.tags.size() == 2 && each.candidate == system.name) return each.tags[1];
  }
  return "";
}

Plan rehearsal_of(Plan plan) {
  plan.pairs = plan.repeats = 2;
  plan.correctness.num_prompts = std::min<std::size_t>(4, plan.correctness.num_prompts.value_or(4));
  for (System& each : plan.systems) {
    each.dialect = plan::Dialect::openai;
    each.model.clear();
    if (!each.runs.empty()) continue;
    each.launch = {};
    each.is_alone = false;
    if (each.endpoint.empty()) each.endpoint = "{rehearsal of " + each.name + "}";
  }
  for (Workload& each : plan.workloads) {
    each.requests = std::min<std::size_t>(16, each.requests.value_or(16));
    each.duration.reset();
    if (each.rate) each.rate = std::max(*each.rate, 16.0);
  }
  return plan;
}

std::string shell_line(const Words& words) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace scoville::evaluate
