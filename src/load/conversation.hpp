#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "dataset/prompt_source.hpp"

namespace scoville::load {

/// A conversation under way. It travels with each of its turns.
struct Conversation {
  std::uint64_t number = 0;  ///< of its chain
  dataset::Chain chain;
  std::vector<std::string> answers;  ///< what the server really said, one a turn so far

  std::uint32_t next_turn() const { return static_cast<std::uint32_t>(answers.size()); }
  bool has_turn_after(std::uint32_t turn) const { return turn + 1 < chain.turns; }
};

/// Things to do at given times, the earliest first; of equal times, the one added first.
template <class T>
class TimedQueue {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void add(Instant due, T thing) { entries_.emplace(due, std::move(thing)); }
  Instant first_due() const { return entries_.begin()->first; }
  T& first() { return entries_.begin()->second; }
  T take() {
    T out = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    return out;
  }
  void clear() { entries_.clear(); }

 private:
  std::multimap<Instant, T> entries_;
};

}  // namespace scoville::load
