#include "store/temporary_store.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace scoville::store {

Result<TemporaryStore> TemporaryStore::make(const std::string& folder) {
  std::string own = folder + "/scoville-XXXXXX";
  if (!mkdtemp(own.data())) return Error{ErrorCode::io, fmt::format("{}: {}", folder, std::strerror(errno))};
  TemporaryStore out(own, nullptr);  // from now on the folder is removed, whatever happens
  Result<RunStore> store = RunStore::open(own + "/runs.db");
  if (!store) return store.error();
  out.store_ = std::make_unique<RunStore>(std::move(*store));
  return out;
}

TemporaryStore::TemporaryStore(TemporaryStore&& other) noexcept
    : folder_(std::exchange(other.folder_, "")), store_(std::move(other.store_)) {}

TemporaryStore::~TemporaryStore() {
  store_.reset();
  std::error_code fault;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, fault);
}

}  // namespace scoville::store
