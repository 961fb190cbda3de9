#include <fmt/ranges.h>

#include <cstdio>

#include "base/byte_size.hpp"
#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "cli/stop.hpp"
#include "fit/devices.hpp"
#include "report/capacity.hpp"
#include "text/catalogue/capacity.hpp"

namespace scoville::cli {
namespace {

using report::NominalFrom;
using text::CapacityMsg;
using text::Msg;
using text::say;

/// `scoville probe capacity`: how much memory a device really gives.
class ProbeCapacity final : public Command {
 public:
  ProbeCapacity() {
    probe_.declare(parameters_);
    declare_size("--nominal", CapacityMsg::flag_nominal, nominal_, 1);
    parameters_.text("--catalogue", "ID", CapacityMsg::flag_catalogue, catalogue_id_);
    parameters_.text("--devices-file", "FILE", CapacityMsg::flag_devices_file, devices_file_);
    declare_size("--at-most", CapacityMsg::flag_at_most, at_most_, 1);
    declare_size("--reserve", CapacityMsg::flag_reserve, reserve_, 0);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "probe capacity"; }
  Msg summary() const override { return CapacityMsg::capacity_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe capacity --device cpu --at-most 512MiB",
            "scoville probe capacity --device cuda:0 --catalogue h100-sxm --json"};
  }

  Exit run() override {
    catch_stop_signals();
    report::CapacityView view;
    view.device = probe_.device();
    if (Status settled = settle_nominal(view); !settled) return failed(settled.error());
    if (Status asked = ask(view); !asked) return failed(asked.error());
    if (!view.nominal && view.capacity.nominal) {
      view.nominal = static_cast<double>(*view.capacity.nominal);
      view.from = NominalFrom::probe;
    }
    std::fputs((as_json_ ? pretty(report::capacity_json(view)) : report::capacity_table(view)).c_str(), stdout);
    return view.capacity.total > 0 ? Exit::fine
                                   : Exit::cannot_tell;  // nothing could be allocated: nothing was measured
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    if (stop_requested()) return Exit::interrupted;
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }
  static Error wrong(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

  void declare_size(std::string flag, CapacityMsg help, std::optional<std::int64_t>& target, std::int64_t least) {
    parameters_.add({std::move(flag), "SIZE", help, "", [&target, least](std::string_view given) -> Status {
                       const std::optional<std::int64_t> size = parse_byte_size(given);
                       if (!size || *size < least || *size > std::int64_t{1} << 60)
                         return wrong(say(CapacityMsg::expected_size));
                       target = size;
                       return Done{};
                     }});
  }

  /// What it is sold with: given, or out of the catalogue.
  Status settle_nominal(report::CapacityView& view) const {
    if (nominal_ && !catalogue_id_.empty()) return wrong(say(CapacityMsg::nominal_twice));
    if (nominal_) {
      view.nominal = static_cast<double>(*nominal_);
      view.from = NominalFrom::given;
    }
    if (catalogue_id_.empty() && devices_file_.empty()) return Done{};
    const Result<fit::Catalogue> catalogue =
        devices_file_.empty() ? Result<fit::Catalogue>(fit::built_in_devices()) : fit::devices_with(devices_file_);
    if (!catalogue) return wrong(catalogue.error().message);
    if (catalogue_id_.empty()) return Done{};
    const fit::Device* const device = catalogue->find(catalogue_id_);
    if (!device) {
      const std::string near = fmt::format("{}", fmt::join(catalogue->near(catalogue_id_), ", "));
      return wrong("--catalogue " + catalogue_id_ + ": " + say(CapacityMsg::no_such_device, near));
    }
    if (!device->memory) return wrong("--catalogue: " + say(CapacityMsg::no_memory_known, device->id));
    view.nominal = device->memory->value;
    view.from = NominalFrom::catalogue;
    view.catalogue_id = device->id;
    return Done{};
  }

  Status ask(report::CapacityView& view) const {
    const Result<std::unique_ptr<probe::Session>> session = probe_.open();
    if (!session) return session.error();
    json::object params;
    if (at_most_) params["most_bytes"] = *at_most_;
    if (reserve_) params["reserve_bytes"] = *reserve_;
    const probe::Outcome outcome = (*session)->ask(probe_.request("capacity", std::move(params)));
    if (outcome.fault) {
      const std::string words = std::string(probe::name_of(outcome.fault->reason)) + ": " + outcome.fault->message;
      return Error{ErrorCode::protocol, say(CapacityMsg::failed, name(), view.device, words)};
    }
    const std::optional<probe::Capacity> read = probe::read_capacity(*outcome.result);
    if (!read) return Error{ErrorCode::protocol, say(CapacityMsg::unreadable, (*session)->words().front())};
    view.capacity = *read;
    return Done{};
  }

  ProbeOptions probe_;
  std::optional<std::int64_t> nominal_, at_most_, reserve_;
  std::string catalogue_id_, devices_file_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_probe_capacity() { return std::make_unique<ProbeCapacity>(); }

}  // namespace scoville::cli
