#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "event/request_record.hpp"

namespace scoville::record {

/// Names a request of a run, warm-up apart, and its attempt.
inline std::uint64_t key_of(const event::RequestRecord& record) {
  return record.index << 16 | static_cast<std::uint64_t>(record.attempt & 0x7fff) << 1 | record.is_warmup;
}

/// Which tails hold something of which requests: a tail may go once every request in it lies in a block.
class TailLedger {
 public:
  void put(std::uint64_t request, std::int64_t tail) {
    auto& tails = tails_of_[request];
    if (!tails.empty() && tails.back() == tail) return;
    tails.push_back(tail);
    ++open_in_[tail];
  }

  /// The request lies in a block. Adds the tails that nobody needs any more to `ended`.
  void settle(std::uint64_t request, std::vector<std::int64_t>& ended) {
    const auto found = tails_of_.find(request);
    if (found == tails_of_.end()) return;
    for (const std::int64_t tail : found->second) {
      const auto open = open_in_.find(tail);
      if (--open->second > 0) continue;
      open_in_.erase(open);
      ended.push_back(tail);
    }
    tails_of_.erase(found);
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> tails_of_;
  std::unordered_map<std::int64_t, std::size_t> open_in_;
};

}  // namespace scoville::record
