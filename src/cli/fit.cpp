#include "fit/fit.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "cli/command.hpp"
#include "report/fit.hpp"
#include "text/catalogue/fit.hpp"

namespace scoville::cli {
namespace {

using text::FitMsg;
using text::Msg;
using text::say;

constexpr std::size_t kMostTokens = 1000000000, kMostDevices = 4096;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

std::string engine_names() { return fmt::format("{}", fmt::join(fit::built_in_support().engines(), ", ")); }

/// `scoville fit`: whether a model fits a device, and how fast it could be at best.
class FitCommand final : public Command {
 public:
  FitCommand() {
    parameters_.text("--model-path", "PATH", FitMsg::flag_model_path, model_path_);
    parameters_.add({"--device", "NAME", FitMsg::flag_device, "",
                     [this](std::string_view given) -> Status {
                       devices_.emplace_back(given);
                       return Done{};
                     },
                     true});
    parameters_.count("--context", FitMsg::flag_context, context_, 1, kMostTokens);
    parameters_.count("--output-len", FitMsg::flag_output_len, output_len_, 1, kMostTokens);
    parameters_.count("--concurrency", FitMsg::flag_concurrency, concurrency_, 1, 1000000);
    parameters_.count("--devices", FitMsg::flag_devices, count_, 1, kMostDevices);
    declare_formats();
    parameters_.number("--memory-share", FitMsg::flag_memory_share, memory_share_, 0.05, 1);
    parameters_.text("--devices-file", "FILE", FitMsg::flag_devices_file, devices_file_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "fit"; }
  Msg summary() const override { return FitMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville fit --device list",
            "scoville fit --model-path models/llama-3.1-8b --device h100-sxm --device ascend-910b2 --context 8192",
            "scoville fit --model-path model.gguf --device \"NVIDIA L4\" --context 4096 --concurrency 8 --engine "
            "llama.cpp --json"};
  }

  Exit run() override {
    const Result<fit::Catalogue> catalogue = read_catalogue();
    if (!catalogue) return failed(catalogue.error());
    if (std::find(devices_.begin(), devices_.end(), "list") != devices_.end()) {
      print(as_json_ ? pretty(report::devices_json(*catalogue)) : report::devices_table(*catalogue));
      return Exit::fine;
    }
    if (const Status complete = settle(); !complete) return failed(complete.error());
    const Result<std::vector<fit::Device>> devices = chosen(*catalogue);
    if (!devices) return failed(devices.error());
    const Result<fit::ModelShape> shape = fit::read_shape(model_path_);
    if (!shape) return failed(usage("--model-path " + model_path_ + ": " + shape.error().message));
    report::FitView view{model_path_, *shape, {}};
    for (const fit::Device& each : *devices) view.answers.push_back(fit::work_out(*shape, each, ask()));
    print(as_json_ ? pretty(report::fit_json(view)) : report::fit_table(view));
    return exit_of(view);
  }

 private:
  void declare_formats() {
    static const std::vector<std::string> kPrecisions{"bf16", "fp16", "fp32", "fp8", "int8", "int4", "fp4"};
    parameters_.choice("--precision", FitMsg::flag_precision, kPrecisions, "",
                       [this](std::size_t place) { precision_ = fit::format_named(kPrecisions[place]); });
    parameters_.choice("--kv-dtype", FitMsg::flag_kv_dtype, {"auto", "bf16", "fp16", "fp32", "fp8", "int8"}, "auto",
                       [this](std::size_t place) { kv_bytes_ = place == 3  ? 4
                                                               : place > 3 ? 1
                                                                           : 2; });
    parameters_.add({"--engine", "NAME", FitMsg::flag_engine, "", [this](std::string_view given) -> Status {
                       const std::vector<std::string> known = fit::built_in_support().engines();
                       if (std::find(known.begin(), known.end(), given) == known.end())
                         return usage(say(FitMsg::unknown_engine, engine_names()));
                       engine_ = given;
                       return Done{};
                     }});
  }

  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  static void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

  Result<fit::Catalogue> read_catalogue() const {
    if (devices_file_.empty()) return fit::built_in_devices();
    Result<fit::Catalogue> read = fit::devices_with(devices_file_);
    if (!read) return usage(read.error().message);
    return read;
  }

  Status settle() const {
    if (model_path_.empty()) return usage(say(FitMsg::needs_model));
    if (devices_.empty()) return usage(say(FitMsg::needs_device));
    if (context_ == 0) return usage(say(FitMsg::needs_context));
    if (output_len_ >= context_) return usage(say(FitMsg::output_too_long));
    return Done{};
  }

  Result<std::vector<fit::Device>> chosen(const fit::Catalogue& catalogue) const {
    std::vector<fit::Device> out;
    for (const std::string& each : devices_) {
      if (const fit::Device* const found = catalogue.find(each)) {
        out.push_back(*found);
        continue;
      }
      const std::vector<std::string> near = catalogue.near(each);
      return usage(near.empty() ? say(FitMsg::stranger_device, each)
                                : say(FitMsg::unknown_device, each, fmt::format("{}", fmt::join(near, ", "))));
    }
    return out;
  }

  fit::Ask ask() const {
    fit::Ask out;
    out.context = static_cast<double>(context_);
    if (output_len_) out.output_tokens = static_cast<double>(output_len_);
    out.concurrency = static_cast<double>(concurrency_);
    if (count_) out.devices = count_;
    out.precision = precision_;
    out.kv_bytes_per_value = kv_bytes_;
    out.engine = engine_;
    if (memory_share_) out.allowance.share = *memory_share_;
    return out;
  }

  /// One device that it fits is enough; none, and it is known of all: it does not.
  static Exit exit_of(const report::FitView& view) {
    const auto is = [](fit::Fits what) { return [what](const fit::Answer& each) { return each.overall() == what; }; };
    if (std::any_of(view.answers.begin(), view.answers.end(), is(fit::Fits::yes))) return Exit::fine;
    return std::all_of(view.answers.begin(), view.answers.end(), is(fit::Fits::no)) ? Exit::gate : Exit::cannot_tell;
  }

  std::string model_path_, engine_, devices_file_;
  std::vector<std::string> devices_;
  std::size_t context_ = 0, output_len_ = 0, concurrency_ = 1, count_ = 0;
  std::optional<fit::WeightFormat> precision_;
  std::optional<double> memory_share_;
  double kv_bytes_ = 2;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_fit() { return std::make_unique<FitCommand>(); }

}  // namespace scoville::cli
