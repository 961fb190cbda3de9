#include "store/run_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/clock.hpp"
#include "store/process.hpp"
#include "store/schema.hpp"
#include "store/stored_records.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kStatusNames{"running", "finished", "interrupted", "incomplete"};

RunStatus status_from(const std::string& name, const std::string& process) {
  for (std::size_t i = 1; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) return static_cast<RunStatus>(i);
  }
  return is_alive(process) ? RunStatus::running : RunStatus::interrupted;
}

Result<json::value> read_body(Statement& select) {
  const Result<bool> row = select.step();
  if (!row) return row.error();
  if (!*row) return json::value(nullptr);
  json::error_code fault;
  json::value body = json::parse(select.text(0), fault);
  if (fault) return Error{ErrorCode::io, fault.message()};
  return body;
}

}  // namespace

std::string_view name_of(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

Result<RunStore> RunStore::open(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code fault;
  if (!folder.empty()) std::filesystem::create_directories(folder, fault);
  if (fault) return Error{ErrorCode::io, say(Msg::store_cannot_open, path, fault.message())};
  Result<Database> database = Database::open(path, Database::Access::write);
  if (!database) return database.error();
  if (Status migrated = migrate(*database); !migrated) return migrated.error();
  return RunStore(std::move(*database));
}

Result<RunStore> RunStore::open_for_reading(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return Error{ErrorCode::not_found, say(Msg::store_missing, path)};
  Result<Database> database = Database::open(path, Database::Access::read);
  if (!database) return database.error();
  if (Status fits = check_schema(*database); !fits) return fits.error();
  return RunStore(std::move(*database));
}

Result<std::unique_ptr<RunWriter>> RunStore::begin(const NewRun& run) {
  Result<RunStore> own = open(path());
  if (!own) return own.error();
  Database& database = own->database_;
  Result<Transaction> transaction = Transaction::begin(database);
  if (!transaction) return transaction.error();
  Result<Statement> insert = database.prepare(
      "INSERT INTO run (id, kind, run_set, tag, status, started_ns, heartbeat_ns, process)"
      " VALUES (?, ?, ?, ?, 'running', ?5, ?5, ?6)");
  if (!insert) return insert.error();
  const std::string process = this_process();
  insert->bind(1, run.id).bind(2, run.kind).bind(4, run.tag).bind(5, wall_now().count()).bind(6, process);
  run.set.empty() ? insert->bind_null(3) : insert->bind(3, run.set);
  if (Status done = insert->run(); !done) return done.error();
  const std::int64_t number = database.last_row();
  Result<Statement> document = database.prepare("INSERT INTO document VALUES (?, 'manifest', ?)");
  if (!document) return document.error();
  const std::string body = compact(run.manifest);
  if (Status done = document->bind(1, number).bind(2, body).run(); !done) return done.error();
  if (Status done = transaction->commit(); !done) return done.error();
  return std::make_unique<RunWriter>(std::move(database), number);
}

Result<std::vector<RunInfo>> RunStore::select(const std::string& condition, const std::string& value) const {
  Result<Statement> rows = database_.prepare(
      fmt::format("SELECT id, kind, coalesce(run_set, ''), tag, status, started_ns, ended_ns, requests, events, process"
                  " FROM run WHERE {} ORDER BY started_ns, number",
                  condition));
  if (!rows) return rows.error();
  if (!value.empty()) rows->bind(1, value);
  std::vector<RunInfo> out;
  for (Result<bool> row = rows->step();; row = rows->step()) {
    if (!row) return row.error();
    if (!*row) return out;
    RunInfo info;
    info.id = rows->text(0);
    info.kind = rows->text(1);
    info.set = rows->text(2);
    info.tag = rows->text(3);
    info.status = status_from(rows->text(4), rows->text(9));
    info.started = Nanos(rows->integer(5));
    if (!rows->is_null(6)) info.ended = Nanos(rows->integer(6));
    info.requests = rows->integer(7);
    info.events = rows->integer(8);
    out.push_back(std::move(info));
  }
}

Result<std::vector<RunInfo>> RunStore::runs() const { return select("1", ""); }

Result<std::vector<RunInfo>> RunStore::find(const std::string& name) const {
  if (!name.empty()) {
    for (const char* condition : {"id = ?", "run_set = ?", "tag = ?"}) {
      Result<std::vector<RunInfo>> found = select(condition, name);
      if (!found || !found->empty()) return found;
    }
    Result<std::vector<RunInfo>> found = select("substr(id, 1, length(?1)) = ?1", name);
    if (!found || found->size() == 1) return found;
    if (found->size() > 1)
      return Error{ErrorCode::invalid_argument, say(Msg::store_ambiguous, path(), name, found->size())};
  }
  return Error{ErrorCode::not_found, say(Msg::store_no_run, path(), name)};
}

Result<std::int64_t> RunStore::number_of(const std::string& id) const {
  Result<Statement> select = database_.prepare("SELECT number FROM run WHERE id = ?");
  if (!select) return select.error();
  const Result<bool> row = select->bind(1, id).step();
  if (!row) return row.error();
  if (!*row) return Error{ErrorCode::not_found, say(Msg::store_no_run, path(), id)};
  return select->integer(0);
}

Result<json::value> RunStore::document(const std::string& id, std::string_view name) const {
  Result<Statement> select = database_.prepare(
      "SELECT body FROM document JOIN run ON run.number = document.run WHERE run.id = ? AND name = ?");
  if (!select) return select.error();
  Result<json::value> body = read_body(select->bind(1, id).bind(2, name));
  if (body) return body;
  return Error{body.error().code, say(Msg::store_bad_document, path(), name, id)};
}

Result<std::shared_ptr<const event::RecordSource>> RunStore::records(const std::string& id, bool with_tails) const {
  const Result<std::int64_t> number = number_of(id);
  if (!number) return number.error();
  return std::shared_ptr<const event::RecordSource>(std::make_shared<StoredRecords>(database_, *number, with_tails));
}

Result<std::int64_t> RunStore::bytes(const std::string& id) const {
  const Result<std::int64_t> number = number_of(id);
  if (!number) return number.error();
  return database_.integer(
      fmt::format("SELECT coalesce(sum(length(heads) + length(tokens)), 0) FROM block WHERE run = {}", *number));
}

Status RunStore::begin_set(const std::string& id, const std::string& tag) {
  Result<Statement> insert = database_.prepare("INSERT INTO run_set VALUES (?, ?, ?)");
  if (!insert) return insert.error();
  return insert->bind(1, id).bind(2, tag).bind(3, wall_now().count()).run();
}

Status RunStore::set_tag(const std::string& id, const std::string& tag) {
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const char* sql :
       {"UPDATE run SET tag = ? WHERE id = ?2 OR run_set = ?2", "UPDATE run_set SET tag = ? WHERE id = ?2"}) {
    Result<Statement> update = database_.prepare(sql);
    if (!update) return update.error();
    if (Status done = update->bind(1, tag).bind(2, id).run(); !done) return done;
  }
  return transaction->commit();
}

Status RunStore::erase(const std::string& id) {
  const Result<std::vector<RunInfo>> found = select("id = ?", id);
  if (!found) return found.error();
  if (found->empty()) return Error{ErrorCode::not_found, say(Msg::store_no_run, path(), id)};
  if (found->front().status == RunStatus::running)
    return Error{ErrorCode::invalid_argument, say(Msg::store_still_running, id)};
  Result<Statement> remove = database_.prepare("DELETE FROM run WHERE id = ?");
  if (!remove) return remove.error();
  if (Status done = remove->bind(1, id).run(); !done) return done;
  Result<Statement> empty_set =
      database_.prepare("DELETE FROM run_set WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM run WHERE run_set = ?1)");
  if (!empty_set) return empty_set.error();
  if (Status done = empty_set->bind(1, found->front().set).run(); !done) return done;
  return database_.execute("PRAGMA incremental_vacuum");
}

Result<std::int64_t> RunStore::size() const {
  const Result<std::int64_t> pages = database_.integer("PRAGMA page_count");
  if (!pages) return pages.error();
  const Result<std::int64_t> page = database_.integer("PRAGMA page_size");
  if (!page) return page.error();
  return *pages * *page;
}

Status RunStore::add_calibration(const std::string& machine, const json::value& body) {
  Result<Statement> insert = database_.prepare("INSERT INTO calibration (machine, made_ns, body) VALUES (?, ?, ?)");
  if (!insert) return insert.error();
  const std::string text = compact(body);
  return insert->bind(1, machine).bind(2, wall_now().count()).bind(3, text).run();
}

Result<json::value> RunStore::calibration(const std::string& machine) const {
  Result<Statement> select =
      database_.prepare("SELECT body FROM calibration WHERE machine = ? ORDER BY number DESC LIMIT 1");
  if (!select) return select.error();
  return read_body(select->bind(1, machine));
}

Status RunStore::add_finding(const Finding& finding) {
  Result<Statement> insert =
      database_.prepare("INSERT INTO finding (id, kind, subject, made_ns, body) VALUES (?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  const std::string body = compact(finding.body);
  return insert->bind(1, finding.id)
      .bind(2, finding.kind)
      .bind(3, finding.subject)
      .bind(4, wall_now().count())
      .bind(5, body)
      .run();
}

Result<std::vector<Finding>> RunStore::findings(const std::string& kind, const std::string& subject) const {
  Result<Statement> select = database_.prepare(
      "SELECT id, kind, subject, made_ns, body FROM finding WHERE kind = ?1 AND (?2 = '' OR subject = ?2)"
      " ORDER BY number DESC");
  if (!select) return select.error();
  select->bind(1, kind).bind(2, subject);
  std::vector<Finding> out;
  for (;;) {
    const Result<bool> row = select->step();
    if (!row) return row.error();
    if (!*row) return out;
    json::error_code fault;
    json::value body = json::parse(select->text(4), fault);
    if (fault) return Error{ErrorCode::io, fault.message()};
    out.push_back({select->text(0), select->text(1), select->text(2), Nanos(select->integer(3)), std::move(body)});
  }
}

Status RunStore::set_document(const std::string& id, std::string_view name, const json::value& body) {
  const Result<std::int64_t> number = number_of(id);
  if (!number) return number.error();
  Result<Statement> insert = database_.prepare("INSERT OR REPLACE INTO document (run, name, body) VALUES (?, ?, ?)");
  if (!insert) return insert.error();
  const std::string text = compact(body);
  return insert->bind(1, *number).bind(2, name).bind(3, text).run();
}

}  // namespace scoville::store
