#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::claim {

/// One place in a sentence where a pattern stands.
struct Found {
  std::size_t at = 0, end = 0;      ///< in bytes
  std::vector<std::string> groups;  ///< [0] the whole
};

/// All places of a pattern (ECMAScript, case ignored), from left to right.
std::vector<Found> find_all(std::string_view text, const char* pattern);

bool has(std::string_view text, const char* pattern);

/// "1,800" is 1800.
double number_of(std::string words);

/// Whether this is an ASCII letter or digit.
bool is_word(char c);

/// What an amount is an amount of.
enum class Good {
  none,  ///< not said
  more,  ///< the more the better: throughput, performance
  less,  ///< the less the better: latency, cost
  open,  ///< power, memory: nothing is said of what was done with it
};

/// A noun that a figure may be of. `is_condition`: it is the place where another figure holds ("at 50 ms TPOT").
struct Noun {
  std::size_t at = 0;
  std::string metric;  ///< as `metric.name` has it; "" where there is no name for it
  Good good = Good::none;
  bool is_condition = false;
};

std::vector<Noun> nouns_in(std::string_view text);

/// The noun that a figure at [at, end) is of: the first after it in its clause, else the last before it; the other way
/// round where `is_before`. Conditions are none. Null where there is none.
const Noun* noun_of(std::string_view text, const std::vector<Noun>& nouns, std::size_t at, std::size_t end,
                    bool is_before);

/// The clause that follows `end`, and the one that leads up to `at`.
std::string_view clause_after(std::string_view text, std::size_t end);
std::string_view clause_before(std::string_view text, std::size_t at);

}  // namespace scoville::claim
