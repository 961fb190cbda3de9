#include "readiness/check.hpp"

#include <algorithm>
#include <array>

namespace scoville::readiness {
namespace {

constexpr std::array<std::string_view, kItems> kNames{"visible",
                                                      "count",
                                                      "allocate",
                                                      "copy",
                                                      "add",
                                                      "synchronise",
                                                      "read_back",
                                                      "framework",
                                                      "transformers",
                                                      "engine",
                                                      "image",
                                                      "telemetry",
                                                      "compiler",
                                                      "operator_library",
                                                      "communication_library",
                                                      "profiler",
                                                      "triton"};
constexpr std::array<std::string_view, 3> kVerdicts{"yes", "no", "unknown"};

}  // namespace

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdict_named(std::string_view name) {
  const auto found = std::ranges::find(kVerdicts, name);
  if (found == kVerdicts.end()) return std::nullopt;
  return static_cast<Verdict>(found - kVerdicts.begin());
}

std::string_view name_of(Item item) { return kNames[static_cast<std::size_t>(item)]; }

std::optional<Item> item_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Item>(found - kNames.begin());
}

bool is_required(Item item) { return item <= Item::framework; }
bool is_layer(Item item) { return item >= Item::framework; }

Finding judge(std::vector<Check> checks, const std::vector<Item>& asked_for) {
  Finding finding;
  for (std::size_t i = 0; i < kItems; ++i) {
    const Item item = static_cast<Item>(i);
    const auto found = std::ranges::find(checks, item, &Check::item);
    finding.checks.push_back(found == checks.end() ? Check{item, Verdict::unknown, "", ""} : std::move(*found));
  }
  const auto first = [&](Verdict verdict) -> std::optional<Item> {
    for (const Check& each : finding.checks) {
      const bool counts = is_required(each.item) || std::ranges::find(asked_for, each.item) != asked_for.end();
      if (counts && each.verdict == verdict) return each.item;
    }
    return std::nullopt;
  };
  finding.is_ready = Verdict::yes;
  if ((finding.first_missing = first(Verdict::no))) {
    finding.is_ready = Verdict::no;
  } else if ((finding.first_missing = first(Verdict::unknown))) {
    finding.is_ready = Verdict::unknown;
  }
  for (const Check& each : finding.checks) {
    if (!is_layer(each.item)) continue;
    finding.layers_missing.low += each.verdict == Verdict::no;
    finding.layers_missing.high += each.verdict != Verdict::yes;
  }
  finding.layers_missing.value = finding.layers_missing.low;
  return finding;
}

}  // namespace scoville::readiness
