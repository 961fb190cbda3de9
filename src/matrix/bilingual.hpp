#pragma once

#include <string>

#include "config/node.hpp"
#include "text/catalogue.hpp"

namespace scoville::matrix {

/// A sentence of a data file: `{en: …, zh: …}`, or one text for both languages. Required.
text::Phrase phrase_at(const config::Node& parent, const std::string& key);
/// The same; empty where the key is not there.
text::Phrase maybe_phrase_at(const config::Node& parent, const std::string& key);

}  // namespace scoville::matrix
