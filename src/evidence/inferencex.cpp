#include <array>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

/// Its client is made from vLLM's; the file has its statistics in seconds, without "_ms".
constexpr std::array<Theirs, 5> kLatencies{{
    {"ttft", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds},
    {"tpot", Metric::tpot, Definition::tpot_from_latency, Unit::seconds},
    {"itl", Metric::icl, Definition::icl_choice_chunks, Unit::seconds},
    {"e2el", Metric::e2e, Definition::e2e_choice_chunk, Unit::seconds},
    {"intvty", Metric::none, Definition::inverse_tpot, Unit::tokens_per_second},
}};

std::string statistic_in(std::string_view key, std::string_view name) {
  const std::string end = "_" + std::string(name);
  if (!key.ends_with(end)) return "";
  key.remove_suffix(end.size());
  if (key == "mean" || key == "std") return std::string(key);
  return key == "median" ? "p50" : key.starts_with('p') ? percentile(key) : "";
}

struct PerDevice {
  std::string_view key;
  Metric metric;
};
constexpr std::array<PerDevice, 3> kPerDevice{{{"tput_per_gpu", Metric::total_tokens_per_s},
                                               {"output_tput_per_gpu", Metric::output_tokens_per_s},
                                               {"input_tput_per_gpu", Metric::input_tokens_per_s}}};

/// On one node the file's rates are the service's ÷ `tp`, so that × `tp` gives it back exactly. Where prefill and
/// decode have devices of their own the three are divided by different numbers: only the sum is converted.
void put_rates(ExternalResult& out, const Members& file) {
  const auto tp = file.number("tp"), prefill = file.number("num_prefill_gpu"), decode = file.number("num_decode_gpu");
  const auto add = [&](const PerDevice& rate, std::optional<double> devices, const char* by) {
    const auto value = file.number(rate.key);
    const Definition definition = devices ? Definition::rate_per_device : Definition::rate_per_device_split;
    const Theirs what{rate.key, devices ? rate.metric : Metric::none, definition, Unit::tokens_per_second};
    put_value(out, value && devices ? std::optional(*value * *devices) : value, std::string(rate.key), what, "",
              devices ? "* " + std::string(by) : "");
  };
  const auto sum = prefill && decode ? std::optional(*prefill + *decode) : std::nullopt;
  for (const PerDevice& each : kPerDevice) {
    if (!file.has(each.key)) continue;
    if (!sum) {
      add(each, tp, "tp");
    } else if (each.metric == Metric::total_tokens_per_s) {
      add(each, sum, "(num_prefill_gpu + num_decode_gpu)");
    } else if (each.metric == Metric::output_tokens_per_s) {
      add(each, decode, "num_decode_gpu");
    } else {
      add(each, prefill, "num_prefill_gpu");
    }
  }
}

}  // namespace

bool is_inferencex(const json::object& object) { return has_all(object, {"hw", "tput_per_gpu", "conc"}); }

ExternalResult read_inferencex(const Members& file) {
  ExternalResult out;
  out.tool = Tool::inferencex;
  out.model = file.text("model");
  out.endpoint = file.text("framework");
  if (const std::string hw = file.text("hw"); !hw.empty()) out.endpoint += (out.endpoint.empty() ? "" : " on ") + hw;
  out.load.concurrency = file.count("conc");
  out.load.input_tokens = file.number("isl");
  out.load.output_tokens = file.number("osl");
  out.quantile_rule = QuantileRule::linear;
  out.token_source = TokenSource::usage_retokenised;
  for (const Theirs& what : kLatencies) {
    for (const auto& pair : file.object()) {
      const std::string statistic = statistic_in(pair.key(), what.name);
      if (!statistic.empty()) put(out, file, pair.key(), what, statistic);
    }
  }
  put_rates(out, file);
  for (const char* key : {"joules_per_output_token", "joules_per_total_token", "joules_per_input_token"})
    put(out, file, key, {key, Metric::none, Definition::other, Unit::theirs});
  return out;
}

}  // namespace scoville::evidence
