#include "dataset/trace_prompts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "dataset/transcript.hpp"
#include "dataset/vocabulary.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;

// Streams of random numbers apart from each other and from those of other sources. Changing one, or the way in which
// words are drawn, changes every workload: then kRecipe goes up.
constexpr std::uint64_t kBlockSalt = 0x64617461'0007, kBlockBody = 0x64617461'0008;
constexpr std::uint64_t kOwnSalt = 0x64617461'0009, kOwnBody = 0x64617461'000a, kPass = 0x64617461'000b;
constexpr int kRecipe = 1;

std::uint64_t mix(std::uint64_t value, std::uint64_t into) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return hash_bytes({bytes, sizeof bytes}, into);
}

}  // namespace

TracePrompts::TracePrompts(LengthModel model, Workload workload, TraceOptions options)
    : model_(std::move(model)),
      workload_(std::move(workload)),
      options_(std::move(options)),
      words_(model_.words, options_.seed),
      smallest_(static_cast<std::uint32_t>(
          std::max<std::int64_t>(1, model_.tokens_of(static_cast<std::int64_t>(kSaltWords))))),
      has_times_(has_times(workload_)) {
  SCOVILLE_CHECK(!workload_.chains.empty(), "a workload has chains");
  firsts_.reserve(workload_.chains.size() + 1);
  std::uint64_t requests = 0;
  for (const WorkloadChain& chain : workload_.chains) {
    firsts_.push_back(requests);
    requests += chain.turns.size();
  }
  firsts_.push_back(requests);
  hash_ = hash_of_workload();
}

std::uint64_t TracePrompts::hash_of_workload() const {
  std::uint64_t hash = hash_bytes(fmt::format("lengths {} {} {}", kRecipe, options_.seed, workload_.block_tokens));
  for (const std::string_view word : vocabulary()) hash = hash_bytes(word, hash_bytes(" ", hash));
  for (const WorkloadChain& chain : workload_.chains) {
    hash = mix(chain.at ? static_cast<std::uint64_t>(chain.at->count()) : ~std::uint64_t{0}, hash);
    for (const std::uint64_t block : chain.blocks) hash = mix(block, hash);
    for (const WorkloadTurn& turn : chain.turns) {
      hash = mix(static_cast<std::uint64_t>(turn.think.count()), hash);
      hash = mix((std::uint64_t{turn.input_tokens} << 32) | turn.output_tokens, hash);
    }
    hash = hash_bytes(chain.model + "\n", hash);
  }
  return hash;
}

TracePrompts::Place TracePrompts::place_of_chain(std::uint64_t number) const {
  return {number / workload_.chains.size(), static_cast<std::size_t>(number % workload_.chains.size())};
}

TracePrompts::Place TracePrompts::place_of_request(std::uint64_t index) const {
  const std::uint64_t within = index % firsts_.back();
  const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), within);
  return {index / firsts_.back(), static_cast<std::size_t>(after - firsts_.begin() - 1)};
}

std::uint64_t TracePrompts::first_request(const Place& place) const {
  return place.pass * firsts_.back() + firsts_[place.at];
}

Chain TracePrompts::chain(std::uint64_t number) const {
  const Place place = place_of_chain(number);
  return {first_request(place), static_cast<std::uint32_t>(workload_.chains[place.at].turns.size())};
}

std::size_t TracePrompts::words_of(const WorkloadChain& chain) const {
  const std::int64_t words = model_.words_for(std::max(chain.turns.front().input_tokens, smallest_));
  return std::max(kSaltWords, static_cast<std::size_t>(words));
}

/// Words of the part of a prompt that ends after so many tokens.
std::size_t TracePrompts::words_until(std::uint64_t tokens, std::size_t most) const {
  const auto words = static_cast<std::size_t>(model_.words_for(static_cast<std::int64_t>(tokens)));
  return std::min(words, most);
}

/// Words `begin` to `end` of a prompt, which belong together by `key`; those that lie within the first eight of the
/// prompt are drawn by the salt.
void TracePrompts::append_part(std::string& text, std::uint64_t salt_stream, std::uint64_t stream, std::uint64_t key,
                               std::size_t begin, std::size_t end) const {
  const std::size_t salted = begin < kSaltWords ? std::min(end, kSaltWords) - begin : 0;
  Rng salt(options_.salt, salt_stream, key);
  words_.append_drawn(text, salt, salted);
  words_.append(text, Rng(options_.seed, stream, key), end - begin - salted);
}

std::string TracePrompts::first_text(const Place& place, std::uint64_t& hash) const {
  const WorkloadChain& chain = workload_.chains[place.at];
  const std::size_t words = words_of(chain);
  std::string text;
  text.reserve(kFirstWord.size() + words * words_.longest_word());
  text = kFirstWord;
  hash = mix(words, mix(options_.salt, hash_bytes("prompt")));
  const std::uint64_t pass = place.pass == 0 || options_.is_generated ? 0 : Rng(options_.seed, kPass, place.pass)();
  std::size_t begin = 0;
  std::uint64_t within_template = 0;  // numbers of blocks that the template fills all by itself
  for (std::size_t i = 0; i < chain.blocks.size() && begin < words; ++i) {
    const std::size_t end = words_until((i + 1) * std::uint64_t{workload_.block_tokens}, words);
    std::uint64_t key = chain.blocks[i] ^ pass;
    if (within_template) key = mix(key, within_template);
    within_template = end == begin ? mix(key, 1) : 0;
    if (end == begin) continue;
    append_part(text, kBlockSalt, kBlockBody, key, begin, end);
    hash = mix(key, hash);
    begin = end;
  }
  if (begin == words) return text;
  const std::uint64_t request = first_request(place);
  append_part(text, kOwnSalt, kOwnBody, request, begin, words);
  hash = mix(request, mix(begin, hash));
  return text;
}

/// What the user adds in a later turn: as many tokens, one a word where lengths are exact.
std::string TracePrompts::later_text(const Place& place, std::size_t turn) const {
  const double tokens = workload_.chains[place.at].turns[turn].input_tokens;
  const auto words = static_cast<std::size_t>(std::max(1.0, tokens / model_.slope + 0.5));
  std::string text(kFirstWord);
  words_.append(text, Rng(options_.seed, kOwnBody, first_request(place) + turn), words - 1);
  return text;
}

Prompt TracePrompts::make(std::uint64_t index) const {
  const Place place = place_of_request(index);
  const WorkloadChain& chain = workload_.chains[place.at];
  Prompt prompt;
  prompt.text = first_text(place, prompt.hash);
  prompt.asked_prompt_tokens = std::max(chain.turns.front().input_tokens, smallest_);
  prompt.max_tokens = chain.turns.front().output_tokens;
  prompt.model = chain.model;
  return prompt;
}

Prompt TracePrompts::follow_up(std::uint64_t number, std::span<const std::string> answers) const {
  const Place place = place_of_chain(number);
  const WorkloadChain& chain = workload_.chains[place.at];
  SCOVILLE_CHECK(!answers.empty() && answers.size() < chain.turns.size(), "a turn follows the answers before it");
  Prompt prompt;
  Transcript transcript(options_.api);
  transcript.user(first_text(place, prompt.hash));
  for (std::size_t turn = 1; turn <= answers.size(); ++turn) {
    transcript.assistant(answers[turn - 1]);
    transcript.user(later_text(place, turn));
    prompt.hash = hash_bytes(answers[turn - 1], mix(turn, prompt.hash));
  }
  std::move(transcript).into(prompt);
  prompt.max_tokens = chain.turns[answers.size()].output_tokens;
  prompt.model = chain.model;
  return prompt;
}

Nanos TracePrompts::think_time(std::uint64_t number, std::uint32_t turn) const {
  return workload_.chains[place_of_chain(number).at].turns.at(turn).think;
}

std::optional<Nanos> TracePrompts::recorded_at(std::uint64_t number) const {
  if (!has_times_ || number >= workload_.chains.size()) return std::nullopt;
  return workload_.chains[number].at;
}

std::optional<std::uint64_t> TracePrompts::size() const {
  return options_.is_generated ? std::nullopt : std::optional(firsts_.back());
}

bool TracePrompts::shares_prefixes() const {
  return std::any_of(workload_.chains.begin(), workload_.chains.end(),
                     [](const WorkloadChain& chain) { return !chain.blocks.empty() || chain.turns.size() > 1; });
}

std::vector<Warning> TracePrompts::warnings() const {
  std::vector<Warning> found;
  const auto& chains = workload_.chains;
  const auto shorter = std::count_if(chains.begin(), chains.end(), [&](const WorkloadChain& chain) {
    return chain.turns.front().input_tokens < smallest_;
  });
  if (shorter > 0 && !options_.is_generated) {
    found.push_back(
        make_warning("prompts_lengthened", Msg::prompts_lengthened, options_.name, shorter, chains.size(), smallest_));
  }
  if (workload_.unsorted > 0) {
    found.push_back(make_warning("rows_sorted", Msg::rows_sorted, options_.name, workload_.unsorted));
  }
  return found;
}

}  // namespace scoville::dataset
