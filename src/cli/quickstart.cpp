#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/child.hpp"
#include "base/clock.hpp"
#include "base/file.hpp"
#include "cli/bench_run.hpp"
#include "cli/stop.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr const char* kScript = "ttft=50ms,itl=10ms,tokens=100,ttft_dist=lognormal";

/// A folder of its own below the system's temporary one, removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code fault;
    std::string pattern = (std::filesystem::temp_directory_path(fault) / "scoville-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// `scoville quickstart`: measures the built-in endpoint, to show what a measurement looks like.
class Quickstart final : public Command {
 public:
  Quickstart() { parameters_.toggle("--json", Msg::flag_json, as_json_); }

  std::string name() const override { return "quickstart"; }
  Msg summary() const override { return Msg::quickstart_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville quickstart", "scoville quickstart --lang zh"};
  }

  Exit run() override {
    catch_stop_signals();
    const TemporaryFolder folder;
    const std::string port_file = folder.path() + "/port";
    Result<Child> server =
        Child::start("/proc/self/exe", {"serve", "--scripted", kScript, "--port", "0", "--port-file", port_file});
    if (!server) {
      complain(server.error().message);
      return Exit::failed;
    }
    const std::string port = wait_for(port_file, *server);
    if (port.empty()) {
      complain(say(Msg::quickstart_no_server));
      return stop_requested() ? Exit::interrupted : Exit::failed;
    }
    TargetOptions target;
    target.set_base_url("http://127.0.0.1:" + port);
    target.shape.ignore_eos = true;
    if (const Status settled = target.settle(); !settled) {
      complain(settled.error().message);
      return Exit::usage;
    }
    StoreOptions store;
    store.keep_nothing();
    LoadOptions load;
    Parameters flags;
    load.declare(flags);
    for (const auto& [name, value] :
         {std::pair("--num-prompts", "200"), std::pair("--request-rate", "20"), std::pair("--random-input-len", "512"),
          std::pair("--random-output-len", "100")}) {
      for (const Parameter& each : flags.all()) {
        if (each.name == name) static_cast<void>(each.set(value));
      }
    }
    if (const Status settled = load.settle(); !settled) {
      complain(settled.error().message);
      return Exit::usage;
    }
    std::fprintf(stderr, "%s\n\n", say(Msg::quickstart_what, kScript).c_str());
    const Exit exit =
        BenchRun{target, load, store, SystemOptions(), PriceOptions(), OutputOptions(), as_json_, false}.run();
    if (exit == Exit::fine && !as_json_) std::fprintf(stderr, "\n%s\n", say(Msg::quickstart_next).c_str());
    return exit;
  }

 private:
  static std::string wait_for(const std::string& port_file, Child& server) {
    const Instant give_up = now() + std::chrono::seconds(10);
    while (now() < give_up && server.is_running() && !stop_requested()) {
      if (Result<std::string> port = read_file(port_file)) return port->substr(0, port->find('\n'));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return "";
  }

  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_quickstart() { return std::make_unique<Quickstart>(); }

}  // namespace scoville::cli
