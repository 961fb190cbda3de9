#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "report/cells.hpp"
#include "report/device_parts.hpp"
#include "text/catalogue/device.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using probe::Survey;
using text::DeviceMsg;
using text::say;

/// A name, padded, and what it is, in lines that fit.
std::string line_of(DeviceMsg name, const std::string& value) {
  constexpr std::size_t kNameWidth = 12;
  return text::wrapped("  " + text::pad_right(say(name), kNameWidth) + value, kDeviceWidth - 2, kNameWidth + 2);
}

std::string joined(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  std::ranges::copy_if(words, std::back_inserter(kept), [](const std::string& each) { return !each.empty(); });
  return fmt::format("{}", fmt::join(kept, " · "));
}

/// The value in a few words; of an object those of its members that are known. Paths by their last part.
std::string words_of(const json::value& value) {
  if (value.is_null()) return "";
  if (const json::object* const object = value.if_object()) {
    std::vector<std::string> words;
    for (const auto& each : *object) {
      if (std::string word = words_of(each.value()); !word.empty()) words.push_back(std::move(word));
    }
    return fmt::format("{}", fmt::join(words, " "));
  }
  if (!value.is_string()) return json::serialize(value);
  const std::string word(value.as_string());
  return text::shorten(word.starts_with('/') ? word.substr(word.rfind('/') + 1) : word, 40);
}

std::string stack_text(const Survey& survey) {
  std::vector<std::string> words;
  for (const auto& each : survey.description.stack) {
    const std::string value = words_of(each.value());
    if (!value.empty()) words.push_back(std::string(each.key()) + " " + value);
  }
  return joined(words);
}

std::optional<int> threads_of(const Survey& survey) {
  for (const probe::GemmPoint& each : survey.gemm) {
    if (each.threads) return each.threads;
  }
  for (const probe::BandwidthPoint& each : survey.bandwidth) {
    if (each.threads) return each.threads;
  }
  if (survey.plan.threads > 0) return static_cast<int>(survey.plan.threads);
  return survey.description.threads;
}

std::string head(const DeviceView& view) {
  const Survey& survey = view.survey;
  const probe::Description& told = survey.description;
  const std::string name = told.device_name(), vendor = text_in(told.device, "vendor");
  std::string out = "\n" + line_of(DeviceMsg::name_device,
                                   joined({survey.plan.device, name.empty() ? say(DeviceMsg::cell_no_name) : name,
                                           vendor.empty() ? say(DeviceMsg::cell_no_vendor) : vendor}));
  out += line_of(DeviceMsg::name_probe, joined({told.probe, text_in(told.told, "version"), stack_text(survey)}));
  if (const auto threads = threads_of(survey)) {
    out += line_of(DeviceMsg::name_threads, joined({std::to_string(*threads), text_in(told.told, "threads_of")}));
  }
  out += line_of(DeviceMsg::name_level, std::string(probe::name_of(survey.plan.level)));
  return out + line_of(DeviceMsg::name_catalogue, view.catalogued ? joined({view.catalogued->id, view.catalogued->name})
                                                                  : say(DeviceMsg::cell_not_catalogued));
}

std::string missing_text(const Survey& survey) {
  std::string out;
  for (const probe::Missing& each : survey.missing) {
    const std::string what = std::string(probe::name_of(each.part)) + (each.what.empty() ? "" : " " + each.what);
    const bool is_unknown = each.fault.reason == probe::Reason::not_implemented && each.fault.message.empty();
    out += text::wrapped(
        "  " + (is_unknown ? say(DeviceMsg::line_not_answered, what)
                           : say(DeviceMsg::line_missing, what, reason_text(each.fault.reason), each.fault.message)),
        kDeviceWidth - 2, 4);
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace

std::optional<double> catalogue_peak(const std::optional<fit::Device>& device, std::string_view dtype) {
  if (!device) return std::nullopt;
  const std::string_view known = dtype.starts_with("fp8") ? "fp8" : dtype;
  for (std::size_t i = 0; i < fit::kPrecisionCount; ++i) {
    const auto precision = static_cast<fit::Precision>(i);
    if (fit::name_of(precision) != known) continue;
    const fit::Peak& peak = device->peak(precision);
    return peak.value ? std::optional(peak.value->value) : std::nullopt;
  }
  return std::nullopt;
}

std::string device_table(const DeviceView& view) {
  Marks marks;
  std::string out = head(view);
  out += device_gemm(view, marks);
  out += device_bandwidth(view, marks);
  out += device_latency(view, marks);
  out += device_copies(view, marks);
  out += device_launches(view, marks);
  out += device_attention(view, marks);
  out += device_roofline(view);
  out += device_specialisation(view);
  out += missing_text(view.survey);
  const std::string explained = marks.explained();
  return out + (explained.empty() ? "" : "\n" + explained);
}

}  // namespace scoville::report
