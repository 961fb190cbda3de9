#pragma once

#include "event/record_flow.hpp"
#include "store/database.hpp"

namespace scoville::store {

/// The records of a stored run: its blocks, and what its tails hold beyond them where the run did not come to its end.
class StoredRecords final : public event::RecordSource {
 public:
  StoredRecords(const Database& database, std::int64_t run, bool with_tails)
      : database_(database), run_(run), with_tails_(with_tails) {}

  std::size_t expected() const override;
  Status for_each_head(const std::function<void(event::RequestRecord)>& each) const override;
  Status for_each(const std::function<void(const event::RequestRecord&)>& each) const override;

 private:
  /// Of the tails alone.
  Result<std::vector<event::RequestRecord>> unsettled() const;

  const Database& database_;
  std::int64_t run_;
  bool with_tails_;
};

}  // namespace scoville::store
