#include "evidence/chunk_arrays.hpp"

#include <cmath>
#include <numeric>

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;

struct Arrays {
  std::vector<double> ttfts, output_lens, latencies;
  std::vector<std::vector<double>> itls;
  std::vector<bool> has_error;
};

std::vector<std::vector<double>> lists_of(const Members& file, std::string_view key) {
  std::vector<std::vector<double>> out;
  const json::array* const lists = file.list(key);
  if (!lists) return out;
  for (const json::value& each : *lists) {
    const json::array* const list = each.if_array();
    if (!list) {
      file.fault().set(file.path_of(key), Msg::external_expected_list);
      return {};
    }
    std::vector<double>& gaps = out.emplace_back();
    for (const json::value& gap : *list) {
      if (gap.is_number()) gaps.push_back(gap.to_number<double>());
      if (!gap.is_number() && !gap.is_null()) file.fault().set(file.path_of(key), Msg::external_expected_numbers);
    }
  }
  return out;
}

Arrays read_arrays(const Members& file) {
  Arrays out;
  out.ttfts = file.numbers("ttfts");
  out.output_lens = file.numbers("output_lens");
  out.latencies = file.numbers("latencies");
  out.itls = lists_of(file, "itls");
  out.has_error.resize(out.ttfts.size());
  const json::array* const errors = file.list("errors");
  for (std::size_t i = 0; errors && i < errors->size() && i < out.has_error.size(); ++i)
    out.has_error[i] = (*errors)[i].is_string() && !(*errors)[i].get_string().empty();
  const std::size_t n = out.ttfts.size();
  const bool fit =
      out.itls.size() == n && out.output_lens.size() == n && (out.latencies.empty() || out.latencies.size() == n);
  if (!fit)
    file.fault().set(
        say(Msg::external_expected, "ttfts, itls, output_lens, latencies", say(Msg::external_expected_lengths, n)));
  return out;
}

void add(RequestValues& to, const Arrays& from, std::size_t i) {
  const double ttft = from.ttfts[i], n = from.output_lens[i];
  const double chunks = std::accumulate(from.itls[i].begin(), from.itls[i].end(), 0.0);
  const double latency = from.latencies.empty() ? ttft + chunks : from.latencies[i];
  to.ttft.push_back(ttft);
  if (std::isfinite(latency)) to.e2e.push_back(latency);
  if (n > 1) to.tpot.push_back(chunks / (n - 1));
  if (n > 0 && std::isfinite(latency)) to.ntpot.push_back(latency / n);
  to.icl.insert(to.icl.end(), from.itls[i].begin(), from.itls[i].end());
}

}  // namespace

void put_chunk_arrays(ExternalResult& result, const Members& file, const RequestDefinitions& definitions) {
  const json::array* const ttfts = file.list("ttfts");
  if (!ttfts || ttfts->empty()) return;
  const Arrays arrays = read_arrays(file);
  if (file.fault()) return;
  RequestValues values;
  values.attempted = arrays.ttfts.size();
  std::int64_t failed = 0;
  for (std::size_t i = 0; i < arrays.ttfts.size(); ++i) {
    if (arrays.has_error[i] || !(arrays.ttfts[i] > 0)) {
      ++failed;
    } else {
      add(values, arrays, i);
    }
  }
  if (!result.counts.failed) result.counts.failed = failed;
  put_recomputed(result, std::move(values), definitions, "ttfts, itls, output_lens");
}

}  // namespace scoville::evidence
