#include "telemetry/increase.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace scoville::telemetry {
namespace {

bool is_value(const std::string& pattern, std::string_view value) {
  if (pattern.ends_with('*')) return value.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
  return value == pattern;
}

std::string series_of(const Sample& sample) {
  std::vector<std::string> labels;
  for (const Label& each : sample.labels) labels.push_back(each.name + "\x1f" + each.value);
  std::sort(labels.begin(), labels.end());
  std::string out = sample.name;
  for (const std::string& each : labels) out += "\x1e" + each;
  return out;
}

/// One series after the other, scrape by scrape.
class Growth {
 public:
  /// `is_first`: nothing was seen before this scrape, so that what a counter shows is no growth.
  double add(const Sample& sample, bool is_first) {
    const auto [found, is_new] = last_.try_emplace(series_of(sample), sample.value);
    if (is_new) return is_first ? 0 : sample.value;
    const double before = std::exchange(found->second, sample.value);
    return sample.value >= before ? sample.value - before : sample.value;
  }

 private:
  std::map<std::string, double> last_;
};

bool takes(std::span<const Selector> selectors, const Sample& sample) {
  return std::any_of(selectors.begin(), selectors.end(), [&](const Selector& each) { return each.takes(sample); });
}

/// `le` of a bucket; nothing where it cannot be read.
std::optional<double> bound_of(const Sample& sample) {
  const std::string_view le = sample.label("le");
  if (le == "+Inf" || le == "Inf") return std::numeric_limits<double>::infinity();
  double out = 0;
  const auto read = std::from_chars(le.data(), le.data() + le.size(), out);
  if (read.ec != std::errc() || read.ptr != le.data() + le.size()) return std::nullopt;
  return out;
}

}  // namespace

bool Selector::takes(const Sample& sample) const {
  if (sample.name != name || !std::isfinite(sample.value)) return false;
  if (label.empty()) return true;
  const std::string_view value = sample.label(label);
  return std::any_of(values.begin(), values.end(), [&](const std::string& each) { return is_value(each, value); });
}

std::vector<double> increase(std::span<const Scrape> scrapes, std::span<const Selector> selectors) {
  Growth growth;
  std::vector<double> out;
  bool is_seen = false;
  double sum = 0;
  for (std::size_t i = 0; i < scrapes.size(); ++i) {
    for (const Sample& sample : scrapes[i].samples) {
      if (!takes(selectors, sample)) continue;
      is_seen = true;
      sum += growth.add(sample, i == 0);
    }
    out.push_back(sum);
  }
  return is_seen ? out : std::vector<double>();
}

std::map<double, std::vector<double>> bucket_increase(std::span<const Scrape> scrapes, const Selector& histogram) {
  Selector buckets = histogram;
  buckets.name += "_bucket";
  Growth growth;
  std::map<double, std::vector<double>> out;
  for (std::size_t i = 0; i < scrapes.size(); ++i) {
    for (auto& [bound, sums] : out) sums.push_back(sums.back());
    for (const Sample& sample : scrapes[i].samples) {
      const std::optional<double> bound = buckets.takes(sample) ? bound_of(sample) : std::nullopt;
      if (!bound) continue;
      auto& sums = out.try_emplace(*bound, i + 1, 0.0).first->second;
      sums.back() += growth.add(sample, i == 0);
    }
  }
  return out;
}

}  // namespace scoville::telemetry
