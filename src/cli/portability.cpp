#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <thread>

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "portability/difference.hpp"
#include "portability/summary.hpp"
#include "report/portability.hpp"
#include "text/catalogue/portability.hpp"
#include "text/nearest.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::PortabilityMsg;
using text::say;

/// `scoville portability`: what ties code to one vendor, where, and the portable form.
class Portability final : public Command {
 public:
  Portability() {
    parameters_.add(Positional{"PATH", PortabilityMsg::word_path, taking(paths_), true});
    parameters_.add({"--rule", "NAME", PortabilityMsg::flag_rule, "", taking(choice_.rules), true});
    parameters_.toggle("--detail", PortabilityMsg::flag_detail, shows_places_);
    parameters_.text("--vendor", "NAME", PortabilityMsg::flag_vendor, choice_.vendor);
    parameters_.text("--rules", "FILE", PortabilityMsg::flag_rules, rules_file_);
    parameters_.text("--against", "FILE", PortabilityMsg::flag_against, against_);
    parameters_.add(
        {"--max-findings", "N", PortabilityMsg::flag_max_findings, "", [this](std::string_view given) -> Status {
           const Result<std::size_t> most = parse_count(given, 0, kMostFindings);
           if (!most) return most.error();
           max_findings_ = *most;
           return Done{};
         }});
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "portability"; }
  Msg summary() const override { return PortabilityMsg::portability_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville portability src", "scoville portability . --rule cuda-string",
            "scoville portability . --json > before.json && scoville portability . --against before.json",
            "scoville portability . --max-findings 0"};
  }

  Exit run() override {
    Result<portability::RuleSet> own = rules();
    if (!own) return usage(own.error());
    if (const Status known = names_are_known(*own); !known) return usage(known.error());
    std::optional<portability::Earlier> earlier;
    if (!against_.empty()) {
      Result<portability::Earlier> read = portability::read_earlier(against_);
      if (!read) return usage(read.error());
      if (const Status same = choices_agree(read->choice); !same) return usage(same.error());
      earlier = *std::move(read);
      portability::keep_only(*earlier, *own, choice_);
    }
    Result<portability::Tree> tree = portability::walk(paths_);
    if (!tree) return usage(tree.error());
    if (tree->files.empty() && tree->skipped.empty())
      return usage(
          {ErrorCode::invalid_argument, say(PortabilityMsg::nothing_read, fmt::format("{}", fmt::join(paths_, ", ")))});
    const portability::Matcher matcher(*own);
    portability::Survey survey = read(matcher, *std::move(tree));
    portability::keep_only(survey, *own, choice_);
    return show(*own, survey, earlier);
  }

 private:
  static constexpr std::size_t kMostFindings = 1'000'000'000;

  static std::function<Status(std::string_view)> taking(std::vector<std::string>& into) {
    return [&into](std::string_view given) -> Status {
      if (given.empty()) return Error{ErrorCode::invalid_argument, say(Msg::expected_text)};
      into.emplace_back(given);
      return Done{};
    };
  }

  Result<portability::RuleSet> rules() const {
    if (rules_file_.empty()) return portability::built_in_rules();
    const Result<std::string> yaml = read_file(rules_file_);
    if (!yaml) return yaml.error();
    return portability::read_more_rules(portability::built_in_rules(), *yaml, rules_file_);
  }

  portability::Survey read(const portability::Matcher& matcher, portability::Tree tree) const {
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    LiveLine line;
    return portability::survey(matcher, paths_, std::move(tree), threads, [&](std::size_t done, std::size_t all) {
      if (line.is_due()) line.show(say(PortabilityMsg::progress_reading, done, all));
    });
  }

  /// A file that was made of a part can be compared with the same part only.
  Status choices_agree(const portability::Choice& then) const {
    const std::set<std::string> before(then.rules.begin(), then.rules.end());
    const std::set<std::string> now(choice_.rules.begin(), choice_.rules.end());
    if (then.is_all() || (then.vendor == choice_.vendor && before == now)) return Done{};
    std::string flags = then.vendor.empty() ? "" : " --vendor " + then.vendor;
    for (const std::string& each : before) flags += " --rule " + each;
    return Error{ErrorCode::invalid_argument, say(PortabilityMsg::earlier_is_part, against_, flags.substr(1))};
  }

  Status names_are_known(const portability::RuleSet& set) const {
    std::vector<std::string> ids;
    std::set<std::string> vendors;
    for (const portability::Rule& each : set.rules) {
      ids.push_back(each.id);
      vendors.insert(each.vendor);
    }
    for (const std::string& each : choice_.rules) {
      if (set.find(each)) continue;
      const std::string near = text::nearest(each, ids);
      return Error{ErrorCode::invalid_argument, near.empty() ? say(PortabilityMsg::rule_unknown, each)
                                                             : say(PortabilityMsg::rule_nearest, each, near)};
    }
    if (!choice_.vendor.empty() && !vendors.contains(choice_.vendor))
      return Error{ErrorCode::invalid_argument,
                   say(PortabilityMsg::vendor_unknown, choice_.vendor, fmt::format("{}", fmt::join(vendors, ", ")))};
    return Done{};
  }

  Exit show(const portability::RuleSet& set, const portability::Survey& survey,
            const std::optional<portability::Earlier>& earlier) const {
    report::PortabilityReport report{&set,         &survey, portability::summarise(survey, set),
                                     std::nullopt, choice_, shows_places_ || !choice_.rules.empty()};
    if (earlier) report.since = portability::difference(*earlier, portability::kept_places(survey, set), set);
    std::fputs(as_json_ ? pretty(report::portability_json(report)).c_str() : report::portability_table(report).c_str(),
               stdout);
    if (!max_findings_ || report.summary.hard() <= *max_findings_) return Exit::fine;
    complain(say(PortabilityMsg::gate_missed, report.summary.hard(), *max_findings_));
    return Exit::gate;
  }

  static Exit usage(const Error& error) {
    complain(error.message);
    return Exit::usage;
  }

  std::vector<std::string> paths_;
  portability::Choice choice_;
  std::string rules_file_, against_;
  std::optional<std::size_t> max_findings_;
  bool shows_places_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_portability() { return std::make_unique<Portability>(); }

}  // namespace scoville::cli
