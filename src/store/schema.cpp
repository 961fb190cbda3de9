#include "store/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <thread>

#include "base/clock.hpp"

#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr std::int64_t kApplication = 0x53434f56;  // "SCOV", in the header of the file

/// What leads from version i to i + 1.
constexpr std::array<const char*, kSchemaVersion> kMigrations{R"(
CREATE TABLE run_set (
  id TEXT PRIMARY KEY,
  tag TEXT NOT NULL DEFAULT '',
  made_ns INTEGER NOT NULL
);
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  run_set TEXT REFERENCES run_set (id) ON DELETE SET NULL,
  tag TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'interrupted', 'incomplete')),
  started_ns INTEGER NOT NULL,
  ended_ns INTEGER,
  heartbeat_ns INTEGER NOT NULL,
  process TEXT NOT NULL,
  requests INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX run_by_tag ON run (tag);
CREATE TABLE document (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run, name)
);
CREATE TABLE block (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  events INTEGER NOT NULL,
  heads BLOB NOT NULL,
  tokens BLOB NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE TABLE tail (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  heads BLOB NOT NULL,
  tokens BLOB NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE TABLE answer (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  request INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  is_warmup INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run, request, attempt, is_warmup)
);
CREATE TABLE calibration (
  number INTEGER PRIMARY KEY,
  machine TEXT NOT NULL,
  made_ns INTEGER NOT NULL,
  body TEXT NOT NULL
);
)",
                                                              R"(
CREATE TABLE finding (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  made_ns INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX finding_by_subject ON finding (kind, subject);
)"};

struct Versions {
  std::int64_t application = 0, schema = 0, tables = 0;
};

/// In one statement: between two, another process may make the tables.
Result<Versions> versions_of(const Database& database) {
  Result<Statement> select = database.prepare(
      "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),"
      " (SELECT count(*) FROM sqlite_master)");
  if (!select) return select.error();
  const Result<bool> row = select->step();
  if (!row) return row.error();
  return Versions{select->integer(0), select->integer(1), select->integer(2)};
}

/// Changing the journal's mode does not wait for a lock as other statements do.
Status set_modes(Database& database) {
  const Instant give_up = now() + std::chrono::seconds(3);
  for (;;) {
    const Status set =
        database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    if (set || set.error().code != ErrorCode::resource || now() > give_up) return set;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Status check(const Versions& versions, const std::string& path) {
  const bool is_new = versions.application == 0 && versions.schema == 0 && versions.tables == 0;
  if (!is_new && versions.application != kApplication)
    return Error{ErrorCode::invalid_argument, say(Msg::store_not_ours, path)};
  if (versions.schema > kSchemaVersion) {
    return Error{ErrorCode::unsupported, say(Msg::store_newer, path, versions.schema, kSchemaVersion)};
  }
  return Done{};
}

}  // namespace

Status migrate(Database& database) {
  Result<Versions> versions = versions_of(database);
  if (!versions) return versions.error();
  if (Status fits = check(*versions, database.path()); !fits) return fits;
  // Both must be set before the first table is made, and outside of a transaction.
  if (versions->tables == 0) {
    if (Status set = database.execute("PRAGMA auto_vacuum = INCREMENTAL"); !set) return set;
  }
  if (Status set = set_modes(database); !set) return set;
  if (versions->schema == kSchemaVersion) return Done{};

  Result<Transaction> transaction = Transaction::begin(database);
  if (!transaction) return transaction.error();
  versions = versions_of(database);  // another process may have been quicker
  if (!versions) return versions.error();
  if (versions->schema >= kSchemaVersion) return transaction->commit();
  for (std::int64_t version = versions->schema; version < kSchemaVersion; ++version) {
    if (Status done = database.execute(kMigrations[static_cast<std::size_t>(version)]); !done) return done;
  }
  if (Status set = database.execute(
          fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kSchemaVersion));
      !set)
    return set;
  return transaction->commit();
}

Status check_schema(const Database& database) {
  const Result<Versions> versions = versions_of(database);
  if (!versions) return versions.error();
  if (Status fits = check(*versions, database.path()); !fits) return fits;
  if (versions->schema == kSchemaVersion) return Done{};
  if (versions->schema == 0)  // another process is about to make it
    return Error{ErrorCode::not_found, say(Msg::store_missing, database.path())};
  return Error{ErrorCode::unsupported, say(Msg::store_older, database.path(), versions->schema, kSchemaVersion)};
}

}  // namespace scoville::store
