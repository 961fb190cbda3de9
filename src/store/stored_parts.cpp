#include "store/stored_parts.hpp"

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

const json::object* object_in(const json::object* members, std::string_view key) {
  const json::value* const found = members ? members->if_contains(key) : nullptr;
  return found ? found->if_object() : nullptr;
}

std::string text_of(const json::object* object) { return object ? pretty(*object) : ""; }

}  // namespace

std::string plan_copy(const json::value& run_manifest) { return text_of(object_in(run_manifest.if_object(), "plan")); }

std::string fingerprint_copy(const json::value& run_manifest) {
  return text_of(object_in(object_in(run_manifest.if_object(), "subject"), "system"));
}

Result<StoredParts> StoredParts::of(const Database& database, const std::string& run) {
  StoredParts out(database, run);
  Status done = out.find_number();
  if (done) done = out.count();
  if (done) done = out.list_documents();
  if (done) done = out.list_copies();
  if (!done) return done.error();
  const std::array<std::pair<PartKind, bool>, 5> rest{{{PartKind::fingerprint, !out.fingerprint_.empty()},
                                                       {PartKind::plan, !out.plan_.empty()},
                                                       {PartKind::blocks, out.counts_.blocks > 0},
                                                       {PartKind::tails, out.counts_.tails > 0},
                                                       {PartKind::answers, out.counts_.answers > 0}}};
  for (const auto& [kind, has_any] : rest) {
    if (has_any) out.names_.push_back({run, kind, ""});
  }
  return out;
}

Status StoredParts::find_number() {
  Result<Statement> select = database_->prepare("SELECT number, heartbeat_ns FROM run WHERE id = ?");
  if (!select) return select.error();
  const Result<bool> row = select->bind(1, run_).step();
  if (!row) return row.error();
  if (!*row) return Error{ErrorCode::not_found, say(Msg::store_no_run, database_->path(), run_)};
  number_ = select->integer(0);
  heartbeat_ = Nanos(select->integer(1));
  return Done{};
}

Status StoredParts::count() {
  Result<Statement> select = database_->prepare(
      "SELECT (SELECT count(*) FROM block WHERE run = ?1), (SELECT coalesce(sum(requests), 0) FROM block WHERE run = "
      "?1),"
      " (SELECT coalesce(sum(events), 0) FROM block WHERE run = ?1), (SELECT count(*) FROM tail WHERE run = ?1),"
      " (SELECT count(*) FROM answer WHERE run = ?1)");
  if (!select) return select.error();
  const Result<bool> row = select->bind(1, number_).step();
  if (!row) return row.error();
  counts_ = {select->integer(0), select->integer(1), select->integer(2), select->integer(3), select->integer(4)};
  return Done{};
}

Status StoredParts::list_documents() {
  Result<Statement> select = database_->prepare("SELECT name FROM document WHERE run = ? ORDER BY name");
  if (!select) return select.error();
  select->bind(1, number_);
  for (Result<bool> row = select->step();; row = select->step()) {
    if (!row) return row.error();
    if (!*row) return Done{};
    std::string name = select->text(0);
    if (is_left_out(name)) continue;
    if (!is_plain_name(name))
      return Error{ErrorCode::invalid_argument, say(Msg::bundle_bad_name, fmt::format("{}: {}", run_, name))};
    names_.push_back({run_, PartKind::document, std::move(name)});
  }
}

Status StoredParts::list_copies() {
  const Result<std::string> text = document("manifest");
  if (!text) return text.error();
  json::error_code fault;
  const json::value manifest = json::parse(*text, fault);
  if (fault) return Error{ErrorCode::io, say(Msg::store_bad_document, database_->path(), "manifest", run_)};
  fingerprint_ = fingerprint_copy(manifest);
  plan_ = plan_copy(manifest);
  return Done{};
}

Result<std::string> StoredParts::document(const std::string& name) const {
  Result<Statement> select = database_->prepare("SELECT body FROM document WHERE run = ? AND name = ?");
  if (!select) return select.error();
  const Result<bool> row = select->bind(1, number_).bind(2, name).step();
  if (!row) return row.error();
  return *row ? select->text(0) : std::string();
}

Status StoredParts::write(const PartName& name, const Sink& sink) const {
  switch (name.kind) {
    case PartKind::document: {
      const Result<std::string> body = document(name.document);
      return body ? sink(*body) : Status(body.error());
    }
    case PartKind::fingerprint:
      return sink(fingerprint_);
    case PartKind::plan:
      return sink(plan_);
    case PartKind::blocks:
      return write_blocks(sink);
    case PartKind::tails:
      return write_tails(sink);
    case PartKind::answers:
      return write_answers(sink);
  }
  return Done{};
}

Status StoredParts::write_blocks(const Sink& sink) const {
  Result<Statement> rows =
      database_->prepare("SELECT number, requests, events, heads, tokens FROM block WHERE run = ? ORDER BY number");
  if (!rows) return rows.error();
  rows->bind(1, number_);
  for (Result<bool> row = rows->step();; row = rows->step()) {
    if (!row) return row.error();
    if (!*row) return Done{};
    const std::string bytes =
        frame_bytes({rows->integer(0), rows->integer(1), rows->integer(2), rows->blob(3), rows->blob(4)});
    if (Status put = sink(bytes); !put) return put;
  }
}

Status StoredParts::write_tails(const Sink& sink) const {
  Result<Statement> rows = database_->prepare("SELECT number, heads, tokens FROM tail WHERE run = ? ORDER BY number");
  if (!rows) return rows.error();
  rows->bind(1, number_);
  for (Result<bool> row = rows->step();; row = rows->step()) {
    if (!row) return row.error();
    if (!*row) return Done{};
    const std::string bytes = frame_bytes({rows->integer(0), 0, 0, rows->blob(1), rows->blob(2)});
    if (Status put = sink(bytes); !put) return put;
  }
}

Status StoredParts::write_answers(const Sink& sink) const {
  Result<Statement> rows = database_->prepare(
      "SELECT request, attempt, is_warmup, body FROM answer WHERE run = ? ORDER BY request, attempt, is_warmup");
  if (!rows) return rows.error();
  rows->bind(1, number_);
  for (Result<bool> row = rows->step();; row = rows->step()) {
    if (!row) return row.error();
    if (!*row) return Done{};
    const std::string body = rows->text(3);
    if (Status put = sink(answer_text({rows->integer(0), rows->integer(1), rows->integer(2) != 0, body})); !put)
      return put;
  }
}

Result<BundledPart> StoredParts::measure(const PartName& name) const {
  Sha256 hash;
  std::int64_t bytes = 0;
  const Status done = write(name, [&](std::string_view some) -> Status {
    hash.add(some);
    bytes += static_cast<std::int64_t>(some.size());
    return Done{};
  });
  if (!done) return done.error();
  return BundledPart{name.path(), bytes, hash.finish()};
}

}  // namespace scoville::store
