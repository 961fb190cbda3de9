#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scoville::text {

/// The number of an area: sentences with a header of their own, so that a new one makes only its readers compile anew.
/// An area is an enumeration in catalogue/AREA.hpp over catalogue/AREA.inc, with its number here and in catalogue.cpp.
template <class Area>
inline constexpr std::uint32_t kAreaOf = 0;

/// Every sentence a person reads, by key. One line each in catalogue/*.inc: key, English, Chinese.
/// Machine output (JSON, its keys and codes) is English and does not come from here.
class Msg {
 public:
  enum Common : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/all.inc"
#undef SCOVILLE_MESSAGE
  };

  constexpr Msg(Common key) : number_(key) {}  // NOLINT: say(Msg::key)
  template <class Area>
  requires(kAreaOf<Area> > 0) constexpr Msg(Area key)  // NOLINT: say(CostMsg::key)
      : number_(kAreaOf<Area> << 16 | static_cast<std::uint32_t>(key)) {}

  /// Of the catalogue: its area, and its place there.
  constexpr std::uint32_t area_number() const { return number_ >> 16; }
  constexpr std::uint32_t place_in_area() const { return number_ & 0xffff; }
  /// From 0 to message_count() - 1: for whoever looks at all of them.
  static Msg nth(std::size_t i);
  friend constexpr bool operator==(Msg, Msg) = default;

 private:
  struct Raw {
    std::uint32_t number;
  };
  constexpr explicit Msg(Raw raw) : number_(raw.number) {}
  std::uint32_t number_;
};

enum class Language { english, chinese };

/// The language of everything said from now on. Set once by cli before threads start.
void set_language(Language language);
Language language();

/// "en", "zh", and what LANG may hold ("zh_CN.UTF-8", "C"): Chinese if it begins with zh, else English.
Language language_from(std::string_view tag);

/// The sentence as it stands in the catalogue, places unfilled.
std::string_view raw(Msg key, Language language);
std::string_view name_of(Msg key);
std::size_t message_count();

std::string vsay(Msg key, Language language, fmt::format_args args);

/// The sentence in the current language, its places {0}, {1}… filled.
template <class... Args>
std::string say(Msg key, const Args&... args) {
  return vsay(key, language(), fmt::make_format_args(args...));
}

/// The same in a given language: machine output stays English whatever is spoken.
template <class... Args>
std::string say_in(Language language, Msg key, const Args&... args) {
  return vsay(key, language, fmt::make_format_args(args...));
}

/// A sentence said in both languages at once: for what is kept and read later, perhaps by another reader.
struct Phrase {
  std::string english, chinese;
  /// In the current language.
  const std::string& said() const { return language() == Language::chinese ? chinese : english; }
};

template <class... Args>
Phrase phrase(Msg key, const Args&... args) {
  return {say_in(Language::english, key, args...), say_in(Language::chinese, key, args...)};
}

}  // namespace scoville::text
