#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "claim/claim.hpp"

namespace scoville::claim {

/// What a sentence says by itself, and in one way only. A thing that could be read twice is not recognised.
struct Recognised {
  std::optional<Ratio> ratio;   ///< "2.1x", "30×", "30-40 % better", "40% lower latency"
  bool is_up_to = false;        ///< "up to"
  std::optional<double> value;  ///< "1,800 tokens/s"
  std::string unit;             ///< "tokens/s"
  std::string metric;           ///< "perf_per_watt", "price_performance", "ttft", "tpot", "throughput", "latency"
  std::string weights;          ///< "fp8"
  std::string model;            ///< "Llama3.1-8B"
  std::string subject;          ///< "MI300X", of "MI300X … than H100"
  std::string comparator;       ///< "H100"
};

/// A sentence in English or Chinese.
Recognised recognise(std::string_view sentence);

}  // namespace scoville::claim
