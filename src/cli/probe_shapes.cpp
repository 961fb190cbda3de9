#include <cstdio>

#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "cli/shape_requests.hpp"
#include "cli/stop.hpp"
#include "report/dynamic_shapes.hpp"
#include "text/catalogue/capacity.hpp"
#include "text/catalogue/shapes.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;
using text::ShapesMsg;

const std::vector<std::string> kPresets{"tiny", "small", "1b", "8b"};
const std::vector<std::string> kDtypes{"fp32", "fp16", "bf16"};

/// `scoville probe dynamic-shapes`: does a new length cost a compilation?
class ProbeShapes final : public Command {
 public:
  ProbeShapes() {
    probe_.declare(parameters_);
    target_.declare(parameters_);
    parameters_.under(Group::load);
    parameters_.count("--lengths", ShapesMsg::flag_lengths, lengths_, 8, 1000);
    parameters_.count("--least", ShapesMsg::flag_least, least_, 1, 10000000);
    parameters_.count("--most", ShapesMsg::flag_most, most_, 1, 10000000);
    parameters_.count("--max-tokens", ShapesMsg::flag_max_tokens, max_tokens_, 1, 1000000);
    parameters_.choice("--preset", ShapesMsg::flag_preset, kPresets, "tiny", [this](std::size_t i) { preset_ = i; });
    parameters_.choice("--dtype", ShapesMsg::flag_dtype, kDtypes, "fp32", [this](std::size_t i) { dtype_ = i; });
    parameters_.count("--seed", ShapesMsg::flag_seed, seed_, 0, 1000000000);
    parameters_.under(Group::output);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "probe dynamic-shapes"; }
  Msg summary() const override { return ShapesMsg::shapes_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe dynamic-shapes --base-url http://127.0.0.1:8000",
            "scoville probe dynamic-shapes --device cpu --preset small --most 512 --json"};
  }

  Exit run() override {
    catch_stop_signals();
    if (Status settled = settle(); !settled) return usage(settled.error());
    const auto lengths = probe::unseen_lengths(lengths_, least_, most_, seed_);
    report::DynamicShapesView view;
    const Status asked = target_.has_address() ? ask_server(lengths, view) : ask_device(lengths, view);
    if (!asked) {
      complain(asked.error().message);
      if (stop_requested()) return Exit::interrupted;
      return asked.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    view.finding = probe::judge_shapes(view.times);
    std::fputs((as_json_ ? pretty(report::dynamic_shapes_json(view)) : report::dynamic_shapes_table(view)).c_str(),
               stdout);
    return view.finding.verdict == probe::ShapeVerdict::cannot_tell ? Exit::cannot_tell : Exit::fine;
  }

 private:
  static Exit usage(const Error& error) {
    complain(error.message);
    return Exit::usage;
  }
  static Error wrong(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

  Status settle() {
    if (most_ < least_ || most_ - least_ + 1 < lengths_)
      return wrong(say(ShapesMsg::range_too_narrow, least_, most_, lengths_));
    if (!target_.has_address()) {
      if (!target_.model_id().empty()) return wrong(say(ShapesMsg::needs_server, "--model"));
      return Done{};
    }
    if (probe_.device() != "cpu") return wrong(say(ShapesMsg::device_or_server));
    return target_.settle();
  }

  Status ask_server(const std::vector<std::size_t>& lengths, report::DynamicShapesView& view) {
    Result<ShapeAnswer> answer = ask_lengths(target_, {lengths, static_cast<std::uint32_t>(max_tokens_), seed_});
    if (!answer) return answer.error();
    view.url = answer->url;
    view.model = answer->model;
    view.times = std::move(answer->times);
    view.warnings = std::move(answer->warnings);
    return Done{};
  }

  Status ask_device(const std::vector<std::size_t>& lengths, report::DynamicShapesView& view) {
    const Result<std::unique_ptr<probe::Session>> session = probe_.open();
    if (!session) return session.error();
    view.device = probe_.device();
    view.preset = kPresets[preset_];
    view.dtype = kDtypes[dtype_];
    const json::object params{{"lengths", json::array(lengths.begin(), lengths.end())},
                              {"model", view.preset},
                              {"dtype", view.dtype},
                              {"passes", 3},
                              {"seed", seed_}};
    const probe::Outcome outcome = (*session)->ask(probe_.request("dynamic_shapes", params));
    if (outcome.fault) {
      const std::string words = std::string(probe::name_of(outcome.fault->reason)) + ": " + outcome.fault->message;
      return Error{ErrorCode::protocol, say(text::CapacityMsg::failed, name(), view.device, words)};
    }
    view.times = probe::read_length_times(outcome.rows);
    return Done{};
  }

  ProbeOptions probe_;
  TargetOptions target_;
  std::size_t lengths_ = 20, least_ = 32, most_ = 1024, max_tokens_ = 1, seed_ = 1, preset_ = 0, dtype_ = 0;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_probe_shapes() { return std::make_unique<ProbeShapes>(); }

}  // namespace scoville::cli
