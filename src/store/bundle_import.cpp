#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "store/bundle_reader.hpp"
#include "store/stored_parts.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

/// In place of a process that lives somewhere: is_alive() is never true of it.
constexpr std::string_view kNoProcess = "imported";

constexpr int kTries = 20;  // each waits as long as any statement does for a lock

/// Puts what it is given into the tables. Runs that are there already are passed over.
class Inserter final : public BundleSink {
 public:
  Inserter(Database& database, const BundleContents& contents, const std::vector<std::string>& present)
      : database_(database), contents_(contents), present_(present) {}

  /// Of the store. What read() says of it names a part, as if that were at fault.
  const std::optional<Error>& fault() const { return fault_; }

  Status begin(const BundledRun& run) override {
    is_passed_over_ = std::find(present_.begin(), present_.end(), run.info.id) != present_.end();
    if (is_passed_over_) return Done{};
    return noted(insert_run(run));
  }
  Status end(const BundledRun&) override {
    if (is_passed_over_) return Done{};
    const json::object origin{{"file", std::filesystem::path(contents_.path).filename().string()},
                              {"sha256", contents_.sha256},
                              {"imported_ns", wall_now().count()}};
    return noted(insert_document("origin", compact(origin)));
  }
  Status document(const std::string& name, std::string_view body) override {
    return is_passed_over_ ? Status(Done{}) : noted(insert_document(name, body));
  }
  Status copy(PartKind, std::string_view) override { return Done{}; }
  Status block(const Frame& frame) override {
    return insert(block_, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?)", [&](Statement& row) {
      row.bind(2, frame.number).bind(3, frame.requests).bind(4, frame.events);
      row.bind_blob(5, frame.heads).bind_blob(6, frame.tokens);
    });
  }
  Status tail(const Frame& frame) override {
    return insert(tail_, "INSERT INTO tail VALUES (?, ?, ?, ?)", [&](Statement& row) {
      row.bind(2, frame.number).bind_blob(3, frame.heads).bind_blob(4, frame.tokens);
    });
  }
  Status answer(const AnswerLine& line) override {
    return insert(answer_, "INSERT INTO answer VALUES (?, ?, ?, ?, ?)", [&](Statement& row) {
      row.bind(2, line.request).bind(3, line.attempt).bind(4, std::int64_t{line.is_warmup}).bind(5, line.body);
    });
  }

 private:
  Status noted(Status status) {
    if (!status && !fault_) fault_ = status.error();
    return status;
  }

  /// `row` is made with the first, and kept: there may be a million answers.
  template <class Bind>
  Status insert(std::optional<Statement>& row, std::string_view sql, Bind bind) {
    if (is_passed_over_) return Done{};
    if (!row) {
      Result<Statement> made = database_.prepare(sql);
      if (!made) return noted(made.error());
      row.emplace(std::move(*made));
    }
    row->bind(1, number_);
    bind(*row);
    return noted(row->run());
  }

  Status insert_document(const std::string& name, std::string_view body) {
    Result<Statement> row = database_.prepare("INSERT INTO document VALUES (?, ?, ?)");
    if (!row) return row.error();
    return row->bind(1, number_).bind(2, name).bind(3, body).run();
  }

  Status insert_set(const std::string& id) {
    const auto& sets = contents_.manifest.sets;
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& each) { return each.id == id; });
    Result<Statement> row = database_.prepare("INSERT OR IGNORE INTO run_set VALUES (?, ?, ?)");
    if (!row) return row.error();
    return row->bind(1, set->id).bind(2, set->tag).bind(3, set->made.count()).run();
  }

  Status insert_run(const BundledRun& run) {
    const RunInfo& info = run.info;
    if (!info.set.empty()) {
      if (Status set = insert_set(info.set); !set) return set;
    }
    Result<Statement> row = database_.prepare(
        "INSERT INTO run (id, kind, run_set, tag, status, started_ns, ended_ns, heartbeat_ns, process, requests, "
        "events)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!row) return row.error();
    row->bind(1, info.id).bind(2, info.kind).bind(4, info.tag).bind(5, name_of(info.status));
    info.set.empty() ? row->bind_null(3) : row->bind(3, info.set);
    row->bind(6, info.started.count());
    info.ended ? row->bind(7, info.ended->count()) : row->bind_null(7);
    row->bind(8, run.heartbeat.count()).bind(9, kNoProcess).bind(10, info.requests).bind(11, info.events);
    if (Status done = row->run(); !done) return done;
    number_ = database_.last_row();
    return Done{};
  }

  Database& database_;
  const BundleContents& contents_;
  const std::vector<std::string>& present_;
  std::optional<Statement> block_, tail_, answer_;
  std::optional<Error> fault_;
  std::int64_t number_ = 0;
  bool is_passed_over_ = false;
};

/// Another import may hold the lock for as long as it takes.
Result<Transaction> begin_patiently(Database& database) {
  for (int i = 1;; ++i) {
    Result<Transaction> transaction = Transaction::begin(database);
    if (transaction || i == kTries || transaction.error().code != ErrorCode::resource) return transaction;
  }
}

/// Whether the store has of this run what the bundle has of it. What was put beside it since may be there too.
Result<bool> is_same(const Database& database, const RunInfo& stored, const BundledRun& run,
                     const BundleManifest& manifest) {
  const RunInfo& other = run.info;
  if (std::tie(stored.kind, stored.status, stored.started, stored.ended, stored.requests, stored.events) !=
      std::tie(other.kind, other.status, other.started, other.ended, other.requests, other.events))
    return false;
  const Result<StoredParts> parts = StoredParts::of(database, other.id);
  if (!parts) return parts.error();
  if (!(parts->counts() == run.counts)) return false;
  for (const BundledPart& each : manifest.parts) {
    const std::optional<PartName> name = PartName::parse(each.path);
    if (name->run != other.id || name->kind == PartKind::plan || name->kind == PartKind::fingerprint) continue;
    const Result<BundledPart> here = parts->measure(*name);
    if (!here) return here.error();
    if (!(*here == each)) return false;
  }
  return true;
}

/// Those of the bundle's runs that are there. One that is there and differs is an error.
Result<std::vector<std::string>> present_runs(const RunStore& store, const Database& database,
                                              const BundleContents& contents) {
  const Result<std::vector<RunInfo>> stored = store.runs();
  if (!stored) return stored.error();
  std::vector<std::string> out;
  for (const BundledRun& each : contents.manifest.runs) {
    const std::string& id = each.info.id;
    const auto found = std::find_if(stored->begin(), stored->end(), [&](const auto& known) { return known.id == id; });
    if (found == stored->end()) continue;
    const Result<bool> same = is_same(database, *found, each, contents.manifest);
    if (!same) return same.error();
    if (!*same)
      return Error{ErrorCode::invalid_argument, say(Msg::bundle_run_differs, contents.path, store.path(), id)};
    out.push_back(id);
  }
  return out;
}

}  // namespace

Result<ImportReport> import_bundle(RunStore& store, const BundleContents& verified, const BundleLimits& limits) {
  Result<Database> database = Database::open(store.path(), Database::Access::write);
  if (!database) return database.error();
  if (Status set = database->execute("PRAGMA foreign_keys = ON"); !set) return set.error();
  Result<Transaction> transaction = begin_patiently(*database);
  if (!transaction) return transaction.error();
  Result<std::vector<std::string>> present = present_runs(store, *database, verified);
  if (!present) return present.error();

  Result<std::unique_ptr<BundleReader>> reader = BundleReader::open(verified.path, limits, {});
  if (!reader) return reader.error();
  const auto changed = [&] {
    return Error{ErrorCode::protocol, say(Msg::bundle_fault, verified.path, say(Msg::bundle_changed_since))};
  };
  if ((*reader)->manifest_sha256() != verified.manifest_sha256) return changed();
  Inserter inserter(*database, verified, *present);
  const Status read = (*reader)->read(inserter);
  if (inserter.fault()) return *inserter.fault();
  if (!read) return read.error();
  if (Status done = transaction->commit(); !done) return done.error();

  ImportReport out;
  out.present = std::move(*present);
  for (const BundledRun& each : verified.manifest.runs) {
    if (std::find(out.present.begin(), out.present.end(), each.info.id) == out.present.end())
      out.imported.push_back(each.info.id);
  }
  return out;
}

Result<ImportReport> import_bundle(RunStore& store, const std::string& path, const BundleLimits& limits) {
  const Result<BundleContents> verified = verify_bundle(path, limits);
  if (!verified) return verified.error();
  return import_bundle(store, *verified, limits);
}

}  // namespace scoville::store
