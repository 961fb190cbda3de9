#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "cli/stop.hpp"
#include "probe/survey.hpp"
#include "report/device.hpp"
#include "text/catalogue/device.hpp"
#include "text/catalogue/fit.hpp"
#include "text/catalogue/probe.hpp"

namespace scoville::cli {
namespace {

using probe::Level;
using probe::Part;
using text::DeviceMsg;
using text::FitMsg;
using text::Msg;
using text::ProbeMsg;
using text::say;

const std::vector<std::string>& known_types() {
  static const std::vector<std::string> kAll{"fp64", "fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2", "int8"};
  return kAll;
}

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// `scoville probe device`: what one device can do.
class ProbeDevice final : public Command {
 public:
  ProbeDevice() {
    who_.declare(parameters_);
    parameters_.choice("--level", DeviceMsg::flag_level, {"quick", "standard", "full"}, "standard",
                       [this](std::size_t place) { level_ = static_cast<Level>(place); });
    parameters_.add(
        {"--only", "PART,…", DeviceMsg::flag_only, "", [this](std::string_view given) { return take_parts(given); }});
    parameters_.add({"--dtypes", "TYPE,…", DeviceMsg::flag_dtypes, "",
                     [this](std::string_view given) { return take_types(given); }});
    parameters_.add({"--catalogue", "ID", DeviceMsg::flag_catalogue, "",
                     [this](std::string_view given) { return take_entry(given); }});
    parameters_.toggle("--cold", DeviceMsg::flag_cold, is_cold_too_);
    parameters_.under(Group::output);
    parameters_.text("--save", "FILE", DeviceMsg::flag_save, save_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    parameters_.under(Group::none);
  }

  std::string name() const override { return "probe device"; }
  Msg summary() const override { return DeviceMsg::device_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe device --level quick",
            "scoville probe device --device cuda:0 --catalogue h100-sxm --save h100.json",
            "scoville probe device --only gemm,bandwidth --dtypes fp32,bf16 --json",
            "scoville probe device --probe 'python3 examples/probe/small_probe.py' --level quick"};
  }

  Exit run() override {
    catch_stop_signals();
    const Result<std::unique_ptr<probe::Session>> session = who_.open();
    if (!session) return failed(session.error());
    probe::Outcome first = (*session)->ask(who_.request("describe", {}));
    if (!first.ok()) return failed(undescribed(**session, first));
    probe::Description description = probe::read_description(std::move(*first.result), who_.device());
    if (description.lacks_device()) {
      return failed(
          {ErrorCode::not_found, say(DeviceMsg::no_such_device, description.probe, who_.device(), ids(description))});
    }
    report::DeviceView view{
        probe::survey(
            description, plan(), [&](const probe::Request& request) { return (*session)->ask(request); },
            [] { return stop_requested().load(); }),
        entry_};
    if (!view.catalogued) {
      if (const fit::Device* found = fit::built_in_devices().find(description.device_name())) view.catalogued = *found;
    }
    return shown(view);
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  static Error undescribed(const probe::Session& session, const probe::Outcome& outcome) {
    const std::string said = outcome.said.substr(0, outcome.said.find('\n'));
    const std::string why = outcome.fault->message + (said.empty() ? "" : "; " + said);
    return {ErrorCode::protocol,
            say(ProbeMsg::no_description, session.words().front(), name_of(outcome.fault->reason), why)};
  }

  static std::string ids(const probe::Description& description) {
    std::vector<std::string> all;
    for (const json::value& each : description.told.at("devices").as_array()) {
      const json::value* id = each.is_object() ? each.as_object().if_contains("id") : nullptr;
      if (id && id->is_string()) all.emplace_back(id->as_string());
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  Status take_parts(std::string_view given) {
    parts_.clear();
    for (const std::string_view word : split(given, ",")) {
      std::size_t place = 0;
      while (place < probe::kPartCount && probe::name_of(static_cast<Part>(place)) != word) ++place;
      if (place == probe::kPartCount) return usage(say(DeviceMsg::expected_parts));
      parts_.push_back(static_cast<Part>(place));
    }
    if (parts_.empty()) return usage(say(DeviceMsg::expected_parts));
    return Done{};
  }

  Status take_types(std::string_view given) {
    dtypes_.clear();
    for (const std::string_view word : split(given, ",")) {
      if (std::ranges::find(known_types(), word) == known_types().end()) {
        return usage(say(DeviceMsg::expected_types, fmt::format("{}", fmt::join(known_types(), ", "))));
      }
      dtypes_.emplace_back(word);
    }
    if (dtypes_.empty())
      return usage(say(DeviceMsg::expected_types, fmt::format("{}", fmt::join(known_types(), ", "))));
    return Done{};
  }

  Status take_entry(std::string_view given) {
    const fit::Catalogue& catalogue = fit::built_in_devices();
    if (const fit::Device* found = catalogue.find(given)) {
      entry_ = *found;
      return Done{};
    }
    const std::vector<std::string> near = catalogue.near(given);
    return usage(near.empty() ? say(FitMsg::stranger_device, given)
                              : say(FitMsg::unknown_device, given, fmt::format("{}", fmt::join(near, ", "))));
  }

  probe::SurveyPlan plan() const {
    probe::SurveyPlan plan{who_.device(), level_, parts_, dtypes_, is_cold_too_, who_.threads(), who_.silence()};
    if (plan.parts.empty()) {
      for (std::size_t i = 0; i < probe::kPartCount; ++i) plan.parts.push_back(static_cast<Part>(i));
    }
    return plan;
  }

  Exit shown(const report::DeviceView& view) {
    const std::string document = pretty(report::device_json(view));
    if (!save_.empty()) {
      if (const Status saved = write_file(save_, document); !saved) return failed(saved.error());
    }
    std::fputs((as_json_ ? document : report::device_table(view)).c_str(), stdout);
    if (stop_requested()) return Exit::interrupted;
    if (view.survey.has_anything()) return Exit::fine;
    complain(say(DeviceMsg::nothing_measured, view.survey.description.probe));
    return Exit::failed;
  }

  ProbeOptions who_{"cpu"};
  Level level_ = Level::standard;
  std::vector<Part> parts_;
  std::vector<std::string> dtypes_;
  std::optional<fit::Device> entry_;
  std::string save_;
  bool is_cold_too_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_probe_device() { return std::make_unique<ProbeDevice>(); }

}  // namespace scoville::cli
