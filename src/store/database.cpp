#include "store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr int kPatienceMs = 3000;

/// What SQLite's code means for the one who runs this, and what to do about it.
Error error_of(sqlite3* database, const std::string& path) {
  const int code = database ? sqlite3_extended_errcode(database) : SQLITE_NOMEM;
  const std::string words = database ? sqlite3_errmsg(database) : "out of memory";
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::resource, say(Msg::store_locked, path)};
    case SQLITE_FULL:
      return {ErrorCode::resource, say(Msg::store_full, path)};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {ErrorCode::io, say(Msg::store_read_only, path)};
    case SQLITE_NOTADB:
      return {ErrorCode::invalid_argument, say(Msg::store_not_ours, path)};
    case SQLITE_CORRUPT:
      return {ErrorCode::io, say(Msg::store_damaged, path, words)};
    case SQLITE_CANTOPEN: {
      const int number = sqlite3_system_errno(database);
      return {ErrorCode::io, say(Msg::store_cannot_open, path, number ? std::strerror(number) : words)};
    }
    case SQLITE_IOERR: {
      const int number = sqlite3_system_errno(database);
      // After its own rollback SQLite may no longer know the system's number of a write that failed.
      const bool is_write = code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE;
      if (number == ENOSPC || number == EDQUOT || number == EFBIG || (number == 0 && is_write))
        return {ErrorCode::resource, say(Msg::store_full, path)};
      return {ErrorCode::io, say(Msg::store_failed, path, number ? std::strerror(number) : words)};
    }
    default:
      return {ErrorCode::io, say(Msg::store_failed, path, words)};
  }
}

/// A file in a folder that nobody may write to can be read only if no other process changes it.
std::string immutable_uri(const std::string& path) {
  std::string out = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "?immutable=1";
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
  return *this;
}

Statement& Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data() ? text.data() : "", text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int place, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), place, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int place) {
  sqlite3_bind_null(statement_.get(), place);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return false;
  }
  const Error error = error_of(sqlite3_db_handle(statement_.get()), path_);
  sqlite3_reset(statement_.get());
  return error;
}

Status Statement::run() {
  const Result<bool> stepped = step();
  if (!stepped) return stepped.error();
  sqlite3_reset(statement_.get());
  return Done{};
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return text ? std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)) : std::string();
}

std::string_view Statement::blob(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes ? std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string_view();
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Result<Database> Database::open(const std::string& path, Access access) {
  const auto try_open = [&](const std::string& name, int flags) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
    Database database(raw, path);
    if (raw) sqlite3_busy_timeout(raw, kPatienceMs);
    if (code == SQLITE_OK && flags & SQLITE_OPEN_READONLY) {  // what is wrong shows with the first read
      const Result<std::int64_t> version = database.integer("PRAGMA user_version");
      if (!version) return Result<Database>(version.error());
    }
    return code == SQLITE_OK ? Result<Database>(std::move(database)) : Result<Database>(error_of(raw, path));
  };
  if (access == Access::write) return try_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  Result<Database> database = try_open(path, SQLITE_OPEN_READONLY);
  const bool has_log = ::access((path + "-wal").c_str(), F_OK) == 0;
  if (database || has_log || ::access(path.c_str(), R_OK) != 0) return database;
  return try_open(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Status Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return Done{};
  return error_of(database_.get(), path_);
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  if (code != SQLITE_OK) return error_of(database_.get(), path_);
  return Statement(raw, path_);
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(database_.get()); }

Result<Transaction> Transaction::begin(Database& database) {
  if (Status begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_) static_cast<void>(database_->execute("ROLLBACK"));
}

Status Transaction::commit() {
  const Status done = database_->execute("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

}  // namespace scoville::store
