#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "base/file.hpp"
#include "cli/command.hpp"
#include "dataset/workload_file_write.hpp"
#include "report/workload.hpp"
#include "workload/read_log.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville workload learn`: real traffic into a workload.
class WorkloadLearn final : public Command {
 public:
  WorkloadLearn() {
    Positional files{"FILE", Msg::learn_word_files, [this](std::string_view given) -> Status {
                       files_.emplace_back(given);
                       return Done{};
                     }};
    files.takes_many = true;
    parameters_.add(std::move(files));
    parameters_.text("-o,--output", "FILE", Msg::flag_learn_output, output_);
    parameters_.choice("--format", Msg::flag_learn_format, {"requests", "openai", "access-log"}, "",
                       [this](std::size_t place) { read_.format = static_cast<workload::LogFormat>(place); });
    parameters_.number("--tokens-per-char", Msg::flag_tokens_per_char, learn_.tokens_per_char, 0.001, 10);
    parameters_.count("--input-tokens", Msg::flag_learn_input, input_tokens_, 1, 10'000'000);
    parameters_.text("--session-field", "NAME", Msg::flag_session_field, read_.session_field);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "workload learn"; }
  Msg summary() const override { return Msg::learn_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville workload learn requests.jsonl -o workload.jsonl",
            "scoville workload learn access.log -o workload.jsonl --input-tokens 800",
            "scoville workload learn gateway-1.jsonl gateway-2.jsonl -o workload.jsonl --session-field metadata.chat"};
  }

  Exit run() override {
    if (output_.empty()) return failed({ErrorCode::invalid_argument, say(Msg::learn_output_missing)}, Exit::usage);
    Result<std::vector<workload::SourceFile>> files = read_files();
    if (!files) return failed(files.error(), Exit::failed);
    learn_.assumed_input = static_cast<std::uint32_t>(input_tokens_);
    const workload::Learned learned = workload::learn(std::move(*files), learn_);
    const std::string sources = fmt::format("{}", fmt::join(files_, ", "));
    if (learned.requests == 0) {
      if (learned.bad > 0) {
        complain(say(Msg::learned_bad, learned.bad, learned.first_bad_file, learned.first_bad.line,
                     learned.first_bad.reason));
      }
      return failed({ErrorCode::not_found, say(Msg::learn_nothing, sources)}, Exit::failed);
    }
    if (const Status written = write_file(output_, dataset::workload_lines(learned.workload, sources)); !written) {
      return failed(written.error(), Exit::failed);
    }
    std::fputs(as_json_ ? pretty(report::workload_json(learned, output_)).c_str()
                        : report::workload_table(learned, output_).c_str(),
               stdout);
    if (!as_json_) std::fprintf(stderr, "%s\n", say(Msg::learned_written, output_).c_str());
    return Exit::fine;
  }

 private:
  static Exit failed(const Error& error, Exit how) {
    complain(error.message);
    return how;
  }

  Result<std::vector<workload::SourceFile>> read_files() const {
    const workload::SaltedHash hash;  // one for all, so that what files share is seen
    std::vector<workload::SourceFile> out;
    for (const std::string& name : files_) {
      const Result<std::string> content = read_file(name);
      if (!content) return content.error();
      Result<workload::LogRows> rows = workload::read_log(name, *content, hash, read_);
      if (!rows) return rows.error();
      out.push_back({name, std::move(*rows)});
    }
    return out;
  }

  std::vector<std::string> files_;
  std::string output_;
  workload::ReadOptions read_;
  workload::LearnOptions learn_;
  std::size_t input_tokens_ = 512;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_workload_learn() { return std::make_unique<WorkloadLearn>(); }

}  // namespace scoville::cli
