#include "text/catalogue.hpp"

#include <array>
#include <atomic>

#include "base/check.hpp"

namespace scoville::text {
namespace {

struct Entry {
  std::string_view name, english, chinese;
};

#define SCOVILLE_MESSAGE(key, english, chinese) Entry{#key, english, chinese},
constexpr std::array kCommon{
#include "text/catalogue/all.inc"
};
constexpr std::array kConfig{
#include "text/catalogue/config.inc"
};
constexpr std::array kCost{
#include "text/catalogue/cost.inc"
};
constexpr std::array kFit{
#include "text/catalogue/fit.inc"
};
constexpr std::array kMatrix{
#include "text/catalogue/matrix.inc"
};
constexpr std::array kClaim{
#include "text/catalogue/claim.inc"
};
constexpr std::array kEvaluate{
#include "text/catalogue/evaluate.inc"
};
constexpr std::array kCanary{
#include "text/catalogue/canary.inc"
};
constexpr std::array kNext{
#include "text/catalogue/next.inc"
};
constexpr std::array kProbe{
#include "text/catalogue/probe.inc"
};
constexpr std::array kTrace{
#include "text/catalogue/trace.inc"
};
constexpr std::array kOperators{
#include "text/catalogue/operators.inc"
};
constexpr std::array kNumerics{
#include "text/catalogue/numerics.inc"
};
constexpr std::array kPortability{
#include "text/catalogue/portability.inc"
};
constexpr std::array kEngine{
#include "text/catalogue/engine.inc"
};
constexpr std::array kDevice{
#include "text/catalogue/device.inc"
};
constexpr std::array kShapes{
#include "text/catalogue/shapes.inc"
};
constexpr std::array kCapacity{
#include "text/catalogue/capacity.inc"
};
constexpr std::array kReadiness{
#include "text/catalogue/readiness.inc"
};
constexpr std::array kQuickstart{
#include "text/catalogue/quickstart.inc"
};
#undef SCOVILLE_MESSAGE

/// By number of the area.
constexpr std::array<std::span<const Entry>, 20> kAreas{
    kCommon, kConfig,    kCost,     kFit,         kMatrix, kClaim,  kEvaluate, kCanary,   kNext,      kProbe,
    kTrace,  kOperators, kNumerics, kPortability, kEngine, kDevice, kShapes,   kCapacity, kReadiness, kQuickstart};

std::atomic<Language> current{Language::english};

const Entry& entry(Msg key) { return kAreas[key.area_number()][key.place_in_area()]; }

}  // namespace

void set_language(Language language) { current = language; }
Language language() { return current; }

Language language_from(std::string_view tag) { return tag.starts_with("zh") ? Language::chinese : Language::english; }

std::string_view raw(Msg key, Language language) {
  return language == Language::chinese ? entry(key).chinese : entry(key).english;
}

std::string_view name_of(Msg key) { return entry(key).name; }

std::size_t message_count() {
  std::size_t all = 0;
  for (const auto& area : kAreas) all += area.size();
  return all;
}

Msg Msg::nth(std::size_t i) {
  std::uint32_t area = 0;
  while (i >= kAreas[area].size()) i -= kAreas[area++].size();
  return Msg(Raw{area << 16 | static_cast<std::uint32_t>(i)});
}

std::string vsay(Msg key, Language language, fmt::format_args args) {
  try {
    const std::string_view sentence = raw(key, language);
    return fmt::vformat(fmt::string_view(sentence.data(), sentence.size()), args);
  } catch (const fmt::format_error&) {
    check_failed("sentence fits its arguments", entry(key).name.data(), __FILE__, __LINE__);
  }
}

}  // namespace scoville::text
