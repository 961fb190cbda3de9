#include "cli/sweep_options.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kFewestRequests = 130,
                      kEachUser = 10;  // what a P95 takes; so that ramp and drain are the lesser part
constexpr std::size_t kMostRuns = 10000;
constexpr std::size_t kLongest = 1 << 20;
constexpr double kMostUserRate = 1e6;
constexpr const char* kShortAnswer = "4";  // tokens: what comes after the first is not asked about

/// Of a load: what belongs to a whole job, a replay or a ramp, which have no grid.
constexpr std::array<std::string_view, 7> kNotTaken{"--offline",        "--trace-speed",      "--self-timed",
                                                    "--fixed-schedule", "--ramp-up-strategy", "--ramp-up-start-rps",
                                                    "--ramp-up-end-rps"};

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// Sets a flag of a load as the command line would.
Status set_flag(const Parameters& flags, std::string_view name, const std::string& value) {
  for (const Parameter& each : flags.all()) {
    if (each.name != name) continue;
    Status set = each.set(value);
    return set ? set : usage(say(Msg::flag_bad_value, name, value, set.error().message));
  }
  SCOVILLE_CHECK(false, "a load has this flag");
  return Done{};
}

std::string value_of(const decide::Choices& choices, std::string_view name) {
  for (const auto& each : choices) {
    if (each.first == name) return each.second;
  }
  return "";
}

}  // namespace

void SweepOptions::declare(Parameters& parameters) {
  Parameters declared;
  target_.declare(declared);
  Parameters of_launch;
  launch_.declare(of_launch);
  for (const Parameter& each : of_launch.all()) {
    if (each.name != "--launch-each") declared.add(each);  // one engine serves all loads of a combination
  }
  declared.under(Group::system);
  system_.declare(declared);
  price_.declare(declared);
  declare_grid(declared);
  declare_load(declared);
  declare_shapes(declared);
  declare_output(declared);
  words_.record(declared, parameters);
}

void SweepOptions::declare_grid(Parameters& parameters) {
  parameters.under(Group::load);
  const auto axis = [&](const char* name, const char* value, Msg help, Result<Axis> (*parse)(std::string_view),
                        std::vector<Axis>& into) {
    Parameter one{name, value, help, "", [parse, &into](std::string_view given) -> Status {
                    Result<Axis> read = parse(given);
                    if (!read) return read.error();
                    for (const Axis& each : into) {
                      if (each.name == read->name) return usage(say(Msg::sweep_axis_twice, each.name));
                    }
                    into.push_back(std::move(*read));
                    return Done{};
                  }};
    one.is_repeatable = true;
    parameters.add(std::move(one));
  };
  axis("--vary", "NAME=LIST", Msg::sweep_flag_vary, parse_load_axis, loads_);
  axis("--vary-launch", "NAME=LIST", Msg::sweep_flag_vary_launch, parse_setting_axis, settings_);
  parameters.count("--repeats", Msg::sweep_flag_repeats, repeats_, 1, 100);
  parameters.toggle("--in-order", Msg::sweep_flag_in_order, is_in_order_);
}

void SweepOptions::declare_load(Parameters& parameters) {
  Parameters all;
  load_.declare(all);
  for (Parameter each : all.all()) {
    if (std::find(kNotTaken.begin(), kNotTaken.end(), each.name) != kNotTaken.end()) continue;
    if (each.name == "--num-prompts") each.help = Msg::sweep_flag_num_prompts;
    const auto keep_count = [&](std::size_t& into) {
      each.set = [&into, set = each.set](std::string_view given) -> Status {
        if (Status done = set(given); !done) return done;
        into = *parse_count(given, 0, std::numeric_limits<std::size_t>::max());
        return Done{};
      };
    };
    if (each.name == "--seed") keep_count(seed_);
    if (each.name == "--max-concurrency") keep_count(users_);
    parameters.add(std::move(each));
  }
}

void SweepOptions::declare_shapes(Parameters& parameters) {
  parameters.under(Group::load);
  parameters.toggle("--find-bad-shapes", Msg::sweep_flag_find_bad, finds_bad_);
  parameters.add({"--around", "LIST", Msg::sweep_flag_around, "16,64,128,256,512,1024",
                  [this](std::string_view given) { return take_around(given); }});
  parameters.count("--span", Msg::sweep_flag_span, span_, 1, 64);
  parameters.count("--per-length", Msg::sweep_flag_per_length, per_length_, 1, 50);
}

void SweepOptions::declare_output(Parameters& parameters) {
  parameters.under(Group::output);
  parameters.add({"--at-user-rate", "LIST", Msg::sweep_flag_at_user_rate, "",
                  [this](std::string_view given) { return take_at(given); }});
  parameters.text("--resume", "ID", Msg::sweep_flag_resume, resume_);
  parameters.text("--show", "ID", Msg::sweep_flag_show, show_);
  parameters.toggle("--json", Msg::flag_json, as_json_);
  store_.declare_for_writing(parameters);
  parameters.toggle("--disable-tqdm", Msg::flag_disable_tqdm, is_quiet_);
}

Status SweepOptions::take_at(std::string_view given) {
  at_.clear();
  for (const std::string_view part : split(given, ", ")) {
    const Result<double> rate = parse_number(part, 1e-3, kMostUserRate);
    if (!rate) return usage(say(Msg::sweep_expected_list));
    at_.push_back(*rate);
  }
  if (at_.empty()) return usage(say(Msg::sweep_expected_list));
  std::sort(at_.begin(), at_.end());
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
  return Done{};
}

Status SweepOptions::take_around(std::string_view given) {
  around_.clear();
  for (const std::string_view part : split(given, ", ")) {
    const Result<std::size_t> length = parse_count(part, 1, kLongest);
    if (!length) return usage(say(Msg::sweep_expected_list));
    around_.push_back(static_cast<std::uint32_t>(*length));
  }
  return around_.empty() ? Status(usage(say(Msg::sweep_expected_list))) : Status(Done{});
}

Status SweepOptions::check_resume() const {
  if (resume_.empty()) return Done{};
  if (!store_.keeps()) return usage(say(Msg::sweep_resume_needs_store));
  return finds_bad_ ? Status(usage(say(Msg::sweep_alone, "--find-bad-shapes", "--resume"))) : Status(Done{});
}

Status SweepOptions::check_company() const {
  if (!finds_bad_) {
    for (const char* flag : {"--around", "--span", "--per-length"}) {
      if (words_.has(flag)) return usage(say(Msg::sweep_bad_only, flag));
    }
    return Done{};
  }
  for (const char* flag : {"--vary", "--vary-launch", "--repeats", "--at-user-rate", "--num-prompts", "--duration",
                           "--request-rate", "--max-concurrency", "--random-input-len", "--dataset-path",
                           "--dataset-name", "--seq-dist", "--turns", "--length-spread", "--images-per-request"}) {
    if (words_.has(flag)) return usage(say(Msg::sweep_alone, "--find-bad-shapes", flag));
  }
  return Done{};
}

Status SweepOptions::check_axes() const {
  if (loads_.empty() && settings_.empty()) return usage(say(Msg::sweep_nothing_varied));
  if (!settings_.empty() && !launch_.is_wanted()) return usage(say(Msg::sweep_launch_needed));
  double runs = static_cast<double>(repeats_);
  for (const std::vector<Axis>* axes : {&loads_, &settings_}) {
    for (const Axis& each : *axes) runs *= static_cast<double>(each.values.size());
  }
  if (runs > static_cast<double>(kMostRuns)) return usage(say(Msg::sweep_too_many, runs));
  for (const Axis& each : loads_) {
    const std::string flag(flag_of_axis(each.name));
    if (words_.has(flag)) return usage(say(Msg::sweep_axis_and_flag, each.name, flag));
  }
  return Done{};
}

/// Each value of each axis once, whatever it is combined with.
Status SweepOptions::check_loads() const {
  std::set<std::pair<std::string, std::string>> tried;
  for (const decide::SweepPoint& point : plan_.points) {
    bool is_new = tried.empty();
    for (const auto& each : point.load) is_new = tried.insert(each).second || is_new;
    if (point.load.empty()) tried.emplace();
    if (!is_new) continue;
    const auto load = load_of(point.load);
    if (!load) return load.error();
    const plan::LoadPlan& plan = (*load)->plan();
    if (!plan.has_schedule() && plan.max_concurrency == 0 && value_of(point.load, "rate") != "inf")
      return usage(say(Msg::sweep_needs_load));
  }
  for (const decide::Choices& each : plan_.settings) {
    LaunchOptions launch;
    TargetOptions target;
    if (Status settled = settle_engine(each, launch, target); !settled) return settled;
  }
  return Done{};
}

Status SweepOptions::settle() {
  if (Status fits = check_company(); !fits) return fits;
  if (Status settled = system_.settle(); !settled) return settled;
  if (!launch_.is_wanted()) {  // an engine's parallel degrees tell how many devices it has
    if (Status priced = price_.settle(); !priced) return priced;
  }
  LaunchOptions launch;
  TargetOptions target;
  if (Status settled = settle_engine({}, launch, target); !settled) return settled;
  if (finds_bad_) {
    const auto load = load_of_shapes(kFewestRequests);
    return load ? Status(Done{}) : Status(load.error());
  }
  if (Status fits = check_axes(); !fits) return fits;
  plan_ = make_plan(settings_, loads_, repeats_, seed_, is_in_order_);
  plan_.at = at_;
  plan_.options = words_.to_json();
  plan_.device_hour = words_.value("--device-hour");
  return check_loads();
}

Result<std::unique_ptr<LoadOptions>> SweepOptions::load_of(const decide::Choices& load) const {
  auto out = std::make_unique<LoadOptions>(load_);
  Parameters flags;
  out->declare(flags);
  for (const auto& [axis, value] : load) {
    if (Status set = set_flag(flags, flag_of_axis(axis), value); !set) return set.error();
  }
  if (!words_.has("--num-prompts") && !words_.has("--duration")) {
    const std::string given = value_of(load, "concurrency");
    const std::size_t users = given.empty() ? users_ : *parse_count(given, 1, kMostRuns * 100);
    const std::size_t requests = std::max(kFewestRequests, kEachUser * users);
    if (Status set = set_flag(flags, "--num-prompts", std::to_string(requests)); !set) return set.error();
  }
  if (Status settled = out->settle(); !settled) return settled.error();
  return out;
}

Status SweepOptions::settle_engine(const decide::Choices& settings, LaunchOptions& launch,
                                   TargetOptions& target) const {
  launch = launch_;
  target = target_;
  if (Status varied = launch.vary(settings); !varied) return varied;
  if (Status settled = launch.settle(target, 1); !settled) return settled;
  if (Status settled = target.settle(); !settled) return settled;
  const Result<wire::Url> base = target.base();
  return base ? Status(Done{}) : Status(base.error());
}

std::vector<std::uint32_t> SweepOptions::lengths() const {
  std::set<std::uint32_t> out;
  for (const std::uint32_t around : around_) {
    for (std::uint32_t k = 0; k <= span_; ++k) {
      if (around > k) out.insert(around - k);
      out.insert(around + k);
    }
  }
  return {out.begin(), out.end()};
}

Result<std::unique_ptr<LoadOptions>> SweepOptions::load_of_shapes(std::size_t requests) const {
  auto out = std::make_unique<LoadOptions>(load_);
  Parameters flags;
  out->declare(flags);
  if (Status set = set_flag(flags, "--num-prompts", std::to_string(requests)); !set) return set.error();
  if (Status set = set_flag(flags, "--max-concurrency", "1"); !set) return set.error();
  if (!words_.has("--random-output-len")) {
    if (Status set = set_flag(flags, "--random-output-len", kShortAnswer); !set) return set.error();
  }
  if (Status settled = out->settle(); !settled) return settled.error();
  return out;
}

}  // namespace scoville::cli
