#pragma once

#include <cstdint>
#include <optional>

namespace scoville::wire {

/// Counts the segments that reads consist of, where the kernel counts them too (TCP_INFO, since 4.6): bytes that came
/// in one segment arrived together, and all of them at its stamp.
///
/// From a moment at which the socket was drained: as many data segments have come as reads were made since, and each
/// read got something, so each got one. A segment that came behind a read and still waits makes the answer no, never a
/// wrong yes. Segments that arrive out of order while nothing is under way could, but for that none has to be missing.
class SegmentCount {
 public:
  /// The socket may be drained now: the count begins anew if it is.
  void restart(int fd);
  /// `filled`: the read got as much as it had room for, so that a segment may have been cut.
  void count_read(bool filled);
  /// Whether each read since the restart was one segment. Asks the kernel once a read.
  bool is_one_each(int fd);
  /// Whether is_one_each() can only be false until the next restart.
  bool is_lost() const { return !before_ || was_merged_; }

 private:
  std::optional<std::uint32_t> before_;  // data segments in when the socket was drained
  std::uint32_t reads_ = 0;
  bool was_asked_ = false, answer_ = false, was_merged_ = false;
};

}  // namespace scoville::wire
