#include "decide/model_identity.hpp"

#include <algorithm>
#include <cctype>

namespace scoville::decide {
namespace {

/// "Qwen/Qwen3-8B", "/models/Qwen3-8B/" and "qwen3-8b.gguf" are one name.
std::string plain_name(std::string name) {
  while (name.ends_with('/')) name.pop_back();
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".gguf")) name.erase(name.size() - 5);
  return name;
}

std::string name_in(const Setup& setup) {
  const std::string id = setup.system.text("model.id");
  return id.empty() ? setup.shape.model : id;
}

/// What its weights were made from, where somebody says so; else themselves.
std::string origin(const Setup& setup) {
  const std::string derivation = setup.system.text("model.derivation");
  constexpr std::string_view kFrom = "derived from ";
  if (derivation.starts_with(kFrom)) return derivation.substr(kFrom.size());
  return "";
}

bool is_origin_of(const Setup& setup, const std::string& origin) {
  if (origin.empty()) return false;
  return origin == setup.system.text("model.sha256") || origin == setup.system.text("model.repository") ||
         plain_name(origin) == plain_name(name_in(setup));
}

std::string shown(const Setup& setup) {
  const std::string hash = setup.system.text("model.sha256"), revision = setup.system.text("model.revision");
  std::string out = name_in(setup);
  if (!hash.empty()) out += " " + hash.substr(0, 12);
  if (hash.empty() && !revision.empty()) out += " " + revision.substr(0, 12);
  return out;
}

}  // namespace

bool is_other_precision_of(const Setup& base, const Setup& candidate) {
  const std::string ours = base.system.text("model.sha256"), theirs = candidate.system.text("model.sha256");
  if (ours.empty() || theirs.empty() || ours == theirs) return false;
  const std::string ours_from = origin(base), theirs_from = origin(candidate);
  return is_origin_of(base, theirs_from) || is_origin_of(candidate, ours_from) ||
         (!ours_from.empty() && ours_from == theirs_from);
}

Reading read_model(const Setup& base, const Setup& candidate) {
  Reading out{FieldState::unknown, shown(base), shown(candidate)};
  const auto both = [&](const char* key) { return std::pair{base.system.text(key), candidate.system.text(key)}; };
  const auto [ours, theirs] = both("model.sha256");
  if (!ours.empty() && !theirs.empty()) {
    const bool is_same = ours == theirs || is_other_precision_of(base, candidate);
    out.state = is_same ? FieldState::equal : FieldState::different;
    return out;
  }
  if (plain_name(name_in(base)) != plain_name(name_in(candidate))) {
    out.state = FieldState::different;
    return out;
  }
  const auto [our_revision, their_revision] = both("model.revision");
  if (!our_revision.empty() && !their_revision.empty())
    out.state = our_revision == their_revision ? FieldState::equal : FieldState::different;
  return out;
}

}  // namespace scoville::decide
