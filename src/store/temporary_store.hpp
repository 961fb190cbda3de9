#pragma once

#include <memory>
#include <string>

#include "store/run_store.hpp"

namespace scoville::store {

/// A store that nobody else sees, gone with this object: for looking at bundles without keeping their runs.
class TemporaryStore {
 public:
  /// In a folder of its own below `folder`, which only this user may enter.
  static Result<TemporaryStore> make(const std::string& folder);
  TemporaryStore(TemporaryStore&& other) noexcept;
  TemporaryStore& operator=(TemporaryStore&&) = delete;
  ~TemporaryStore();

  RunStore& store() { return *store_; }
  const RunStore& store() const { return *store_; }

 private:
  TemporaryStore(std::string folder, std::unique_ptr<RunStore> store)
      : folder_(std::move(folder)), store_(std::move(store)) {}

  std::string folder_;
  std::unique_ptr<RunStore> store_;
};

}  // namespace scoville::store
