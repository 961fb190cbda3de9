#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace scoville::store {

/// One prepared statement. Places are numbered from 1 for bind, columns from 0, as SQLite has them.
class Statement {
 public:
  Statement& bind(int place, std::int64_t value);
  /// The bytes must live until the statement has been run.
  Statement& bind(int place, std::string_view text);
  Statement& bind_blob(int place, std::string_view bytes);
  Statement& bind_null(int place);

  /// True: there is a row to read. After false, or run(), the statement can be bound and run again.
  Result<bool> step();
  /// For statements that give no rows.
  Status run();

  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string_view blob(int column) const;  ///< until the next step
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, const std::string& path) : statement_(statement), path_(path) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string path_;
};

/// A connection to a SQLite file. Its errors name the file and say what to do. Used by one thread at a time.
class Database {
 public:
  enum class Access { read, write };
  /// `write` makes the file where there is none. A lock that another process holds is waited for, `kPatience` at most.
  static Result<Database> open(const std::string& path, Access access);

  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql) const;
  Result<std::int64_t> integer(std::string_view sql) const;  ///< the first column of the first row
  std::int64_t last_row() const;
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database(sqlite3* database, std::string path) : database_(database), path_(std::move(path)) {}
  std::unique_ptr<sqlite3, Close> database_;
  std::string path_;
};

/// BEGIN IMMEDIATE … COMMIT; rolled back unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace scoville::store
