#include "probe/reason.hpp"

#include <array>

namespace scoville::probe {
namespace {

constexpr std::array<std::string_view, 15> kNames{
    "absent_in_torch", "unsupported", "oom",   "timeout",      "crash",       "no_permission",   "no_tool", "no_device",
    "oversubscribed",  "throttled",   "noisy", "wrong_result", "bad_request", "not_implemented", "failed"};

}  // namespace

std::string_view name_of(Reason reason) { return kNames[static_cast<std::size_t>(reason)]; }

std::optional<Reason> reason_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Reason>(i);
  }
  return std::nullopt;
}

}  // namespace scoville::probe
