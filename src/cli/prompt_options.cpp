#include "cli/prompt_options.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "dataset/dialogue_rows.hpp"
#include "dataset/generated.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::uint32_t kDefaultInput = 512, kDefaultOutput = 128, kDefaultTurnInput = 128;
constexpr std::size_t kMostTokens = dataset::LengthDistribution::kLongest;
constexpr double kMostSpread = 0.999;
constexpr std::size_t kGenerated = 4096;  // chains, where nobody says how many; they come again with other words
constexpr const char* kPrefixRepetition = "prefix_repetition";
constexpr const char* kSharedPrefix = "generated-shared-prefix";

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// Uniform from L(1 − R) to L(1 + R), both included, where L is a constant.
Status spread_out(std::optional<dataset::LengthDistribution>& lengths, std::uint32_t fallback, double spread) {
  if (lengths && !lengths->is_constant()) return usage(say(Msg::spread_needs_constant, lengths->to_string()));
  constexpr double rounding = 1e-9;  // 100 · (1 − 0.7) is 30.000000000000004 in a double
  const double length = lengths ? *lengths->least() : fallback;
  const double least = std::ceil(length * (1 - spread) - rounding * length);
  const double most = std::floor(length * (1 + spread) + rounding * length);
  if (most > dataset::LengthDistribution::kLongest) return usage(say(Msg::spread_needs_constant, length));
  lengths = dataset::LengthDistribution::uniform(static_cast<std::uint32_t>(std::max(least, 1.0)),
                                                 static_cast<std::uint32_t>(most));
  return Done{};
}

auto lengths_into(std::optional<dataset::LengthDistribution>& target) {
  return [&target](std::string_view given) -> Status {
    auto parsed = dataset::parse_lengths(given);
    if (!parsed) return parsed.error();
    target = *parsed;
    return Done{};
  };
}

/// "512x512".
Status read_size(std::string_view given, dataset::ImageOptions& images) {
  constexpr std::size_t kMost = 8192;
  const std::size_t by = given.find('x');
  if (by == std::string_view::npos) return usage(say(Msg::expected_pixels));
  const auto width = parse_count(given.substr(0, by), 1, kMost), height = parse_count(given.substr(by + 1), 1, kMost);
  if (!width || !height) return usage(say(Msg::expected_pixels));
  images.width = static_cast<std::uint32_t>(*width);
  images.height = static_cast<std::uint32_t>(*height);
  return Done{};
}

/// No more turns than `most`, and this pause before each but the first, where one was said.
void limit_chains(dataset::Workload& workload, std::size_t most, std::optional<Nanos> think) {
  for (dataset::WorkloadChain& chain : workload.chains) {
    if (chain.turns.size() > most) chain.turns.resize(most);
    for (std::size_t turn = 1; think && turn < chain.turns.size(); ++turn) chain.turns[turn].think = *think;
  }
}

std::uint32_t tokens(std::size_t given, std::uint32_t fallback) {
  return given ? static_cast<std::uint32_t>(given) : fallback;
}

}  // namespace

std::uint64_t fresh_salt() {
  std::uint64_t salt = 0;
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = static_cast<std::uint64_t>(wall_now().count());
  return salt;
}

void PromptOptions::declare(Parameters& parameters) {
  parameters.under(Group::prompts);
  declare_lengths(parameters);
  declare_file(parameters);
  declare_shapes(parameters);
  declare_prefixes(parameters);
  per_request_.declare(parameters);
}

void PromptOptions::declare_lengths(Parameters& parameters) {
  parameters.add({"--random-input-len", "LEN", Msg::flag_input_len, "512", lengths_into(plan_.input)});
  parameters.add({"--random-output-len", "LEN", Msg::flag_output_len, "128", lengths_into(plan_.output)});
  parameters.add({"--length-spread", "R", Msg::flag_length_spread, "0", [this](std::string_view given) -> Status {
                    const Result<double> spread = parse_number(given, 0, kMostSpread);
                    if (!spread) return spread.error();
                    spread_ = *spread;
                    return Done{};
                  }});
  parameters.add({"--seq-dist", "PAIRS", Msg::flag_seq_dist, "", [this](std::string_view given) -> Status {
                    auto pairs = dataset::parse_length_pairs(given);
                    if (!pairs) return pairs.error();
                    plan_.pairs = std::move(*pairs);
                    return Done{};
                  }});
}

void PromptOptions::declare_file(Parameters& parameters) {
  parameters.add({"--dataset-name", "NAME", Msg::flag_dataset_name, "", [this](std::string_view given) -> Status {
                    const bool is_made = given == "random" || given == kPrefixRepetition || given == kSharedPrefix;
                    if (!is_made && !dataset::format_from(given)) {
                      return usage(say(Msg::expected_choice, std::string("random, ") + kPrefixRepetition + ", " +
                                                                 kSharedPrefix + ", " + dataset::format_names()));
                    }
                    name_ = given;
                    return Done{};
                  }});
  parameters.text("--dataset-path", "FILE", Msg::flag_dataset_path, path_);
  parameters.toggle("--shuffle", Msg::flag_shuffle, is_shuffled_);
  parameters.toggle("--multi-turn", Msg::flag_multi_turn, is_multi_turn_);
  parameters.count("--max-turns", Msg::flag_max_turns, max_turns_, 1, 100000);
  parameters.maybe_duration("--think-time", Msg::flag_think_time, think_, Nanos::zero());
  parameters.count("--sharegpt-output-len", Msg::flag_sharegpt_output_len, output_tokens_, 1, kMostTokens);
  parameters.count("--custom-output-len", Msg::flag_custom_output_len, output_tokens_, 1, kMostTokens);
  parameters.choice("--prune", Msg::flag_prune, {"vllm"}, "", [this](std::size_t) { plan_.prunes_like_vllm = true; });
  parameters.count("--context-limit", Msg::flag_context_limit, context_limit_, 1, kMostTokens);
}

void PromptOptions::declare_shapes(Parameters& parameters) {
  parameters.count("--turns", Msg::flag_turns, turns_, 1, 10000);
  parameters.add({"--turn-input-len", "LEN", Msg::flag_turn_input_len, "128", lengths_into(turn_input_)});
  parameters.count("--images-per-request", Msg::flag_images, images_, 1, 64);
  parameters.add({"--image-size", "WxH", Msg::flag_image_size, "512x512",
                  [this](std::string_view given) { return read_size(given, plan_.images); }});
}

void PromptOptions::declare_prefixes(Parameters& parameters) {
  const auto flag = [&](const char* name, Msg help, const char* fallback, std::size_t& target, std::size_t most) {
    parameters.add({name, "N", help, fallback, [&target, most](std::string_view given) -> Status {
                      const Result<std::size_t> value = parse_count(given, 1, most);
                      if (!value) return value.error();
                      target = *value;
                      return Done{};
                    }});
  };
  flag("--prefix-repetition-prefix-len", Msg::flag_prefix_len, "256", prefix_tokens_, kMostTokens / 2);
  flag("--prefix-repetition-suffix-len", Msg::flag_suffix_len, "256", suffix_tokens_, kMostTokens / 2);
  flag("--prefix-repetition-num-prefixes", Msg::flag_num_prefixes, "10", prefixes_, 1000000);
  flag("--prefix-repetition-output-len", Msg::flag_prefix_output_len, "128", prefix_output_, kMostTokens);
  flag("--gsp-prompts-per-group", Msg::flag_prompts_per_group, "16", per_group_, 1000000);
}

bool PromptOptions::makes_prefixes() const { return name_ == kPrefixRepetition || name_ == kSharedPrefix; }

bool PromptOptions::has_prefix_flags() const {
  return prefix_tokens_ || suffix_tokens_ || prefixes_ || prefix_output_ || per_group_;
}

std::uint32_t PromptOptions::default_max_tokens() const {
  const bool has_rows = plan_.file && !plan_.file->workload();
  return has_rows ? plan_.output->least().value_or(kDefaultOutput) : 0;
}

const dataset::Workload* PromptOptions::trace() const {
  const dataset::Workload* lengths = plan_.file ? plan_.file->workload() : nullptr;
  return lengths && dataset::has_times(*lengths) ? lengths : nullptr;
}

Status PromptOptions::settle(std::uint64_t seed, std::size_t requests) {
  plan_.seed = seed;
  plan_.salt = fresh_salt();
  plan_.rows = requests;
  plan_.images.per_request = static_cast<std::uint32_t>(images_);
  plan_.think = think_.value_or(Nanos::zero());
  if (output_tokens_) plan_.output_tokens = static_cast<std::uint32_t>(output_tokens_);
  if (context_limit_) plan_.context_limit = static_cast<std::uint32_t>(context_limit_);
  if (Status good = check_synthetic(); !good) return good;
  if (Status good = check_file(); !good) return good;
  if (Status good = settle_lengths(); !good) return good;
  if (!path_.empty()) {
    if (Status read = read_file(); !read) return read;
  }
  if (makes_prefixes()) settle_prefixes(requests);
  if (turns_ > 0) settle_turns(requests);
  return per_request_.settle(plan_);
}

void PromptOptions::send_lengths(std::shared_ptr<const dataset::Workload> lengths, text::Phrase description) {
  plan_.generated = std::move(lengths);
  plan_.generated_description = std::move(description);
}

Status PromptOptions::check_synthetic() const {
  if (makes_prefixes() ? turns_ > 0 || images_ > 0 || plan_.pairs : has_prefix_flags()) {
    return usage(say(Msg::prefix_needs_name));
  }
  const bool has_other_lengths = plan_.input || plan_.output || spread_ || turns_ > 0;
  if (plan_.pairs && has_other_lengths) return usage(say(Msg::pairs_alone));
  if (images_ > 0 && (turns_ > 0 || !path_.empty())) return usage(say(Msg::images_need_random));
  if ((turns_ > 0 && !path_.empty()) || (turn_input_ && turns_ == 0)) return usage(say(Msg::turns_need_random));
  return Done{};
}

Status PromptOptions::check_file() const {
  const bool is_made = name_ == "random" || makes_prefixes();
  if (path_.empty()) {
    if (!name_.empty() && !is_made) return usage(say(Msg::dataset_needs_path, name_));
    if (is_shuffled_) return usage(say(Msg::shuffle_needs_path));
    if (is_multi_turn_ || max_turns_ > 0) return usage(say(Msg::multi_turn_needs));
    if (output_tokens_ || plan_.prunes_like_vllm) return usage(say(Msg::output_len_needs_file));
    return Done{};
  }
  if (is_made) return usage(say(Msg::dataset_takes_no_path, name_));
  if (spread_ || plan_.pairs) return usage(say(Msg::spread_needs_synthetic));
  if (plan_.output && !plan_.output->is_constant()) return usage(say(Msg::dataset_output_constant));
  return Done{};
}

Status PromptOptions::settle_lengths() {
  if (spread_) {
    if (Status spread = spread_out(plan_.input, kDefaultInput, *spread_); !spread) return spread;
    if (Status spread = spread_out(plan_.output, kDefaultOutput, *spread_); !spread) return spread;
  }
  if (!plan_.output) plan_.output = dataset::LengthDistribution::constant(kDefaultOutput);
  return Done{};
}

Status PromptOptions::read_file() {
  dataset::ReadOptions reading;
  if (!name_.empty()) reading.format = dataset::format_from(name_);
  reading.is_multi_turn = is_multi_turn_;
  Result<dataset::Dataset> read = dataset::read_dataset(path_, reading);
  if (!read) return usage(read.error().message);
  auto* dialogues = std::get_if<dataset::Dialogues>(&read->content);
  auto* lengths = std::get_if<dataset::Workload>(&read->content);
  if (is_multi_turn_ && !dialogues && !(lengths && read->format == dataset::Format::workload)) {
    return usage(say(Msg::multi_turn_needs));
  }
  if (plan_.prunes_like_vllm && !dialogues && !lengths) return usage(say(Msg::prune_needs_conversations));
  const std::size_t most = max_turns_ ? max_turns_ : std::numeric_limits<std::size_t>::max();
  if (dialogues) dataset::limit_turns(*dialogues, is_multi_turn_ ? most : 1);
  if (lengths) limit_chains(*lengths, most, think_);
  if (is_shuffled_) dataset::shuffle(*read, plan_.seed);
  plan_.file = std::make_shared<dataset::Dataset>(std::move(*read));
  return Done{};
}

void PromptOptions::settle_prefixes(std::size_t requests) {
  const bool is_sglang = name_ == kSharedPrefix;
  dataset::SharedPrefix shape;
  shape.prefixes = tokens(prefixes_, is_sglang ? 64 : 10);
  shape.prefix_tokens = tokens(prefix_tokens_, is_sglang ? 2048 : 256);
  shape.suffix_tokens = tokens(suffix_tokens_, is_sglang ? 128 : 256);
  shape.output_tokens = tokens(prefix_output_, is_sglang ? 256 : kDefaultOutput);
  if (per_group_ || is_sglang) default_requests_ = std::size_t{shape.prefixes} * (per_group_ ? per_group_ : 16);
  const std::size_t wanted = requests ? requests : std::max(default_requests_, kGenerated);
  plan_.generated = std::make_shared<dataset::Workload>(
      dataset::shared_prefix_workload(shape, std::min<std::size_t>(wanted, 1000000), plan_.seed));
  plan_.generated_description =
      text::phrase(Msg::shared_prefix_prompts, shape.prefixes, shape.prefix_tokens, shape.suffix_tokens);
}

void PromptOptions::settle_turns(std::size_t requests) {
  dataset::SyntheticTurns shape;
  shape.turns = static_cast<std::uint32_t>(turns_);
  if (plan_.input) shape.first_input = *plan_.input;
  shape.later_input = turn_input_.value_or(dataset::LengthDistribution::constant(kDefaultTurnInput));
  shape.output = *plan_.output;
  shape.think = plan_.think;
  const std::size_t chains = requests ? (requests + turns_ - 1) / turns_ : kGenerated;
  plan_.generated = std::make_shared<dataset::Workload>(
      dataset::turns_workload(shape, std::min<std::size_t>(chains, 1000000), plan_.seed));
  plan_.generated_description =
      text::phrase(Msg::turn_prompts, turns_, shape.first_input.to_string(), shape.later_input.to_string());
}

}  // namespace scoville::cli
