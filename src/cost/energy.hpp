#pragma once

namespace scoville::cost {

/// Power of a node as planners provision it, by the rule of MLPerf Endpoints (v1.0 draft): the sum of its TDPs, and 30
/// % more with liquid cooling, 50 % with air.
double provisioned_watts(double cpu_w, double accelerators_w, double switch_w, bool is_liquid);

/// The rule of dashboards that take a card to be busy all the time: what an hour of it costs ÷ what it makes in an
/// hour. Shown beside the model for comparison: it leaves utilisation out.
double hourly_rule(double money_per_acc_hour, double tokens_per_s);

/// Tokens/s for each MW, joules for each token, of an accelerator that takes so many kW.
double tokens_per_mw(double tokens_per_s, double kw);
double joules_per_token(double tokens_per_s, double kw);

}  // namespace scoville::cost
