#include "decide/fleet.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "config/node.hpp"
#include "text/catalogue/canary.hpp"

namespace scoville::decide {

const char* embedded_metric_aliases();

namespace {

using config::Node;
using telemetry::Scrape;
using telemetry::Selector;
using text::CanaryMsg;
using text::say;

constexpr std::array<std::string_view, 3> kLatencies{"ttft", "tpot", "e2e"};

Selector read_selector(const Node& node) {
  return {node.text("name"), node.text_or("label", ""), node.maybe_texts("values")};
}

std::vector<Selector> read_requests(const Node& node) {
  std::vector<Selector> out;
  if (!node.exists()) return out;
  out.push_back(read_selector(node));
  for (const Node& each : node.maybe_list("plus")) out.push_back(read_selector(each));
  return out;
}

void read_into(const Node& root, MetricAliases& out) {
  for (const Node& each : root.maybe_list("ways")) {
    MetricAliases::Way way{each.text("engine"), read_requests(each.map("requests")), {}};
    for (const Node& failed : each.maybe_list("failed"))
      way.failed.push_back({read_selector(failed), failed.flag_or("absent_is_zero", false)});
    out.ways.push_back(std::move(way));
  }
  for (std::size_t i = 0; i < kLatencies.size(); ++i) {
    for (const Node& each : root.maybe_list(std::string(kLatencies[i])))
      out.latencies[static_cast<FleetLatency>(i)].push_back(read_selector(each));
  }
}

bool shows(std::span<const Scrape> scrapes, const Selector& selector) {
  return std::any_of(scrapes.begin(), scrapes.end(), [&](const Scrape& scrape) {
    return std::any_of(scrape.samples.begin(), scrape.samples.end(),
                       [&](const telemetry::Sample& each) { return selector.takes(each); });
  });
}

bool shows_histogram(std::span<const Scrape> scrapes, Selector selector) {
  selector.name += "_bucket";
  return shows(scrapes, selector);
}

/// Known where such a sample is there, or where its absence says as much.
std::optional<std::vector<double>> failures(std::span<const Scrape> scrapes, const MetricAliases::Way& way) {
  std::vector<Selector> selectors;
  bool is_known = false;
  for (const MetricAliases::Failed& each : way.failed) {
    selectors.push_back(each.selector);
    is_known |=
        shows(scrapes, each.selector) || (each.absent_is_zero && shows(scrapes, Selector{each.selector.name, "", {}}));
  }
  if (!is_known) return std::nullopt;
  std::vector<double> out = telemetry::increase(scrapes, selectors);
  if (out.empty()) out.assign(scrapes.size(), 0);
  return out;
}

FleetSeries series_of(std::span<const Scrape> scrapes, const MetricAliases::Way& way) {
  FleetSeries out;
  for (const Scrape& each : scrapes) out.at.push_back(each.at);
  out.requests = telemetry::increase(scrapes, way.requests);
  out.failed = failures(scrapes, way);
  return out;
}

/// Requests at most this slow, as far as buckets tell: by the bound below the limit, and by the one at or above it.
struct Within {
  double least = 0, most = 0;
};
Within within(const std::map<double, std::vector<double>>& buckets, double limit, std::size_t from, std::size_t upto) {
  constexpr double kRounding = 1e-9;  // 0.25 s as 250 ms
  const auto grown = [&](auto at) { return at->second[upto] - at->second[from]; };
  const auto above = buckets.lower_bound(limit * (1 - kRounding));
  Within out;
  out.most = above == buckets.end() ? grown(std::prev(buckets.end())) : grown(above);
  if (above != buckets.end() && above->first <= limit * (1 + kRounding))
    out.least = out.most;
  else if (above != buckets.begin())
    out.least = grown(std::prev(above));
  return out;
}

}  // namespace

std::string_view name_of(FleetLatency latency) { return kLatencies[static_cast<std::size_t>(latency)]; }

std::optional<FleetLatency> fleet_latency(std::string_view name) {
  const auto found = std::find(kLatencies.begin(), kLatencies.end(), name);
  if (found == kLatencies.end()) return std::nullopt;
  return static_cast<FleetLatency>(found - kLatencies.begin());
}

Result<MetricAliases> read_aliases(const std::string& yaml, const std::string& where) {
  MetricAliases out;
  if (!where.empty()) {
    const Result<Node> own = Node::parse(yaml, where);
    if (!own) return own.error();
    read_into(*own, out);
    if (const Status sound = own->finish(); !sound) return sound.error();
  }
  const Result<Node> built_in = Node::parse(embedded_metric_aliases(), "data/metric_aliases.yaml");
  SCOVILLE_CHECK(built_in.ok(), "the built-in aliases can be read");
  read_into(*built_in, out);
  SCOVILLE_CHECK(built_in->finish().ok(), "the built-in aliases are what they must be");
  return out;
}

Result<FleetPair> read_fleets(std::span<const Scrape> base, std::span<const Scrape> candidate,
                              const MetricAliases& aliases) {
  if (base.size() < 2 || candidate.size() < 2)
    return Error{ErrorCode::invalid_argument, say(CanaryMsg::too_few_scrapes, base.size(), candidate.size())};
  const auto way = std::find_if(aliases.ways.begin(), aliases.ways.end(), [&](const MetricAliases::Way& each) {
    return !each.requests.empty() && shows(base, each.requests.front()) && shows(candidate, each.requests.front());
  });
  if (way == aliases.ways.end()) return Error{ErrorCode::unsupported, say(CanaryMsg::no_common_metrics)};
  FleetPair out{way->engine, series_of(base, *way), series_of(candidate, *way), {}};
  for (const auto& [latency, selectors] : aliases.latencies) {
    for (const Selector& each : selectors) {
      if (!shows_histogram(base, each) || !shows_histogram(candidate, each)) continue;
      out.base.buckets[latency] = telemetry::bucket_increase(base, each);
      out.candidate.buckets[latency] = telemetry::bucket_increase(candidate, each);
      out.names[latency] = each.name;
      break;
    }
  }
  return out;
}

std::optional<Misses> misses(const FleetSeries& fleet, FleetLatency latency, Nanos limit, std::size_t from,
                             std::size_t upto) {
  const auto found = fleet.buckets.find(latency);
  if (found == fleet.buckets.end() || found->second.empty()) return std::nullopt;
  const auto& last = std::prev(found->second.end())->second;
  const double count = last[upto] - last[from],
               failed = fleet.failed ? (*fleet.failed)[upto] - (*fleet.failed)[from] : 0;
  const Within inside = within(found->second, to_seconds(limit), from, upto);
  return Misses{count - inside.most + failed, count - inside.least + failed, count + failed};
}

}  // namespace scoville::decide
