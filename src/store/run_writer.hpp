#pragma once

#include <string>

#include "base/json.hpp"
#include "record/recorder.hpp"
#include "store/database.hpp"

namespace scoville::store {

struct NewRun {
  std::string id, kind, tag;
  std::string set;       ///< id of the set it belongs to; empty: none
  json::value manifest;  ///< all that is known before the load begins
};

/// One run being written: takes the recorder's commits, each in one transaction.
class RunWriter final : public record::CommitSink {
 public:
  RunWriter(Database database, std::int64_t run) : database_(std::move(database)), run_(run) {}

  Status commit(const record::Commit& commit) override;

  enum class Ending {
    finished,
    stopped,     ///< by hand: what was measured until then is there
    incomplete,  ///< the store could not take all of it
  };
  Status finish(const json::value& outcome, Ending ending);

 private:
  Status write_blocks(const record::Commit& commit);
  Status write_tails(const record::Commit& commit);
  Status write_texts(const record::Commit& commit);
  Status beat(std::size_t recorded);

  Database database_;
  std::int64_t run_;
  std::int64_t blocks_ = 0, events_ = 0;
};

}  // namespace scoville::store
