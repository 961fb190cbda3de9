#include "report/cells.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/duration.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {

using analyse::Latency;
using text::Msg;
using text::say;

std::string utc(Nanos wall) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(wall).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::string number(std::optional<double> value) {
  if (!value) return kNone;
  if (*value >= 1000) return fmt::format("{:.0f}", *value);
  return fmt::format("{:.4g}", *value);
}

std::string span(std::optional<Nanos> value) { return value ? format_duration(*value) : kNone; }

std::string span(std::optional<Nanos> value, std::optional<Nanos> at_least) {
  return at_least ? "> " + format_duration(*at_least) : span(value);
}

std::string cell(const analyse::Quantile* quantile) {
  if (!quantile) return kNone;
  if (quantile->at_least) return "> " + format_duration(*quantile->at_least);
  if (!quantile->value) return kNone;
  return format_duration(*quantile->value) + (quantile->is_supported ? "" : "*");
}

std::string latency_name(Latency which) {
  switch (which) {
    case Latency::ttft:
      return say(Msg::row_ttft);
    case Latency::ttfa:
      return say(Msg::row_ttfa);
    case Latency::tpot:
      return say(Msg::row_tpot);
    case Latency::ntpot:
      return say(Msg::row_ntpot);
    case Latency::icl:
      return say(Msg::row_icl);
    case Latency::e2e:
      return say(Msg::row_e2e);
  }
  return "";
}

std::string verdict_name(analyse::Verdict verdict) {
  return say(verdict == analyse::Verdict::ok        ? Msg::instrument_ok
             : verdict == analyse::Verdict::suspect ? Msg::instrument_suspect
                                                    : Msg::instrument_bottleneck);
}

std::string cost_value(const std::optional<analyse::Price>& price, const analyse::Throughput& rates) {
  if (!price) return say(Msg::value_cost);
  const analyse::UnitCost cost = analyse::unit_cost(*price, rates);
  const auto money = [&](std::optional<double> amount) {
    return amount ? to_string(Money{*amount, cost.currency}) : std::string(kNone);
  };
  return say(Msg::value_cost_rate, money(cost.blended), money(cost.on_output), money(cost.on_input));
}

}  // namespace scoville::report
