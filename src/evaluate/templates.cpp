#include "evaluate/templates.hpp"

#include "base/check.hpp"

namespace scoville::evaluate {

std::vector<std::pair<const char*, const char*>> embedded_plans();  // name of the file, text

namespace {

void fill(std::string& text, const std::string& place, const std::string& value) {
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + value.size()))
    text.replace(at, place.size(), value);
}

}  // namespace

std::string plan_template(Who who, text::Language language, const std::string& baseline, const std::string& candidate) {
  const std::string ending = "/" + names_of_who()[static_cast<std::size_t>(who)] +
                             (language == text::Language::chinese ? ".zh.yaml" : ".en.yaml");
  for (const auto& [name, content] : embedded_plans()) {
    if (!std::string_view(name).ends_with(ending)) continue;
    std::string out = content;
    fill(out, "{baseline}", baseline);
    fill(out, "{candidate}", candidate);
    return out;
  }
  SCOVILLE_CHECK(false, "there is a plan for everybody");
  return "";
}

}  // namespace scoville::evaluate
