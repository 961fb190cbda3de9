#include "cli/probe_options.hpp"

#include <filesystem>

#include "cli/environment_block.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "text/catalogue/probe.hpp"

namespace scoville::cli {
namespace {

using text::ProbeMsg;
using text::say;

bool is_program(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

}  // namespace

void ProbeOptions::declare(Parameters& parameters) {
  parameters.under(Group::target);
  parameters.text("--device", "NAME", ProbeMsg::flag_device, device_);
  parameters.text("--probe", "PROGRAM", ProbeMsg::flag_probe, probe_);
  Parameter load{"--load", "LIB", ProbeMsg::flag_load, "", [this](std::string_view given) -> Status {
                   load_.emplace_back(given);
                   return Done{};
                 }};
  load.is_repeatable = true;
  parameters.add(std::move(load));
  parameters.count("--threads", ProbeMsg::flag_threads, threads_, 0, 4096);
  parameters.duration("--silence", ProbeMsg::flag_silence, silence_, std::chrono::milliseconds(100));
  parameters.under(Group::none);
}

Result<std::vector<std::string>> ProbeOptions::words() const {
  const bool is_of_cpu = device_.empty() || device_ == "cpu";
  const std::string who = !probe_.empty() ? probe_ : is_of_cpu ? usual_ : "torch";
  if (who != "cpu" && who != "torch") {
    std::vector<std::string> words;
    for (const std::string_view word : split(who, " ")) words.emplace_back(word);
    if (words.empty()) return Error{ErrorCode::invalid_argument, "--probe: " + say(ProbeMsg::expected_probe)};
    return words;
  }
  Result<std::string> program = sibling("scoville-" + who);
  if (!program && probe_.empty() && is_of_cpu && !instead_.empty()) program = sibling("scoville-" + instead_);
  if (!program) return program.error();
  std::vector<std::string> words{*program};
  for (const std::string& library : load_) words.insert(words.end(), {"--load", library});
  return words;
}

Result<std::unique_ptr<probe::Session>> ProbeOptions::open() const {
  Result<std::vector<std::string>> program = words();
  if (!program) return program.error();
  auto session = std::make_unique<probe::Session>(std::move(*program));
  session->stop_on(stop_requested());
  session->on_progress([line = std::make_shared<LiveLine>()](const probe::Progress& told) {
    if (line->is_due()) line->show(say(ProbeMsg::asking_part, "probe", told.done, told.of, told.note));
  });
  return session;
}

probe::Request ProbeOptions::request(std::string ask, json::object params) const {
  if (threads_ > 0) params["threads"] = threads_;
  return {std::move(ask), device_, std::move(params), silence_};
}

Result<std::string> sibling(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  if (!failed && is_program(here / name)) return (here / name).string();
  const environment::Variables variables = environment_block();
  const auto path = variables.find("PATH");
  for (const std::string_view folder : split(path == variables.end() ? "" : path->second, ":")) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (is_program(candidate)) return candidate.string();
  }
  const auto sentence = name == "scoville-torch" ? ProbeMsg::not_built : ProbeMsg::not_found;
  return Error{ErrorCode::not_found, say(sentence, name)};
}

}  // namespace scoville::cli
