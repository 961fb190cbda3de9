#include <fmt/ranges.h>

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cli/command.hpp"
#include "cli/evaluation_run.hpp"
#include "cli/parse.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {

void complain(const std::string& sentence) {
  std::string line = sentence;  // a server may put what it likes into its words: it stays one line, and moves no cursor
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  std::fprintf(stderr, "scoville: %s\n", line.c_str());
}

namespace {

using text::Msg;
using text::say;

text::Language language_of_environment() {
  for (const char* name : {"SCOVILLE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value && *value) return text::language_from(value);
  }
  return text::Language::english;
}

/// A step of an evaluation does not outlive it, whatever ends that: two of them would measure the same servers at once.
void follow_parent() {
  const char* const parent = std::getenv(kDiesWith);
  if (!parent) return;
  const std::string pid = parent;
  unsetenv(kDiesWith);  // what we start is ours to end
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (std::to_string(getppid()) != pid) std::_Exit(static_cast<int>(Exit::interrupted));
}

int run(int argc, char** argv) {
  follow_parent();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error of the write, not the end
  text::set_language(language_of_environment());
  take_language(argc, argv);
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_quickstart());
  commands.push_back(make_bench());
  commands.push_back(make_baseline());
  commands.push_back(make_once());
  commands.push_back(make_compare());
  commands.push_back(make_duel());
  commands.push_back(make_saturate());
  commands.push_back(make_sweep());
  commands.push_back(make_history());
  commands.push_back(make_evaluate());
  commands.push_back(make_evaluate_init());
  commands.push_back(make_claim_init());
  commands.push_back(make_claim_check());
  commands.push_back(make_cost());
  commands.push_back(make_cost_init());
  commands.push_back(make_canary());
  commands.push_back(make_probe_capacity());
  commands.push_back(make_probe_correctness());
  commands.push_back(make_probe_readiness());
  commands.push_back(make_trace());
  commands.push_back(make_probe_operators());
  commands.push_back(make_probe_shapes());
  commands.push_back(make_probe_device());
  commands.push_back(make_matrix());
  commands.push_back(make_scenario_list());
  commands.push_back(make_scenario_show());
  commands.push_back(make_next());
  commands.push_back(make_next_enter());
  commands.push_back(make_next_leave());
  commands.push_back(make_next_book());
  commands.push_back(make_next_first_token());
  commands.push_back(make_calibrate());
  commands.push_back(make_runs_list());
  commands.push_back(make_runs_show());
  commands.push_back(make_runs_tag());
  commands.push_back(make_runs_delete());
  commands.push_back(make_runs_export());
  commands.push_back(make_runs_import());
  commands.push_back(make_runs_verify());
  commands.push_back(make_env());
  commands.push_back(make_fit());
  commands.push_back(make_portability());
  commands.push_back(make_serve());
  commands.push_back(make_record());
  commands.push_back(make_workload_learn());
  Result<Parsed> parsed = parse(argc, argv, commands);
  if (!parsed) {
    complain(parsed.error().message);
    return static_cast<int>(Exit::usage);
  }
  if (!parsed->command) {
    std::fputs(parsed->output.c_str(), stdout);
    return static_cast<int>(Exit::fine);
  }
  if (!parsed->notes.empty()) complain(say(Msg::words_noted, fmt::format("{}", fmt::join(parsed->notes, "; "))));
  return static_cast<int>(parsed->command->run());
}

}  // namespace
}  // namespace scoville::cli

int main(int argc, char** argv) { return scoville::cli::run(argc, argv); }
