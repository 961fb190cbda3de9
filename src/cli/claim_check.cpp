#include <cstdio>

#include "claim/check.hpp"
#include "cli/claim_result.hpp"
#include "cli/command.hpp"
#include "cli/runs.hpp"
#include "report/claim.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::cli {
namespace {

using text::ClaimMsg;
using text::Msg;
using text::say;

/// `scoville claim check`: what a sentence says, what stands behind it, and what it would take to know.
class ClaimCheck final : public Command {
 public:
  ClaimCheck() {
    parameters_.add(plain_positional("FILE", ClaimMsg::word_file, file_));
    parameters_.add({"--result", "NAME", ClaimMsg::flag_result, "",
                     [this](std::string_view given) -> Status {
                       if (given.empty()) return Error{ErrorCode::invalid_argument, say(Msg::expected_text)};
                       results_.emplace_back(given);
                       return Done{};
                     },
                     true});
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "claim check"; }
  Msg summary() const override { return ClaimMsg::check_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville claim check examples/claims/jalapeno.yaml",
            "scoville claim check claim.yaml --result theirs --result ours --json"};
  }

  Exit run() override {
    if (!results_.empty() && results_.size() != 2)
      return failed({ErrorCode::invalid_argument, say(ClaimMsg::expected_results)});
    const Result<claim::Claim> claim = claim::read_claim_file(file_);
    if (!claim) return failed(claim.error());
    std::vector<claim::Measured> measured;
    if (!results_.empty()) {
      Result<claim::Measured> result = measured_for(*claim, results_, store_);
      if (!result) return failed(result.error());
      measured.push_back(std::move(*result));
    }
    const claim::Check check = claim::check(*claim, measured, file_);
    std::fputs(as_json_ ? pretty(report::claim_json(check)).c_str() : report::claim_table(check).c_str(), stdout);
    switch (standing(check.ruling.verdict)) {
      case claim::Standing::stands:
        return Exit::fine;
      case claim::Standing::fails:
        return Exit::gate;
      case claim::Standing::open:
        return Exit::cannot_tell;
    }
    return Exit::failed;
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    if (error.code == ErrorCode::unsupported) return Exit::cannot_tell;
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  StoreOptions store_;
  std::string file_;
  std::vector<std::string> results_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_claim_check() { return std::make_unique<ClaimCheck>(); }

}  // namespace scoville::cli
