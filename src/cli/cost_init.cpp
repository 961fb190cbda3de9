#include <cstdio>

#include "base/new_file.hpp"
#include "cli/command.hpp"
#include "cost/defaults.hpp"
#include "text/catalogue/cost.hpp"

namespace scoville::cli {
namespace {

using text::CostMsg;
using text::say;

/// `scoville cost init`: a template to fill in.
class CostInit final : public Command {
 public:
  CostInit() {
    parameters_.choice("--region", CostMsg::flag_region, {"default", "cn"}, "default",
                       [this](std::size_t place) { region_ = place == 0 ? "default" : "cn"; });
    parameters_.text("-o,--output", "FILE", CostMsg::flag_output, output_);
  }

  std::string name() const override { return "cost init"; }
  text::Msg summary() const override { return CostMsg::init_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville cost init > study.yaml", "scoville cost init --region cn --lang zh -o study.yaml"};
  }

  Exit run() override {
    const bool is_chinese = text::language() == text::Language::chinese;
    const std::string content = cost::study_template(region_, is_chinese).value_or("");
    if (output_.empty()) {
      std::fputs(content.c_str(), stdout);
      return Exit::fine;
    }
    if (Status written = write_new_file(output_, content); !written) {
      complain(written.error().message);
      return Exit::failed;
    }
    std::puts(output_.c_str());
    return Exit::fine;
  }

 private:
  std::string region_ = "default", output_;
};

}  // namespace

std::unique_ptr<Command> make_cost_init() { return std::make_unique<CostInit>(); }

}  // namespace scoville::cli
