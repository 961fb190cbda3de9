#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/version.hpp"
#include "store/bundle.hpp"
#include "store/stored_parts.hpp"
#include "store/tar.hpp"
#include "store/zstd_file.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

struct Exported {
  StoredParts parts;
  Nanos started{};  ///< stamped on its parts
};

/// The runs, each once, in the order in which they began: whatever the order of the names, the bundle is the same.
Result<std::vector<RunInfo>> infos_of(const RunStore& store, std::span<const std::string> ids) {
  std::vector<RunInfo> out;
  for (const std::string& id : ids) {
    Result<std::vector<RunInfo>> found = store.find(id);
    if (!found) return found.error();
    RunInfo& info = found->front();
    if (info.id != id) return Error{ErrorCode::not_found, say(Msg::store_no_run, store.path(), id)};
    if (info.status == RunStatus::running) return Error{ErrorCode::invalid_argument, say(Msg::store_still_running, id)};
    if (!is_plain_name(id)) return Error{ErrorCode::invalid_argument, say(Msg::bundle_bad_name, id)};
    out.push_back(std::move(info));
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return std::tie(a.started, a.id) < std::tie(b.started, b.id); });
  const auto repeated = std::unique(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.id == b.id; });
  out.erase(repeated, out.end());
  return out;
}

Result<BundledSet> set_of(const Database& database, const std::string& id) {
  Result<Statement> select = database.prepare("SELECT tag, made_ns FROM run_set WHERE id = ?");
  if (!select) return select.error();
  const Result<bool> row = select->bind(1, id).step();
  if (!row) return row.error();
  return BundledSet{id, *row ? select->text(0) : "", Nanos(*row ? select->integer(1) : 0)};
}

/// Hashes everything: the manifest comes first, and names it all.
Result<BundleManifest> manifest_of(const Database& database, std::vector<RunInfo> infos, std::vector<Exported>& runs,
                                   const BundleProgress& progress) {
  BundleManifest out;
  out.version = version();
  out.revision = revision();
  for (RunInfo& info : infos) {
    Result<StoredParts> parts = StoredParts::of(database, info.id);
    if (!parts) return parts.error();
    for (const PartName& each : parts->names()) {
      if (progress && !progress(0, 0)) return Error{ErrorCode::aborted, say(Msg::bundle_stopped)};
      Result<BundledPart> part = parts->measure(each);
      if (!part) return part.error();
      out.parts.push_back(std::move(*part));
    }
    const bool is_new =
        std::none_of(out.sets.begin(), out.sets.end(), [&](const auto& known) { return known.id == info.set; });
    if (!info.set.empty() && is_new) {
      Result<BundledSet> set = set_of(database, info.set);
      if (!set) return set.error();
      out.sets.push_back(std::move(*set));
    }
    const Nanos started = info.started;
    out.runs.push_back({std::move(info), parts->heartbeat(), parts->counts()});
    runs.push_back({std::move(*parts), started});
  }
  return out;
}

/// Writes the archive, and tells how far it has come.
class BundleWriter {
 public:
  BundleWriter(NewFile& file, const BundleManifest& manifest, const BundleProgress& progress)
      : zstd_(file), tar_(zstd_), manifest_(manifest), progress_(progress), all_(manifest.bytes()) {}

  Status write(const std::vector<Exported>& runs) {
    const std::string text = manifest_.text();
    Status done = tar_.begin(std::string(kManifestPart), static_cast<std::int64_t>(text.size()), runs.back().started);
    if (done) done = tar_.add(text);
    if (done) done = tar_.end();
    auto part = manifest_.parts.begin();
    for (const Exported& run : runs) {
      for (const PartName& name : run.parts.names()) {
        if (done) done = write_part(run, name, *part++);
      }
    }
    if (done) done = tar_.close();
    return done ? zstd_.finish() : done;
  }

 private:
  Status write_part(const Exported& run, const PartName& name, const BundledPart& part) {
    if (Status begun = tar_.begin(part.path, part.bytes, run.started); !begun) return begun;
    const Status wrote = run.parts.write(name, [&](std::string_view bytes) -> Status {
      done_ += static_cast<std::int64_t>(bytes.size());
      const bool goes_on = !progress_ || progress_(static_cast<std::uint64_t>(done_), static_cast<std::uint64_t>(all_));
      return goes_on ? tar_.add(bytes) : Status(Error{ErrorCode::aborted, say(Msg::bundle_stopped)});
    });
    return wrote ? tar_.end() : wrote;
  }

  ZstdWriter zstd_;
  TarWriter tar_;
  const BundleManifest& manifest_;
  const BundleProgress& progress_;
  std::int64_t all_, done_ = 0;
};

Status check_target(const std::string& path, const std::string& store, NewFile::Existing existing) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return Done{};
  if (!S_ISREG(about.st_mode))
    return Error{ErrorCode::invalid_argument, say(Msg::bundle_fault, path, say(Msg::bundle_no_file))};
  std::error_code fault;
  if (std::filesystem::equivalent(path, store, fault))
    return Error{ErrorCode::invalid_argument, say(Msg::bundle_is_store, path)};
  if (existing == NewFile::Existing::kept) return Error{ErrorCode::invalid_argument, say(Msg::bundle_exists, path)};
  return Done{};
}

/// No limit: what a run holds, its bundle holds.
BundleLimits boundless() {
  BundleLimits out;
  out.unpacked = std::int64_t{1} << 60;
  return out;
}

}  // namespace

Result<BundleContents> export_bundle(const RunStore& store, std::span<const std::string> ids, const std::string& path,
                                     const ExportOptions& options) {
  if (Status fits = check_target(path, store.path(), options.existing); !fits) return fits.error();
  Result<std::vector<RunInfo>> infos = infos_of(store, ids);
  if (!infos) return infos.error();
  SCOVILLE_CHECK(!infos->empty(), "a bundle holds a run");
  Result<Database> database = Database::open(store.path(), Database::Access::read);
  if (!database) return database.error();
  if (Status begun = database->execute("BEGIN"); !begun) return begun.error();  // one state of the store throughout
  std::vector<Exported> runs;
  const Result<BundleManifest> manifest = manifest_of(*database, std::move(*infos), runs, options.progress);
  if (!manifest) return manifest.error();

  Result<NewFile> file = NewFile::create(path);
  if (!file) return file.error();
  if (Status wrote = BundleWriter(*file, *manifest, options.progress).write(runs); !wrote) return wrote.error();
  Result<BundleContents> contents = verify_bundle(file->beside(), boundless(), options.progress);
  if (!contents) return contents.error();
  if (Status published = file->publish(options.existing); !published) return published.error();
  contents->path = path;
  return contents;
}

}  // namespace scoville::store
