#include "cli/store_options.hpp"

#include <cstdlib>

namespace scoville::cli {

using text::Msg;
using text::say;

void StoreOptions::declare(Parameters& parameters) { parameters.text("--store", "FILE", Msg::flag_store, file_); }

void StoreOptions::declare_for_writing(Parameters& parameters) {
  declare(parameters);
  parameters.toggle("--no-store", Msg::flag_no_store, keeps_, false);
  parameters.text("--tag", "NAME", Msg::flag_tag, tag_);
}

Result<std::string> StoreOptions::path() const {
  if (!file_.empty()) return file_;
  const char* const data = std::getenv("XDG_DATA_HOME");
  if (data && data[0] == '/') return std::string(data) + "/scoville/runs.db";  // a relative one is to be ignored
  const char* const home = std::getenv("HOME");
  if (home && home[0] == '/') return std::string(home) + "/.local/share/scoville/runs.db";
  return Error{ErrorCode::invalid_argument, say(Msg::store_no_home)};
}

Result<store::RunStore> StoreOptions::open() const {
  Result<std::string> file = path();
  if (!file) return file.error();
  return store::RunStore::open(*file);
}

Result<store::RunStore> StoreOptions::open_for_reading() const {
  Result<std::string> file = path();
  if (!file) return file.error();
  return store::RunStore::open_for_reading(*file);
}

}  // namespace scoville::cli
