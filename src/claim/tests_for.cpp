#include "claim/tests_for.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "claim/checklist.hpp"

namespace scoville::claim {
namespace {

using text::ClaimMsg;

constexpr const char* kComparatorUrl = "'<COMPARATOR_URL>'";
constexpr const char* kSubjectUrl = "'<SUBJECT_URL>'";

/// As one word of a shell.
std::string word(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_./:,=@+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 9 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// The same for both sides, and a number: else a place to fill in.
std::string number_or(const Claim& claim, std::string_view key, std::string_view place) {
  const Said& said = claim.at(key);
  return !said.differs() && is_number(said.subject) ? said.subject : fmt::format("'<{}>'", place);
}

std::string text_or(const Claim& claim, std::string_view key, std::string_view place) {
  const Said& said = claim.at(key);
  return said.is_said() && !said.differs() ? word(said.subject) : fmt::format("'<{}>'", place);
}

/// " --max-concurrency 16" of "concurrency:16" or "batch:16", " --request-rate 20" of "rate:20".
std::string load_flag(const Claim& claim) {
  const Said& said = claim.at("workload.load");
  const std::size_t colon = said.subject.find(':');
  if (!said.differs() && colon != std::string::npos && is_number(said.subject.substr(colon + 1))) {
    const std::string kind = said.subject.substr(0, colon), count = said.subject.substr(colon + 1);
    if (kind == "rate") return " --request-rate " + count;
    if (kind == "concurrency" || kind == "batch") return " --max-concurrency " + count;
  }
  return " --max-concurrency '<CONCURRENCY>'";
}

std::string lengths(const Claim& claim) {
  return fmt::format(" --random-input-len {} --random-output-len {} --ignore-eos",
                     number_or(claim, "workload.isl", "INPUT_TOKENS"),
                     number_or(claim, "workload.osl", "OUTPUT_TOKENS"));
}

std::string model(const Claim& claim) { return " --model " + text_or(claim, "workload.model", "MODEL"); }

/// The figure of a comparison that comes nearest to the claim's metric.
std::string primary(const Claim& claim) {
  const std::string name = claim.at("metric.name").subject;
  if (name.find("ttft") != std::string::npos) return "ttft";
  if (name.find("tpot") != std::string::npos || name.find("per_user") != std::string::npos) return "tpot";
  if (name.find("latency") != std::string::npos) return "e2e";
  return "output_tokens_per_s";
}

/// The claim's limit in the words of --slo, "ttft:p99:5s"; a place to fill in for any other.
std::string slo(const Claim& claim) {
  const Said& said = claim.at("workload.slo");
  const bool is_ours =
      said.subject.starts_with("ttft:p") || said.subject.starts_with("tpot:p") || said.subject.starts_with("e2e:p");
  return is_ours && !said.differs() ? word(said.subject) : "'<SLO>'";
}

std::string duel(const Claim& claim) {
  return fmt::format(
      "scoville duel {} {}{}{}{} --num-prompts 200 --pairs 8 --primary {} --system comparator.json --b-system "
      "subject.json --tag '<TAG>'",
      kComparatorUrl, kSubjectUrl, model(claim), lengths(claim), load_flag(claim), primary(claim));
}

std::string bench(const Claim& claim) {
  return fmt::format(
      "scoville bench --base-url {}{}{}{} --num-prompts 200 --repeats 5 --system subject.json --tag '<TAG>'",
      kSubjectUrl, model(claim), lengths(claim), load_flag(claim));
}

void add_service_tests(const Claim& claim, std::vector<TestCommand>& out) {
  out.push_back({ClaimMsg::test_env, "scoville env --json -o subject.json"});
  if (!claim.is_absolute()) out.push_back({ClaimMsg::test_env_comparator, "scoville env --json -o comparator.json"});
  if (!claim.is_absolute())
    out.push_back({ClaimMsg::test_correctness, fmt::format("scoville probe correctness --base-url {} --base-url {}{}",
                                                           kComparatorUrl, kSubjectUrl, model(claim))});
  if (claim.is_absolute())
    out.push_back({ClaimMsg::test_value, bench(claim)});
  else
    out.push_back({ClaimMsg::test_duel, duel(claim)});
  if (claim.says("workload.slo") || is_about_price(claim) || !claim.says("workload.load"))
    out.push_back({ClaimMsg::test_saturate, fmt::format("scoville saturate --base-url {}{}{} --slo {}", kSubjectUrl,
                                                        model(claim), lengths(claim), slo(claim))});
  out.push_back(
      {ClaimMsg::test_sweep,
       fmt::format("scoville sweep --base-url {}{}{} --vary concurrency=1:64:x4 --at-user-rate {}", kSubjectUrl,
                   model(claim), lengths(claim), number_or(claim, "workload.interactivity", "TOKENS_PER_S_PER_USER"))});
}

}  // namespace

std::optional<std::string> measured_as(const Claim& claim) {
  const bool is_peak = claim.at("metric.kind").subject == "peak" || claim.at("metric.kind").comparator == "peak";
  if (is_about_power(claim) || is_about_price(claim) || is_peak) return std::nullopt;
  return primary(claim);
}

std::vector<TestCommand> tests_for(const Claim& claim, const std::string& file) {
  std::vector<TestCommand> out;
  const std::string place = file.empty() ? "'<CLAIM.yaml>'" : word(file);
  const bool is_peak = claim.at("metric.kind").subject == "peak";
  if (!is_peak)
    out.push_back({ClaimMsg::test_fit,
                   fmt::format("scoville fit --model-path '<MODEL_DIR>' --device {} --context {}",
                               claim.subject().empty() ? "'<DEVICE>'" : word(claim.subject()), "'<CONTEXT_TOKENS>'")});
  if (!is_peak) add_service_tests(claim, out);
  if (is_about_price(claim)) out.push_back({ClaimMsg::test_cost, "scoville cost '<COST.yaml>'"});
  if (!claim.is_absolute() && !is_peak)
    out.push_back({ClaimMsg::test_check, fmt::format("scoville claim check {} --result '<COMPARATOR_SET>' "
                                                     "--result '<SUBJECT_SET>'",
                                                     place)});
  return out;
}

}  // namespace scoville::claim
