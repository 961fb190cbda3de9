#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <vector>

#include "base/duration.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "cli/stop.hpp"
#include "endpoint/model_server.hpp"
#include "endpoint/scripted_server.hpp"
#include "plan/script.hpp"
#include "text/catalogue/engine.hpp"
#include "text/catalogue/probe.hpp"

namespace scoville::cli {
namespace {

using text::EngineMsg;
using text::Msg;
using text::say;

/// `scoville serve`: the endpoint whose true times are known (--scripted), or a real model behind the same front
/// (--model).
class Serve final : public Command {
 public:
  Serve() {
    parameters_.add({"--scripted", "KEY=VALUE,…", Msg::flag_scripted, "", [this](std::string_view given) -> Status {
                       Result<plan::Script> script = plan::parse_script(given);
                       if (!script) return script.error();
                       script_ = *script;
                       is_scripted_ = true;
                       return Done{};
                     }});
    parameters_.add({"--scripted-file", "FILE", Msg::flag_scripted_file, "", [this](std::string_view given) -> Status {
                       const std::string path(given);
                       Result<std::string> yaml = read_file(path);
                       if (!yaml) return yaml.error();
                       Result<plan::Script> script = plan::parse_script_yaml(*yaml, path);
                       if (!script) return script.error();
                       script_ = *script;
                       is_scripted_ = true;
                       return Done{};
                     }});
    declare_model();
    parameters_.text("--host", "NAME", Msg::flag_serve_host, listen_.host);
    parameters_.count("--port", Msg::flag_serve_port, port_, 0, 65535);
    parameters_.text("--port-file", "FILE", Msg::flag_port_file, port_file_);
    parameters_.text("--unix", "PATH", Msg::flag_serve_unix, listen_.unix_path);
    parameters_.text("--cert", "FILE", Msg::flag_serve_cert, listen_.cert_file);
    parameters_.text("--key", "FILE", Msg::flag_key, listen_.key_file);
  }

  std::string name() const override { return "serve"; }
  Msg summary() const override { return Msg::serve_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville serve --scripted ttft=50ms,itl=10ms,tokens=100 --port 8000",
            "scoville serve --scripted ttft=200ms,itl=20ms,slots=4,jitter=2ms --port 0 --port-file port.txt",
            "scoville serve --model small --port 8000"};
  }

  Exit run() override {
    catch_stop_signals();
    listen_.port = static_cast<std::uint16_t>(port_);
    if (model_.empty()) return run_scripted();
    if (is_scripted_) {
      complain(say(EngineMsg::engine_or_script));
      return Exit::usage;
    }
    return run_model();
  }

 private:
  void declare_model() {
    parameters_.text("--model", "MODEL", EngineMsg::engine_flag_model, model_);
    parameters_.text("--engine", "PROGRAM", EngineMsg::engine_flag_program, engine_);
    for (Passed& each : passed_) {
      parameters_.add({each.name, "N", each.help, each.fallback, [&each](std::string_view given) -> Status {
                         const Result<std::size_t> number = parse_count(given, each.least, 1 << 30);
                         if (!number) return number.error();
                         each.given = given;
                         return Done{};
                       }});
    }
    parameters_.text("--device", "NAME", text::ProbeMsg::flag_device, device_);
    parameters_.choice("--dtype", EngineMsg::engine_flag_dtype, {"fp32", "bf16", "fp16"}, "fp32",
                       [this](std::size_t which) {
                         dtype_ = std::array{"fp32", "bf16", "fp16"}[which];
                       });
    Parameter load{"--load", "LIB", text::ProbeMsg::flag_load, "", [this](std::string_view given) -> Status {
                     if (given.empty()) return Error{ErrorCode::invalid_argument, say(Msg::expected_text)};
                     load_.emplace_back(given);
                     return Done{};
                   }};
    load.is_repeatable = true;
    parameters_.add(std::move(load));
  }

  Exit run_scripted() {
    endpoint::ScriptedServer server(script_);
    if (!opens(server)) return Exit::failed;
    std::fprintf(stderr, "%s\n", say(Msg::serve_ready, server.url()).c_str());
    server.run(stop_requested());
    const endpoint::EndpointStats stats = server.stats();
    const auto span = [](const std::optional<Nanos>& at) { return at ? format_duration(*at) : std::string("–"); };
    std::fprintf(stderr, "%s\n",
                 say(Msg::serve_done, stats.requests, stats.writes, span(stats.lag_p50), span(stats.lag_p99),
                     span(stats.lag_max))
                     .c_str());
    return Exit::fine;
  }

  Exit run_model() {
    const Result<std::string> program = engine_.find('/') == std::string::npos ? sibling(engine_) : engine_;
    if (!program) {
      complain(program.error().message);
      return Exit::failed;
    }
    endpoint::ModelServer server(*program, engine_arguments());
    if (!opens(server)) return Exit::failed;
    std::fprintf(stderr, "%s\n", say(EngineMsg::engine_loading, server.url(), model_).c_str());
    const Status ended = server.run(stop_requested());
    const endpoint::EndpointStats stats = server.stats();
    std::fprintf(stderr, "%s\n", say(EngineMsg::engine_done, stats.requests, stats.tokens).c_str());
    if (ended) return Exit::fine;
    complain(say(EngineMsg::engine_ended, ended.error().message));
    return Exit::failed;
  }

  std::vector<std::string> engine_arguments() const {
    std::vector<std::string> all{"engine", "--model", model_, "--device", device_, "--dtype", dtype_};
    for (const std::string& library : load_) all.insert(all.end(), {"--load", library});
    for (const Passed& each : passed_) {
      if (!each.given.empty()) all.insert(all.end(), {each.name, each.given});
    }
    return all;
  }

  /// Also writes the port down where that was asked for.
  template <class Server>
  bool opens(Server& server) {
    Status done = server.open(listen_);
    if (done && !port_file_.empty()) done = write_file(port_file_, fmt::format("{}\n", server.port()));
    if (!done) complain(done.error().message);
    return done.ok();
  }

  /// A number that the engine gets as it was given.
  struct Passed {
    const char* name;
    Msg help;
    const char* fallback;
    std::size_t least;
    std::string given = {};
  };

  plan::Script script_;
  endpoint::ListenOptions listen_;
  std::size_t port_ = 8000;
  std::string port_file_;
  bool is_scripted_ = false;
  std::string model_, engine_ = "scoville-torch", device_ = "cpu", dtype_ = "fp32";
  std::vector<std::string> load_;
  std::array<Passed, 4> passed_{Passed{"--threads", EngineMsg::engine_flag_threads, "", 1},
                                Passed{"--max-batch", EngineMsg::engine_flag_max_batch, "8", 1},
                                Passed{"--context", EngineMsg::engine_flag_context, "2048", 2},
                                Passed{"--seed", EngineMsg::engine_flag_seed, "1", 0}};
};

}  // namespace

std::unique_ptr<Command> make_serve() { return std::make_unique<Serve>(); }

}  // namespace scoville::cli
