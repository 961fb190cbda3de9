#pragma once

#include <string>

#include "analyse/analysis.hpp"
#include "base/json.hpp"

namespace scoville::report {

/// What stands beside the figures of the load: how a trace kept its times, conversations, requests given up on purpose,
/// the probe. One line each; none where there was none.
std::string beside_lines(const analyse::Analysis& analysis);
/// Latencies by turn, with a head; empty where nothing was a conversation.
std::string turn_table(const analyse::Analysis& analysis);
/// The same as members of the run's object: lateness, conversations, cancelled, probe; null where there was none.
void put_beside(const analyse::Analysis& analysis, json::object& out);

}  // namespace scoville::report
