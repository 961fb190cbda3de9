#include "store/run_writer.hpp"

#include "base/clock.hpp"

namespace scoville::store {
namespace {

json::value text_json(const event::RequestText& text) {
  json::array answers;
  for (const std::string& each : text.answers) answers.emplace_back(each);
  return {{"answers", std::move(answers)}, {"reasoning", text.reasoning}, {"error_body", text.error_body}};
}

}  // namespace

Status RunWriter::commit(const record::Commit& commit) {
  const std::int64_t blocks = blocks_, events = events_;
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  Status done = write_blocks(commit);
  if (done) done = write_tails(commit);
  if (done) done = write_texts(commit);
  if (done) done = beat(commit.recorded);
  if (done) done = transaction->commit();
  if (!done) {  // nothing of it is in the file
    blocks_ = blocks;
    events_ = events;
  }
  return done;
}

Status RunWriter::write_blocks(const record::Commit& commit) {
  if (commit.blocks.empty()) return Done{};
  Result<Statement> insert = database_.prepare("INSERT INTO block VALUES (?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  for (const record::Block& each : commit.blocks) {
    insert->bind(1, run_).bind(2, ++blocks_);
    insert->bind(3, static_cast<std::int64_t>(each.requests)).bind(4, static_cast<std::int64_t>(each.events));
    insert->bind_blob(5, each.heads).bind_blob(6, each.tokens);
    if (Status done = insert->run(); !done) return done;
    events_ += static_cast<std::int64_t>(each.events);
  }
  return Done{};
}

Status RunWriter::write_tails(const record::Commit& commit) {
  Result<Statement> insert = database_.prepare("INSERT INTO tail VALUES (?, ?, ?, ?)");
  if (!insert) return insert.error();
  for (const record::Tail& each : commit.tails) {
    insert->bind(1, run_).bind(2, each.number).bind_blob(3, each.block.heads).bind_blob(4, each.block.tokens);
    if (Status done = insert->run(); !done) return done;
  }
  Result<Statement> remove = database_.prepare("DELETE FROM tail WHERE run = ? AND number = ?");
  if (!remove) return remove.error();
  for (const std::int64_t each : commit.ended_tails) {
    if (Status done = remove->bind(1, run_).bind(2, each).run(); !done) return done;
  }
  return Done{};
}

Status RunWriter::write_texts(const record::Commit& commit) {
  if (commit.texts.empty()) return Done{};
  Result<Statement> insert = database_.prepare("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  for (const record::KeptText& each : commit.texts) {
    const std::string body = compact(text_json(each.text));
    insert->bind(1, run_).bind(2, static_cast<std::int64_t>(each.index));
    insert->bind(3, std::int64_t{each.attempt}).bind(4, std::int64_t{each.is_warmup}).bind(5, body);
    if (Status done = insert->run(); !done) return done;
  }
  return Done{};
}

Status RunWriter::beat(std::size_t recorded) {
  Result<Statement> update =
      database_.prepare("UPDATE run SET heartbeat_ns = ?, requests = ?, events = ? WHERE number = ?");
  if (!update) return update.error();
  return update->bind(1, wall_now().count())
      .bind(2, static_cast<std::int64_t>(recorded))
      .bind(3, events_)
      .bind(4, run_)
      .run();
}

Status RunWriter::finish(const json::value& outcome, Ending ending) {
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  Result<Statement> update =
      database_.prepare("UPDATE run SET status = ?, ended_ns = ?, heartbeat_ns = ?2 WHERE number = ?");
  if (!update) return update.error();
  const char* const status = ending == Ending::finished  ? "finished"
                             : ending == Ending::stopped ? "interrupted"
                                                         : "incomplete";
  update->bind(1, status).bind(2, wall_now().count()).bind(3, run_);
  if (Status done = update->run(); !done) return done;
  Result<Statement> insert = database_.prepare("INSERT OR REPLACE INTO document VALUES (?, 'outcome', ?)");
  if (!insert) return insert.error();
  const std::string body = compact(outcome);
  if (Status done = insert->bind(1, run_).bind(2, body).run(); !done) return done;
  if (Status done = transaction->commit(); !done) return done;
  return database_.execute("PRAGMA incremental_vacuum");  // what tails had taken
}

}  // namespace scoville::store
