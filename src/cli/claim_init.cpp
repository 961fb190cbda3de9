#include <cstdio>
#include <filesystem>

#include "base/new_file.hpp"
#include "claim/draft.hpp"
#include "cli/command.hpp"
#include "config/node.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::cli {
namespace {

using text::ClaimMsg;
using text::Msg;
using text::say;

constexpr std::size_t kLongestSentence = 4000;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// `scoville claim init`: a sentence that somebody said, as a file to be completed, and the questions that complete it.
class ClaimInit final : public Command {
 public:
  ClaimInit() {
    parameters_.add(Positional{"SENTENCE", ClaimMsg::word_sentence, [this](std::string_view given) -> Status {
                                 if (given.empty() || given.size() > kLongestSentence)
                                   return usage(say(ClaimMsg::expected_sentence));
                                 draft_.sentence = given;
                                 return Done{};
                               }});
    parameters_.text("--url", "URL", ClaimMsg::flag_url, draft_.url);
    parameters_.text("--who", "NAME", ClaimMsg::flag_who, draft_.party);
    parameters_.choice("--role", ClaimMsg::flag_role, claim::role_names(), "",
                       [this](std::size_t place) { draft_.role = static_cast<claim::Role>(place); });
    parameters_.add({"--date", "DATE", ClaimMsg::flag_date, "", [this](std::string_view given) -> Status {
                       if (!config::is_date(given)) return usage(say(ClaimMsg::expected_date));
                       draft_.date = given;
                       return Done{};
                     }});
    parameters_.text("-o,--output", "FILE", ClaimMsg::flag_output, output_);
  }

  std::string name() const override { return "claim init"; }
  Msg summary() const override { return ClaimMsg::init_summary; }
  std::vector<std::string> examples() const override {
    return {
        "scoville claim init 'X is up to 2.1x faster than Y in FP8' --url https://example.com/x --who X --role vendor"};
  }

  Exit run() override {
    const std::string yaml = draft_yaml(draft_, claim::recognise(draft_.sentence));
    Result<config::Node> root = config::Node::parse(yaml, output_);
    if (!root) return failed(root.error());
    const claim::Claim claim = claim::read_claim(root->map("claim"));
    if (const Status sound = root->finish(); !sound) return failed(sound.error());
    if (const Status written = write(yaml); !written) return failed(written.error());
    std::fputs(claim::questions(claim).c_str(), stdout);
    std::fprintf(stderr, "%s\n", say(ClaimMsg::written, output_).c_str());
    return Exit::fine;
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  Status write(const std::string& yaml) const {
    std::error_code ignored;
    if (std::filesystem::exists(output_, ignored)) return Error{ErrorCode::io, say(ClaimMsg::file_exists, output_)};
    return write_new_file(output_, yaml);
  }

  claim::Draft draft_;
  std::string output_ = "claim.yaml";
};

}  // namespace

std::unique_ptr<Command> make_claim_init() { return std::make_unique<ClaimInit>(); }

}  // namespace scoville::cli
