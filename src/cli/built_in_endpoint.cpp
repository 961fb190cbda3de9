#include "cli/built_in_endpoint.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "cli/stop.hpp"
#include "wire/fetch.hpp"
#include "wire/self_signed.hpp"
#include "wire/target.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

std::string wait_for(const std::string& port_file, Child& server, Nanos patience) {
  const Instant give_up = now() + patience;
  while (now() < give_up && server.is_running() && !stop_requested()) {
    if (Result<std::string> port = read_file(port_file)) return port->substr(0, port->find('\n'));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return "";
}

/// A model is loaded behind a server that listens already.
bool is_loaded(const std::string& url, Child& server, Nanos patience) {
  const Result<wire::Url> parsed = wire::parse_url(url);
  const Result<wire::Target> target = parsed ? wire::make_target(*parsed, {}) : parsed.error();
  wire::FetchRequest request;
  request.path = "/health";
  const Instant give_up = now() + patience;
  while (target && now() < give_up && server.is_running() && !stop_requested()) {
    const Result<wire::Response> answer = wire::fetch(*target, request);
    if (answer && answer->head.status == 200) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code fault;
  std::string pattern = (std::filesystem::temp_directory_path(fault) / "scoville-XXXXXX").string();
  if (mkdtemp(pattern.data())) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<BuiltInEndpoint> BuiltInEndpoint::start(const TemporaryFolder& folder, const Options& options) {
  const std::string port_file = folder.path() + "/port";
  std::error_code ignored;
  std::filesystem::remove(port_file, ignored);  // of the endpoint before this one
  std::vector<std::string> arguments{"serve", "--port", "0", "--port-file", port_file};
  if (options.model.empty()) {
    arguments.insert(arguments.end(), {"--scripted", options.script});
  } else {
    arguments.insert(arguments.end(), {"--model", options.model, "--device", options.device});
  }
  arguments.insert(arguments.end(), {"--lang", text::language() == text::Language::chinese ? "zh" : "en"});
  if (options.uses_tls) {
    const std::string cert = folder.path() + "/cert.pem", key = folder.path() + "/key.pem";
    if (Status made = wire::write_self_signed("IP:127.0.0.1", cert, key); !made) return made.error();
    arguments.insert(arguments.end(), {"--cert", cert, "--key", key});
  }
  Result<Child> process =
      Child::start("/proc/self/exe", arguments, options.is_quiet ? Child::Words::nowhere : Child::Words::ours);
  if (!process) return process.error();
  const std::string port = wait_for(port_file, *process, options.patience);
  if (port.empty()) return Error{ErrorCode::aborted, say(Msg::quickstart_no_server)};
  std::string url = (options.uses_tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + port;
  if (!options.model.empty() && !is_loaded(url, *process, options.patience)) {
    return Error{ErrorCode::aborted, say(Msg::quickstart_no_server)};
  }
  return BuiltInEndpoint(std::move(*process), std::move(url));
}

Status settle_with(LoadOptions& load, std::initializer_list<std::pair<std::string, std::string>> flags) {
  Parameters parameters;
  load.declare(parameters);
  for (const auto& [name, value] : flags) {
    for (const Parameter& each : parameters.all()) {
      if (each.name != name) continue;
      if (Status set = each.set(value); !set) return set;
    }
  }
  return load.settle();
}

}  // namespace scoville::cli
