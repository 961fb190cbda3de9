#include <cstdio>

#include "cli/command.hpp"
#include "matrix/read.hpp"
#include "report/matrix.hpp"
#include "report/scenario.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::cli {
namespace {

using matrix::Study;
using text::MatrixMsg;
using text::Msg;
using text::say;

/// `scoville matrix FILE`: a matrix that was filled in by hand, decided.
class MatrixDecide final : public Command {
 public:
  MatrixDecide() {
    parameters_.add(Positional{"FILE", MatrixMsg::word_file, [this](std::string_view given) -> Status {
                                 file_ = given;
                                 return Done{};
                               }});
    parameters_.toggle("--detail", MatrixMsg::flag_detail, detail_);
    parameters_.toggle("--markdown", MatrixMsg::flag_markdown, as_markdown_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "matrix"; }
  Msg summary() const override { return MatrixMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville matrix examples/matrix/hold.yaml", "scoville matrix examples/matrix/hold.yaml --detail"};
  }

  Exit run() override {
    const Result<config::Node> root = config::Node::load(file_);
    if (!root) return refuse(root.error());
    const Result<Study> study = matrix::read_study(*root, matrix::folder_of(file_));
    if (!study) return refuse(study.error());
    const matrix::Matrix decided = matrix::decide(study->inputs);
    std::fputs(as_json_ ? json_of(*study, decided).c_str() : text_of(*study, decided).c_str(), stdout);
    switch (decided.overall) {
      case matrix::Overall::adopt:
      case matrix::Overall::pilot:
        return Exit::fine;
      case matrix::Overall::reject:
        return Exit::gate;
      case matrix::Overall::hold:
        break;
    }
    return Exit::cannot_tell;
  }

 private:
  Exit refuse(const Error& error) const {
    complain(error.message);
    return Exit::usage;
  }

  static std::optional<report::RankingView> ranked(const Study& study) {
    std::vector<matrix::Arm> arms;
    for (const matrix::ArmValues& each : study.arms) arms.push_back(*matrix::make_arm(*study.scenario, each).arm);
    std::optional<matrix::Ranking> ranking = matrix::rank(std::move(arms), study.scenario->weights());
    if (!ranking) return std::nullopt;
    return report::RankingView{*std::move(ranking), *study.scenario, study.ahp};
  }

  static std::string json_of(const Study& study, const matrix::Matrix& decided) {
    json::object out{{"schema", "scoville.matrix/1"}};
    for (auto& [key, value] : report::matrix_json(decided)) out[key] = value;
    out["ranking"] = nullptr;
    if (!study.arms.empty()) {
      if (const auto view = ranked(study)) out["ranking"] = report::ranking_json(*view);
    }
    out["mix"] = study.mix ? json::value(report::mix_json(*study.mix)) : json::value(nullptr);
    return pretty(out);
  }

  std::string text_of(const Study& study, const matrix::Matrix& decided) const {
    if (as_markdown_) return report::matrix_markdown(decided);
    std::string out = report::matrix_table(decided, detail_);
    if (!study.arms.empty()) {
      const auto view = ranked(study);
      out += "\n" + (view ? report::ranking_table(*view, detail_) : say(MatrixMsg::ranking_none) + "\n");
    }
    return study.mix ? out + "\n" + report::mix_lines(*study.mix) : out;
  }

  std::string file_;
  bool detail_ = false, as_markdown_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_matrix() { return std::make_unique<MatrixDecide>(); }

}  // namespace scoville::cli
