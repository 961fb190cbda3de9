#pragma once

#include <unordered_map>
#include <vector>

#include "event/record_flow.hpp"
#include "record/recorder.hpp"

namespace scoville::record {

/// A run's records in memory, in the form in which a store keeps them: for a run that is not to be stored.
class MemoryBlocks final : public CommitSink, public event::RecordSource {
 public:
  Status commit(const Commit& commit) override;
  void add(const std::vector<Block>& blocks) { blocks_.insert(blocks_.end(), blocks.begin(), blocks.end()); }
  void add(const std::vector<KeptText>& texts);

  std::size_t expected() const override;
  Status for_each_head(const std::function<void(event::RequestRecord)>& each) const override;
  Status for_each(const std::function<void(const event::RequestRecord&)>& each) const override;

 private:
  std::vector<Block> blocks_;
  std::unordered_map<std::uint64_t, std::shared_ptr<event::RequestText>> texts_;
};

/// Several sources one after another: a store, and what it could not take.
class JoinedRecords final : public event::RecordSource {
 public:
  explicit JoinedRecords(std::vector<std::shared_ptr<const event::RecordSource>> parts) : parts_(std::move(parts)) {}

  std::size_t expected() const override;
  Status for_each_head(const std::function<void(event::RequestRecord)>& each) const override;
  Status for_each(const std::function<void(const event::RequestRecord&)>& each) const override;

 private:
  std::vector<std::shared_ptr<const event::RecordSource>> parts_;
};

/// Requests put together from tails: of one that ended its last part is whole; the parts of one that did not are
/// joined. Those in `settled` lie in a block and are left out. What had not ended is given up at its last sign of life.
class TailAssembly {
 public:
  explicit TailAssembly(std::vector<std::uint64_t> settled);
  /// In the order of their numbers.
  Status add(std::string_view heads, std::string_view tokens);
  std::vector<event::RequestRecord> finish();

 private:
  void add(event::RequestRecord& part);

  std::vector<std::uint64_t> settled_;  // sorted
  std::unordered_map<std::uint64_t, event::RequestRecord> requests_;
};

}  // namespace scoville::record
