#include "operators/case_result.hpp"
#include "base/json_text.hpp"

#include <algorithm>
#include <array>

namespace scoville::operators {
namespace {

std::optional<double> number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_number() ? std::optional(value->to_number<double>()) : std::nullopt;
}

std::int64_t count_in(const json::object& object, std::string_view key) {
  return static_cast<std::int64_t>(number_in(object, key).value_or(0));
}

Ending ending_of(const json::object& row) {
  const std::string outcome = text_in(row, "outcome");
  if (outcome == "ran") return Ending::ran;
  if (outcome == "absent") return Ending::absent;
  if (outcome != "refused") return Ending::skipped;
  return probe::reason_named(text_in(row, "reason")) == probe::Reason::oom ? Ending::oom : Ending::refused;
}

void take_fallback(const json::object& row, CaseResult& result) {
  const json::value* fallback = row.if_contains("fallback");
  if (!fallback || !fallback->is_object()) return;
  result.host_bytes = count_in(fallback->as_object(), "bytes");
  const json::value* evidence = fallback->as_object().if_contains("evidence");
  if (!evidence || !evidence->is_array()) return;
  for (const json::value& each : evidence->as_array()) {
    if (!each.is_object()) continue;
    const json::object& call = each.as_object();
    result.host_calls.push_back(
        {text_in(call, "call"), text_in(call, "inside"), count_in(call, "bytes"), count_in(call, "calls")});
  }
}

/// `_to_cpu` and `_copy_from_and_resize` are the fallback's own; other copies count by their bytes, for some operators
/// have to bring a number or two to the host.
bool is_fallback(const Operator& op, const CaseResult& result) {
  if (!op.host_bytes) return false;
  const bool is_its_own = std::any_of(result.host_calls.begin(), result.host_calls.end(), [](const HostCall& each) {
    return each.call == "aten::_to_cpu" || each.call == "aten::_copy_from_and_resize";
  });
  return is_its_own || result.host_bytes > *op.host_bytes;
}

bool warns_of_fallback(const CaseResult& result, const std::vector<std::string>& warns) {
  return std::any_of(result.warnings.begin(), result.warnings.end(), [&](const std::string& warning) {
    return std::any_of(warns.begin(), warns.end(),
                       [&](const std::string& part) { return warning.find(part) != std::string::npos; });
  });
}

/// "cuda" and "cuda:0" are one place.
bool is_same_device(const std::string& asked, const std::string& found) {
  return asked == found || found.substr(0, found.find(':')) == asked;
}

bool brings_to_host(const Operator& op) { return !op.inputs.empty() && op.inputs.front().stays_on_host; }

void judge_numbers(const Operator& op, CaseResult& result) {
  result.is_wrong = result.shape_differs || result.mismatched > 0 || result.nan > 0;
  if (!result.no_reference.empty() || !result.rel_l2) return;
  result.tolerance = tolerance_for(result.what.dtype, op.tolerance).value_or(0);
  if (*result.rel_l2 > *result.tolerance) result.is_wrong = true;
}

}  // namespace

std::string_view name_of(Ending ending) {
  constexpr std::array<std::string_view, 7> kNames{"ran", "refused", "absent", "crash", "timeout", "oom", "skipped"};
  return kNames[static_cast<std::size_t>(ending)];
}

std::optional<double> tolerance_for(const std::string& dtype, Tolerance tolerance) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kNormal{
      {{"fp64", 1e-12}, {"fp32", 1e-5}, {"fp16", 2e-3}, {"bf16", 1e-2}, {"fp8_e4m3", 6e-2}, {"fp8_e5m2", 0.12}}};
  const auto found =
      std::find_if(kNormal.begin(), kNormal.end(), [&](const auto& each) { return each.first == dtype; });
  if (found == kNormal.end()) return std::nullopt;
  if (tolerance == Tolerance::exact) return 0.0;
  return tolerance == Tolerance::loose ? 10 * found->second : found->second;
}

std::string looks_like(const std::string& dtype, double rel_l2) {
  if (dtype != "fp32") return "";
  if (rel_l2 >= 5e-5 && rel_l2 < 1e-3) return "tf32 or fp16";
  return rel_l2 >= 1e-3 && rel_l2 < 1e-2 ? "bf16" : "";
}

CaseResult judge(const Operator& op, const Case& what, const json::object& row, const std::string& device,
                 const std::vector<std::string>& warns) {
  CaseResult result;
  result.what = what;
  result.ending = ending_of(row);
  result.message = text_in(row, "message");
  result.called = text_in(row, "called");
  take_fallback(row, result);
  if (const json::value* warnings = row.if_contains("warnings"); warnings && warnings->is_array()) {
    for (const json::value& each : warnings->as_array()) {
      if (each.is_string()) result.warnings.emplace_back(each.as_string());
    }
  }
  if (result.ending != Ending::ran) return result;
  result.rel_l2 = number_in(row, "rel_l2");
  result.mismatched = count_in(row, "mismatched");
  result.nan = count_in(row, "nan");
  const json::value* differs = row.if_contains("shape_differs");
  result.shape_differs = differs && differs->is_bool() && differs->as_bool();
  result.no_reference = text_in(row, "no_reference");
  result.result_device = text_in(row, "device_of_result");
  if (const auto took = number_in(row, "time_ns")) result.time_ns = static_cast<std::int64_t>(*took);
  judge_numbers(op, result);
  result.is_elsewhere =
      !brings_to_host(op) && !result.result_device.empty() && !is_same_device(device, result.result_device);
  result.by_trace = is_fallback(op, result);
  result.by_warning = warns_of_fallback(result, warns);
  return result;
}

CaseResult without_row(const Case& what, const probe::Fault& fault) {
  CaseResult result;
  result.what = what;
  result.message = fault.message;
  switch (fault.reason) {
    case probe::Reason::crash:
      result.ending = Ending::crash;
      break;
    case probe::Reason::timeout:
      result.ending = Ending::timeout;
      break;
    case probe::Reason::oom:
      result.ending = Ending::oom;
      break;
    case probe::Reason::absent_in_torch:
      result.ending = Ending::absent;
      break;
    case probe::Reason::unsupported:
      result.ending = Ending::refused;
      break;
    default:
      result.ending = Ending::skipped;
  }
  return result;
}

}  // namespace scoville::operators
