#pragma once

#include <cstdint>
#include <optional>

namespace scoville::stats {

/// A request that makes several calls is late if any of them is (Dean and Barroso, The Tail at Scale, 2013). The calls
/// are taken as independent; calls that queue behind each other are worse. Shares in [0, 1] and at least one call, else
/// nullopt.

/// With what probability each of n calls must keep its limit so that all do with probability `whole`: whole^(1/n).
/// 0.99 over ten calls asks 0.998995 of each.
std::optional<double> share_each_call_needs(double whole, std::uint64_t calls);

/// How likely at least one of n calls breaks a limit that each keeps with probability `each`: 1 - each^n.
/// At P99 each, 9.6 % of requests with ten calls meet a tail, 63 % with a hundred.
std::optional<double> share_that_meets_a_tail(double each, std::uint64_t calls);

}  // namespace scoville::stats
