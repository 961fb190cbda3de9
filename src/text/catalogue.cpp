#include "text/catalogue.hpp"

#include <array>
#include <atomic>

#include "base/check.hpp"

namespace scoville::text {
namespace {

struct Entry {
  std::string_view name, english, chinese;
};

constexpr std::array kEntries{
#define SCOVILLE_MESSAGE(key, english, chinese) Entry{#key, english, chinese},
#include "text/catalogue/all.inc"
#undef SCOVILLE_MESSAGE
};

std::atomic<Language> current{Language::english};

const Entry& entry(Msg key) { return kEntries[static_cast<std::size_t>(key)]; }

}  // namespace

void set_language(Language language) { current = language; }
Language language() { return current; }

Language language_from(std::string_view tag) { return tag.starts_with("zh") ? Language::chinese : Language::english; }

std::string_view raw(Msg key, Language language) {
  return language == Language::chinese ? entry(key).chinese : entry(key).english;
}

std::string_view name_of(Msg key) { return entry(key).name; }

std::size_t message_count() { return kEntries.size(); }

std::string vsay(Msg key, Language language, fmt::format_args args) {
  try {
    const std::string_view sentence = raw(key, language);
    return fmt::vformat(fmt::string_view(sentence.data(), sentence.size()), args);
  } catch (const fmt::format_error&) {
    check_failed("sentence fits its arguments", entry(key).name.data(), __FILE__, __LINE__);
  }
}

}  // namespace scoville::text
