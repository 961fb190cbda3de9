#include <fmt/format.h>

#include <cstdio>

#include "base/duration.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/stop.hpp"
#include "endpoint/scripted_server.hpp"
#include "plan/script.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville serve --scripted`: the endpoint whose true times are known.
class Serve final : public Command {
 public:
  Serve() {
    parameters_.add({"--scripted", "KEY=VALUE,…", Msg::flag_scripted, "", [this](std::string_view given) -> Status {
                       Result<plan::Script> script = plan::parse_script(given);
                       if (!script) return script.error();
                       script_ = *script;
                       return Done{};
                     }});
    parameters_.add({"--scripted-file", "FILE", Msg::flag_scripted_file, "", [this](std::string_view given) -> Status {
                       const std::string path(given);
                       Result<std::string> yaml = read_file(path);
                       if (!yaml) return yaml.error();
                       Result<plan::Script> script = plan::parse_script_yaml(*yaml, path);
                       if (!script) return script.error();
                       script_ = *script;
                       return Done{};
                     }});
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
            "scoville serve --scripted ttft=200ms,itl=20ms,slots=4,jitter=2ms --port 0 --port-file port.txt"};
  }

  Exit run() override {
    catch_stop_signals();
    listen_.port = static_cast<std::uint16_t>(port_);
    endpoint::ScriptedServer server(script_);
    if (const Status opened = server.open(listen_); !opened) {
      complain(opened.error().message);
      return Exit::failed;
    }
    if (!port_file_.empty()) {
      if (const Status written = write_file(port_file_, fmt::format("{}\n", server.port())); !written) {
        complain(written.error().message);
        return Exit::failed;
      }
    }
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

 private:
  plan::Script script_;
  endpoint::ListenOptions listen_;
  std::size_t port_ = 8000;
  std::string port_file_;
};

}  // namespace

std::unique_ptr<Command> make_serve() { return std::make_unique<Serve>(); }

}  // namespace scoville::cli
