#include "fit/devices.hpp"

#include <algorithm>
#include <cctype>

#include "text/nearest.hpp"

namespace scoville::fit {
namespace {

/// "NVIDIA H100 80GB HBM3" → "nvidiah10080gbhbm3".
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || byte >= 0x80) out += static_cast<char>(std::tolower(byte));
  }
  return out;
}

/// Smaller is nearer: a name within the other first, then letters to change.
std::size_t distance(const std::string& word, const Device& device) {
  std::size_t least = 1000;
  std::vector<std::string> names = device.prints;
  names.insert(names.end(), {device.id, device.name});
  for (const std::string& each : names) {
    const std::string known = plain(each);
    const bool holds = known.find(word) != std::string::npos || word.find(known) != std::string::npos;
    least = std::min(least, holds ? 0 : text::edit_distance(word, known));
  }
  return least;
}

}  // namespace

std::string_view name_of(Confidence confidence) {
  constexpr std::array<std::string_view, 3> kNames{"low", "medium", "high"};
  return kNames[static_cast<std::size_t>(confidence)];
}
std::string_view name_of(Precision precision) {
  constexpr std::array<std::string_view, kPrecisionCount> kNames{"fp64", "fp32", "tf32", "fp16",
                                                                 "bf16", "fp8",  "int8", "fp4"};
  return kNames[static_cast<std::size_t>(precision)];
}
std::string_view name_of(OneIs one_is) {
  constexpr std::array<std::string_view, 3> kNames{"package", "die", "card"};
  return kNames[static_cast<std::size_t>(one_is)];
}
std::string_view name_of(Availability status) {
  constexpr std::array<std::string_view, 3> kNames{"announced", "sampled", "on sale"};
  return kNames[static_cast<std::size_t>(status)];
}

const Device* Catalogue::find(std::string_view name) const {
  const std::string word = plain(name);
  if (word.empty()) return nullptr;
  const auto is_it = [&](const Device& device) {
    return plain(device.id) == word || plain(device.name) == word ||
           std::any_of(device.prints.begin(), device.prints.end(),
                       [&](const std::string& each) { return plain(each) == word; });
  };
  const auto found = std::find_if(all_.begin(), all_.end(), is_it);
  return found == all_.end() ? nullptr : &*found;
}

std::vector<std::string> Catalogue::near(std::string_view name) const {
  constexpr std::size_t kMost = 5;
  const std::string word = plain(name);
  const std::size_t farthest = word.size() / 3;
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const Device& each : all_) {
    if (const std::size_t apart = distance(word, each); apart <= farthest) ranked.emplace_back(apart, each.id);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMost); ++i) out.push_back(ranked[i].second);
  return out;
}

void Catalogue::put(Device device) {
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const Device& each) { return each.id == device.id; });
  if (same == all_.end()) {
    all_.push_back(std::move(device));
  } else {
    *same = std::move(device);
  }
}

}  // namespace scoville::fit
