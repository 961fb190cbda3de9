#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace scoville::text {

/// Every sentence a person reads, by key. One line each in catalogue/*.inc: key, English, Chinese.
/// Machine output (JSON, its keys and codes) is English and does not come from here.
enum class Msg {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/all.inc"
#undef SCOVILLE_MESSAGE
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
