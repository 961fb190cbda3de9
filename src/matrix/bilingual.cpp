#include "matrix/bilingual.hpp"

namespace scoville::matrix {

text::Phrase maybe_phrase_at(const config::Node& parent, const std::string& key) {
  const config::Node found = parent.maybe(key);
  if (!found.exists()) return {};
  if (found.is_map()) return {found.text("en"), found.text("zh")};
  const std::string both = found.as_text();
  return {both, both};
}

text::Phrase phrase_at(const config::Node& parent, const std::string& key) {
  if (!parent.has(key)) return {parent.text(key), ""};  // notes that it is missing
  return maybe_phrase_at(parent, key);
}

}  // namespace scoville::matrix
