#include "cli/system_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/environment_block.hpp"
#include "environment/capture.hpp"
#include "environment/engine_args.hpp"
#include "environment/join.hpp"
#include "environment/local_process.hpp"
#include "environment/model_files.hpp"
#include "environment/server_side.hpp"
#include "fit/devices.hpp"
#include "run/models.hpp"
#include "text/catalogue/fit.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::string_view kThisMachine = "local";
constexpr Nanos kAnswerTime = std::chrono::seconds(2);

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

bool is_sha256(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// What went wrong with the file of a flag; messages that begin with its path do not say it twice.
std::string without_path(const std::string& path, const std::string& message) {
  return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : message;
}

event::Fingerprint ask_server(const wire::Target& target, const plan::RequestShape& shape) {
  const std::vector<wire::Header> headers = run::common_headers(shape);
  environment::ServerQuestion question;
  question.model = shape.model;
  question.host = target.url.host;
  return environment::observe_server(environment::make_get(target, headers, kAnswerTime),
                                     environment::make_post(target, headers, kAnswerTime), question);
}

/// Behind a proxy the address is the proxy's: whose process listens there says nothing of the engine.
event::Fingerprint look_for_process(const wire::Target& target) {
  const std::uint16_t port = environment::port_of(target.address);
  if (target.proxy || port == 0 || !environment::is_on_this_machine(target.address)) return {};
  return environment::observe_local_process("", port);
}

}  // namespace

void SystemOptions::declare(Parameters& parameters) {
  parameters.text("--system", "FILE", Msg::flag_system, system_file_);
  declare_engine_arg(parameters, "--engine-arg", Msg::flag_engine_arg);
  parameters.text("--model-path", "PATH", Msg::flag_model_path, model_path_);
  declare_derived_from(parameters, "--derived-from", Msg::flag_derived_from);
  declare_device_name(parameters, "--device-name", text::FitMsg::flag_device_name);
}

void SystemOptions::declare_for_b(Parameters& parameters) {
  prefix_ = "--b-";
  parameters.text("--b-system", "FILE", Msg::duel_flag_b_system, system_file_);
  declare_engine_arg(parameters, "--b-engine-arg", Msg::duel_flag_b_engine_arg);
  parameters.text("--b-model-path", "PATH", Msg::duel_flag_b_model_path, model_path_);
  declare_derived_from(parameters, "--b-derived-from", Msg::duel_flag_b_derived_from);
  declare_device_name(parameters, "--b-device-name", text::FitMsg::flag_b_device_name);
}

void SystemOptions::declare_engine_arg_of(Parameters& parameters, bool is_b) {
  declare_engine_arg(parameters, is_b ? "--b-engine-arg" : "--engine-arg",
                     is_b ? Msg::duel_flag_b_engine_arg : Msg::flag_engine_arg);
}

void SystemOptions::declare_engine_arg(Parameters& parameters, const std::string& name, Msg help) {
  parameters.add({name, "NAME=VALUE", help, "",
                  [this](std::string_view given) -> Status {
                    auto argument = environment::parse_engine_arg(given);
                    if (!argument) return argument.error();
                    engine_args_.push_back(std::move(*argument));
                    return Done{};
                  },
                  true});
}

void SystemOptions::declare_derived_from(Parameters& parameters, const std::string& name, Msg help) {
  parameters.add({name, "SHA", help, "", [this](std::string_view given) -> Status {
                    if (!is_sha256(given)) return usage(say(Msg::expected_sha256));
                    derived_from_ = given;
                    std::transform(derived_from_.begin(), derived_from_.end(), derived_from_.begin(),
                                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
                    return Done{};
                  }});
}

void SystemOptions::declare_device_name(Parameters& parameters, const std::string& name, Msg help) {
  parameters.add({name, "NAME", help, "", [this](std::string_view given) -> Status {
                    const fit::Device* const found = fit::built_in_devices().find(given);
                    if (!found) return usage(say(text::FitMsg::expected_device));
                    device_name_ = found->name;
                    return Done{};
                  }});
}

void SystemOptions::set(std::string system_file, std::string model_path) {
  system_file_ = std::move(system_file);
  model_path_ = std::move(model_path);
}

Status SystemOptions::check_model() const {
  if (!derived_from_.empty() && model_path_.empty()) return usage(say(Msg::derived_without_model, prefix_));
  if (!model_path_.empty() && ::access(model_path_.c_str(), R_OK) != 0)
    return usage(say(Msg::model_path_bad, model_path_, std::strerror(errno), prefix_));
  return Done{};
}

Status SystemOptions::settle() const {
  if (Status fits = check_model(); !fits) return fits;
  if (system_file_.empty() || system_file_ == kThisMachine) return Done{};
  const Result<event::Fingerprint> system = read_system_file();
  return system ? Status(Done{}) : Status(system.error());
}

Result<event::Fingerprint> SystemOptions::gather(const wire::Target& target, const plan::RequestShape& shape,
                                                 const event::Fingerprint& launched,
                                                 const environment::HashProgress& progress) const {
  environment::Observations seen;
  if (const Status fits = check_model(); !fits) return fits.error();
  Result<event::Fingerprint> system = read_system_file();
  if (!system) return system;
  Result<event::Fingerprint> model = read_model(progress);
  if (!model) return model;
  seen.system = std::move(*system);
  seen.model_files = std::move(*model);
  seen.engine_args = environment::engine_arg_fields(engine_args_);
  if (!device_name_.empty()) seen.system.add("device.stated.name", json::value(device_name_), prefix_ + "device-name");
  seen.server = ask_server(target, shape);
  seen.process = look_for_process(target);
  seen.process.merge(launched);
  return environment::join(seen);
}

Result<event::Fingerprint> SystemOptions::read_system_file() const {
  if (system_file_.empty()) return event::Fingerprint();
  if (system_file_ == kThisMachine) {
    environment::Options options;
    options.variables = environment_block();
    return environment::capture(options);
  }
  const auto fail = [&](const std::string& why) {
    return usage(say(Msg::system_file_bad, system_file_, without_path(system_file_, why), prefix_));
  };
  const Result<std::string> text = read_file(system_file_);
  if (!text) return fail(text.error().message);
  json::error_code fault;
  json::value held = json::parse(*text, fault);
  if (fault) held = nullptr;  // not JSON: not of this schema either
  Result<event::Fingerprint> read = event::Fingerprint::from_json(held);
  if (!read) return fail(read.error().message);
  return read;
}

Result<event::Fingerprint> SystemOptions::read_model(const environment::HashProgress& progress) const {
  if (model_path_.empty()) return event::Fingerprint();
  Result<event::Fingerprint> read = environment::observe_model_files({model_path_, derived_from_, progress});
  if (read && read->text("model.sha256").empty())
    return usage(say(Msg::model_path_bad, model_path_, say(Msg::model_path_empty), prefix_));
  if (read || read.error().code == ErrorCode::aborted) return read;
  return usage(say(Msg::model_path_bad, model_path_, without_path(model_path_, read.error().message), prefix_));
}

bool is_hosted_service(const event::Fingerprint& fingerprint) { return fingerprint.text("service.hosted") == "true"; }

dataset::Warning hosted_service_warning(const event::Fingerprint& fingerprint, const std::string& host) {
  return dataset::make_warning("service_not_hardware", Msg::warn_service_not_hardware, host,
                               fingerprint.text("service.vendor"));
}

}  // namespace scoville::cli
