#include "report/model_based.hpp"

#include <fmt/format.h>

#include "report/cells.hpp"
#include "text/catalogue/fit.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

std::optional<double> seconds_of(const analyse::Quantile* quantile) {
  return quantile && quantile->value ? std::optional(to_seconds(*quantile->value)) : std::nullopt;
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

}  // namespace

fit::Share model_based_share(const analyse::Analysis& analysis, const BenchSubject& subject) {
  fit::Measured measured;
  const std::optional<double> output = analysis.rates.output_tokens_per_s.full,
                              total = analysis.rates.total_tokens_per_s.full;
  measured.tpot_s = seconds_of(analysis.latency(analyse::Latency::tpot).at(0.5));
  measured.output_tokens_per_s = output;
  if (output && total) measured.prompt_tokens_per_s = *total - *output;
  measured.prompt_tokens = analysis.mean_prompt_tokens;
  measured.output_tokens = analysis.mean_output_tokens;
  return fit::share_of_run(subject.system, subject.devices, fit::built_in_devices(), measured);
}

json::object model_based_json(const fit::Share& share) {
  const bool is_known = share.reason == fit::NoShare::none;
  return {{"mbu", number_or_null(share.mbu)},
          {"mfu", number_or_null(share.mfu)},
          {"device", is_known ? json::value(share.device) : json::value(nullptr)},
          {"devices", is_known ? json::value(share.devices) : json::value(nullptr)},
          {"reason", is_known ? json::value(nullptr) : json::value(fit::name_of(share.reason))}};
}

std::string model_based_line(const fit::Share& share) {
  if (!share.mbu) return "";
  const std::string mfu = share.mfu ? percent(*share.mfu) : std::string(kNone);
  return text::wrapped(text::say(text::FitMsg::share_line, percent(*share.mbu), mfu, share.devices, share.device),
                       kLineWidth, 0);
}

}  // namespace scoville::report
