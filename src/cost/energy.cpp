#include "cost/energy.hpp"

namespace scoville::cost {

double provisioned_watts(double cpu_w, double accelerators_w, double switch_w, bool is_liquid) {
  return (cpu_w + accelerators_w + switch_w) * (is_liquid ? 1.3 : 1.5);
}

double hourly_rule(double money_per_acc_hour, double tokens_per_s) {
  return money_per_acc_hour / (tokens_per_s * 3600 / 1e6);
}

double tokens_per_mw(double tokens_per_s, double kw) { return tokens_per_s * 1000 / kw; }
double joules_per_token(double tokens_per_s, double kw) { return kw * 1000 / tokens_per_s; }

}  // namespace scoville::cost
