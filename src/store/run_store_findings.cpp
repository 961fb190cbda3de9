#include "store/run_store.hpp"

namespace scoville::store {

Status RunStore::add_findings(std::span<const Finding> findings) {
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const Finding& each : findings) {
    if (Status added = add_finding(each); !added) return added;
  }
  return transaction->commit();
}

Status RunStore::replace_finding(const std::string& id, const json::value& body) {
  Result<Statement> update = database_.prepare("UPDATE finding SET body = ? WHERE id = ?");
  if (!update) return update.error();
  const std::string text = compact(body);
  return update->bind(1, text).bind(2, id).run();
}

Status RunStore::erase_findings(std::span<const std::string> ids) {
  Result<Transaction> transaction = Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const std::string& id : ids) {
    Result<Statement> remove = database_.prepare("DELETE FROM finding WHERE id = ?");
    if (!remove) return remove.error();
    if (Status done = remove->bind(1, id).run(); !done) return done;
  }
  if (Status done = transaction->commit(); !done) return done;
  return database_.execute("PRAGMA incremental_vacuum");
}

}  // namespace scoville::store
