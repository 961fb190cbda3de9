#include <cstdio>
#include <optional>

#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"
#include "cli/environment_block.hpp"
#include "environment/capture.hpp"
#include "event/fingerprint.hpp"
#include "report/fingerprint_text.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Result<event::Fingerprint> read_fingerprint(const std::string& path) {
  Result<std::string> content = read_file(path);
  if (!content) return content.error();
  boost::system::error_code failed;
  const json::value value = json::parse(*content, failed);
  if (failed) return Error{ErrorCode::invalid_argument, say(Msg::env_base_not_json, path, failed.message())};
  Result<event::Fingerprint> print = event::Fingerprint::from_json(value);
  if (!print) return std::move(print.error()).within(path);
  return print;
}

/// `scoville env`: the fingerprint of this machine.
class Env final : public Command {
 public:
  Env() {
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    parameters_.text("-o,--output", "FILE", Msg::flag_env_output, output_file_);
    parameters_.add({"--base", "FILE", Msg::flag_env_base, "", [this](std::string_view given) -> Status {
                       Result<event::Fingerprint> base = read_fingerprint(base_name_ = given);
                       if (!base) return base.error();
                       base_ = *std::move(base);
                       return Done{};
                     }});
    parameters_.duration("--timeout", Msg::flag_env_timeout, options_.timeout, std::chrono::milliseconds(1));
    parameters_.toggle("--redact", Msg::flag_env_redact, options_.is_redacted);
    parameters_.add({"--pci-data", "FILE", Msg::flag_env_pci_data, "", [this](std::string_view given) -> Status {
                       const std::string path(given);
                       Result<std::string> yaml = read_file(path);
                       if (!yaml) return yaml.error();
                       Result<environment::PciNames> names = environment::PciNames::parse(*yaml, path);
                       if (!names) return names.error();
                       options_.pci_names.merge(*names);
                       return Done{};
                     }});
  }

  std::string name() const override { return "env"; }
  Msg summary() const override { return Msg::env_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville env", "scoville env --json -o before.json", "scoville env --base before.json --redact"};
  }

  Exit run() override {
    options_.variables = environment_block();
    const event::Fingerprint print = environment::capture(options_);
    const event::Fingerprint* const base = base_ ? &*base_ : nullptr;
    const std::string machine = pretty(report::fingerprint_json(print, base));
    if (!output_file_.empty()) {
      if (const Status written = write_file(output_file_, machine); !written) {
        complain(written.error().message);
        return Exit::failed;
      }
    }
    const std::string told = as_json_ ? machine : report::fingerprint_text(print, base, base_name_);
    std::fputs(told.c_str(), stdout);
    return Exit::fine;
  }

 private:
  environment::Options options_;
  std::optional<event::Fingerprint> base_;
  std::string base_name_, output_file_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_env() { return std::make_unique<Env>(); }

}  // namespace scoville::cli
