#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <thread>

#include "base/file.hpp"
#include "cli/command.hpp"
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
    parameters_.add({"--rule", "NAME", PortabilityMsg::flag_rule, "", taking(only_), true});
    parameters_.toggle("--detail", PortabilityMsg::flag_detail, shows_places_);
    parameters_.text("--vendor", "NAME", PortabilityMsg::flag_vendor, vendor_);
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
      earlier = *std::move(read);
    }
    Result<portability::Tree> tree = portability::walk(paths_);
    if (!tree) return usage(tree.error());
    if (tree->files.empty() && tree->skipped.empty())
      return usage(
          {ErrorCode::invalid_argument, say(PortabilityMsg::nothing_read, fmt::format("{}", fmt::join(paths_, ", ")))});
    const portability::Matcher matcher(*own);
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    portability::Survey survey = portability::survey(matcher, paths_, *std::move(tree), threads);
    portability::keep_only(survey, *own, vendor_, only_);
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

  Status names_are_known(const portability::RuleSet& set) const {
    std::vector<std::string> ids;
    std::set<std::string> vendors;
    for (const portability::Rule& each : set.rules) {
      ids.push_back(each.id);
      vendors.insert(each.vendor);
    }
    for (const std::string& each : only_) {
      if (set.find(each)) continue;
      const std::string near = text::nearest(each, ids);
      return Error{ErrorCode::invalid_argument, near.empty() ? say(PortabilityMsg::rule_unknown, each)
                                                             : say(PortabilityMsg::rule_nearest, each, near)};
    }
    if (!vendor_.empty() && !vendors.contains(vendor_))
      return Error{ErrorCode::invalid_argument,
                   say(PortabilityMsg::vendor_unknown, vendor_, fmt::format("{}", fmt::join(vendors, ", ")))};
    return Done{};
  }

  Exit show(const portability::RuleSet& set, const portability::Survey& survey,
            const std::optional<portability::Earlier>& earlier) const {
    report::PortabilityReport report{&set, &survey, portability::summarise(survey, set), std::nullopt,
                                     shows_places_ || !only_.empty()};
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

  std::vector<std::string> paths_, only_;
  std::string vendor_, rules_file_, against_;
  std::optional<std::size_t> max_findings_;
  bool shows_places_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_portability() { return std::make_unique<Portability>(); }

}  // namespace scoville::cli
