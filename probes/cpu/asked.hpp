#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/host.hpp"
#include "probe/timing.hpp"

namespace scoville::cpu_probe {

/// What a question's parameters say, read. All throw std::invalid_argument where a value is of another kind.

/// `timing`: how samples are taken; `cold`: whether cold times are wanted too.
struct AskedTiming {
  probe::TimingPlan plan;
  bool is_cold_too = false;
};
AskedTiming asked_timing(const probe::Question& question);

/// Positive numbers; `fallback` where there are none.
std::vector<std::size_t> asked_sizes(const probe::Question& question, std::string_view key,
                                     std::vector<std::size_t> fallback);
std::vector<std::string> asked_words(const probe::Question& question, std::string_view key,
                                     std::vector<std::string> fallback);

/// A list of objects; empty where there is none.
std::vector<json::object> asked_objects(const probe::Question& question, std::string_view key);
/// A positive whole number of an object; `fallback` where it is missing.
std::size_t size_in(const json::object& object, std::string_view key, std::optional<std::size_t> fallback = {});

/// `hot`, and `cold` where it is wanted, put into the row: of calls that return when their work is done. A call does
/// its work `times` over: figures are of one.
void put_times(json::object& row, probe::Subject subject, const AskedTiming& timing, double times = 1);

}  // namespace scoville::cpu_probe
