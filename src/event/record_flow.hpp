#pragma once

#include <functional>

#include "base/result.hpp"
#include "event/request_record.hpp"

namespace scoville::event {

/// Takes records from the one thread that makes them. Must not block.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// A request that has ended.
  virtual void take(RequestRecord record) = 0;
  /// A part of one that has not: what came since the part before (snapshot()). About every third of a second.
  virtual void take_part(RequestRecord part) = 0;
};

/// The records of a run, as often as they are wanted, however many there are: a stretch at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  /// About how many there are, warm-up included.
  virtual std::size_t expected() const = 0;
  /// Every record without its token events. The order is the source's.
  virtual Status for_each_head(const std::function<void(RequestRecord)>& each) const = 0;
  /// Every record whole.
  virtual Status for_each(const std::function<void(const RequestRecord&)>& each) const = 0;
};

}  // namespace scoville::event
