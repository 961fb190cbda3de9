#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/parameter.hpp"

namespace scoville::cli {

/// Exit codes of every command, as in README.md.
enum class Exit { fine = 0, failed = 1, usage = 2, gate = 3, cannot_tell = 4, interrupted = 130 };

/// One subcommand: its flags, its help, its deed. One file each.
class Command {
 public:
  virtual ~Command() = default;
  /// "bench"; of a group of commands both words: "runs show".
  virtual std::string name() const = 0;
  virtual text::Msg summary() const = 0;
  /// Lines that can be copied into a shell.
  virtual std::vector<std::string> examples() const = 0;
  virtual Exit run() = 0;

  Parameters& parameters() { return parameters_; }

 protected:
  Parameters parameters_;
};

std::unique_ptr<Command> make_baseline();
std::unique_ptr<Command> make_bench();
std::unique_ptr<Command> make_calibrate();
std::unique_ptr<Command> make_canary();
std::unique_ptr<Command> make_claim_check();
std::unique_ptr<Command> make_claim_init();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_cost();
std::unique_ptr<Command> make_cost_init();
std::unique_ptr<Command> make_duel();
std::unique_ptr<Command> make_env();
std::unique_ptr<Command> make_evaluate();
std::unique_ptr<Command> make_evaluate_init();
std::unique_ptr<Command> make_fit();
std::unique_ptr<Command> make_history();
std::unique_ptr<Command> make_matrix();
std::unique_ptr<Command> make_next();
std::unique_ptr<Command> make_next_enter();
std::unique_ptr<Command> make_next_leave();
std::unique_ptr<Command> make_next_book();
std::unique_ptr<Command> make_next_first_token();
std::unique_ptr<Command> make_once();
std::unique_ptr<Command> make_portability();
std::unique_ptr<Command> make_probe_correctness();
std::unique_ptr<Command> make_probe_readiness();
std::unique_ptr<Command> make_probe_operators();
std::unique_ptr<Command> make_probe_capacity();
std::unique_ptr<Command> make_probe_correctness();
std::unique_ptr<Command> make_probe_shapes();
std::unique_ptr<Command> make_probe_device();
std::unique_ptr<Command> make_quickstart();
std::unique_ptr<Command> make_record();
std::unique_ptr<Command> make_runs_delete();
std::unique_ptr<Command> make_runs_export();
std::unique_ptr<Command> make_runs_import();
std::unique_ptr<Command> make_runs_list();
std::unique_ptr<Command> make_runs_show();
std::unique_ptr<Command> make_runs_tag();
std::unique_ptr<Command> make_runs_verify();
std::unique_ptr<Command> make_saturate();
std::unique_ptr<Command> make_scenario_list();
std::unique_ptr<Command> make_scenario_show();
std::unique_ptr<Command> make_serve();
std::unique_ptr<Command> make_sweep();
std::unique_ptr<Command> make_trace();
std::unique_ptr<Command> make_workload_learn();

/// Prints one line to standard error: "scoville: …".
void complain(const std::string& sentence);

}  // namespace scoville::cli
