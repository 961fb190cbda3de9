#include "plan/slo.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/duration.hpp"
#include "text/catalogue.hpp"

namespace scoville::plan {
namespace {

using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kNames{"ttft", "ttfa", "tpot", "e2e"};

std::optional<SloMetric> metric_of(std::string_view name) {
  if (name == "e2el") return SloMetric::e2e;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SloMetric>(i);
  }
  return std::nullopt;
}

/// "p99.9": 0.999.
std::optional<double> share_of(std::string_view word) {
  if (word.size() < 2 || (word.front() != 'p' && word.front() != 'P')) return std::nullopt;
  double percent = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, fault] = std::from_chars(word.data() + 1, end, percent);
  if (fault != std::errc() || stopped != end || !(percent >= 1 && percent <= 99.999)) return std::nullopt;
  return percent / 100;
}

std::optional<Slo> parse_one(std::string_view word) {
  const std::size_t first = word.find(':');
  const std::size_t second = first == std::string_view::npos ? first : word.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto metric = metric_of(word.substr(0, first));
  const auto share = share_of(word.substr(first + 1, second - first - 1));
  const auto limit = parse_duration(word.substr(second + 1), std::chrono::milliseconds(1));
  if (!metric || !share || !limit || *limit <= Nanos::zero()) return std::nullopt;
  const bool has_unit = word.back() < '0' || word.back() > '9';
  return Slo{*metric, *share, *limit, std::string(word) + (has_unit ? "" : "ms")};
}

}  // namespace

std::string_view name_of(SloMetric metric) { return kNames[static_cast<std::size_t>(metric)]; }

Result<std::vector<Slo>> parse_slos(std::string_view text) {
  std::vector<Slo> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(", "), text.size());
    const std::optional<Slo> slo = parse_one(text.substr(0, end));
    if (!slo) return Error{ErrorCode::invalid_argument, say(Msg::saturate_expected_slo)};
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const Slo& each) {
      return each.metric == slo->metric && each.share == slo->share;
    });
    if (is_known) {
      const std::string_view middle = std::string_view(slo->text).substr(slo->text.find(':') + 1);
      return Error{ErrorCode::invalid_argument,
                   say(Msg::saturate_slo_twice, name_of(slo->metric), middle.substr(0, middle.find(':')))};
    }
    out.push_back(*slo);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (out.empty()) return Error{ErrorCode::invalid_argument, say(Msg::saturate_expected_slo)};
  return out;
}

}  // namespace scoville::plan
