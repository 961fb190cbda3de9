#include "store/stored_records.hpp"

#include "base/json.hpp"
#include "record/memory_blocks.hpp"
#include "record/tail_ledger.hpp"

namespace scoville::store {
namespace {

using event::RequestRecord;

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::shared_ptr<event::RequestText> read_text(const std::string& body) {
  json::error_code fault;
  const json::value value = json::parse(body, fault);
  auto text = std::make_shared<event::RequestText>();
  if (fault || !value.is_object()) return text;
  const json::object& object = value.as_object();
  text->reasoning = text_at(object, "reasoning");
  text->error_body = text_at(object, "error_body");
  const json::value* const answers = object.if_contains("answers");
  if (!answers || !answers->is_array()) return text;
  for (const json::value& each : answers->as_array()) {
    text->answers.push_back(each.is_string() ? std::string(each.as_string()) : std::string());
  }
  return text;
}

/// Gives every record the text that was kept of it, if any was.
class Texts {
 public:
  static Result<Texts> open(const Database& database, std::int64_t run) {
    Result<Statement> any = database.prepare("SELECT EXISTS (SELECT 1 FROM answer WHERE run = ?)");
    if (!any) return any.error();
    any->bind(1, run);
    const Result<bool> row = any->step();
    if (!row) return row.error();
    Result<Statement> select =
        database.prepare("SELECT body FROM answer WHERE run = ? AND request = ? AND attempt = ? AND is_warmup = ?");
    if (!select) return select.error();
    select->bind(1, run);
    return Texts(std::move(*select), any->integer(0) != 0);
  }

  Status attach(RequestRecord& record) {
    if (!has_any_) return Done{};
    select_.bind(2, static_cast<std::int64_t>(record.index));
    select_.bind(3, std::int64_t{record.attempt}).bind(4, std::int64_t{record.is_warmup});
    const Result<bool> row = select_.step();
    if (!row) return row.error();
    if (!*row) return Done{};
    record.text = read_text(select_.text(0));
    const Result<bool> end = select_.step();
    return end ? Status(Done{}) : Status(end.error());
  }

 private:
  Texts(Statement select, bool has_any) : select_(std::move(select)), has_any_(has_any) {}
  Statement select_;
  bool has_any_;
};

}  // namespace

Result<std::vector<RequestRecord>> StoredRecords::unsettled() const {
  if (!with_tails_) return std::vector<RequestRecord>{};
  Result<Statement> tails = database_.prepare("SELECT heads, tokens FROM tail WHERE run = ? ORDER BY number");
  if (!tails) return tails.error();
  tails->bind(1, run_);
  Result<bool> row = tails->step();
  if (!row) return row.error();
  if (!*row) return std::vector<RequestRecord>{};

  std::vector<std::uint64_t> settled;
  Result<Statement> blocks = database_.prepare("SELECT heads FROM block WHERE run = ?");
  if (!blocks) return blocks.error();
  blocks->bind(1, run_);
  for (Result<bool> more = blocks->step();; more = blocks->step()) {
    if (!more) return more.error();
    if (!*more) break;
    const Status read =
        record::decode_heads(blocks->blob(0), [&](RequestRecord each) { settled.push_back(record::key_of(each)); });
    if (!read) return read.error();
  }
  record::TailAssembly assembly(std::move(settled));
  while (*row) {
    if (Status added = assembly.add(tails->blob(0), tails->blob(1)); !added) return added.error();
    row = tails->step();
    if (!row) return row.error();
  }
  return assembly.finish();
}

std::size_t StoredRecords::expected() const {
  const auto count =
      database_.integer("SELECT coalesce(sum(requests), 0) FROM block WHERE run = " + std::to_string(run_));
  return count ? static_cast<std::size_t>(*count) : 0;
}

Status StoredRecords::for_each_head(const std::function<void(RequestRecord)>& each) const {
  Result<Statement> blocks = database_.prepare("SELECT heads FROM block WHERE run = ? ORDER BY number");
  if (!blocks) return blocks.error();
  blocks->bind(1, run_);
  for (Result<bool> more = blocks->step();; more = blocks->step()) {
    if (!more) return more.error();
    if (!*more) break;
    if (Status read = record::decode_heads(blocks->blob(0), each); !read) return read;
  }
  Result<std::vector<RequestRecord>> rest = unsettled();
  if (!rest) return rest.error();
  for (RequestRecord& record : *rest) {
    record.tokens = {};
    each(std::move(record));
  }
  return Done{};
}

Status StoredRecords::for_each(const std::function<void(const RequestRecord&)>& each) const {
  Result<Texts> texts = Texts::open(database_, run_);
  if (!texts) return texts.error();
  Status attached = Done{};
  const auto give = [&](RequestRecord& record) {
    if (attached) attached = texts->attach(record);
    if (attached) each(record);
  };
  Result<Statement> blocks = database_.prepare("SELECT heads, tokens FROM block WHERE run = ? ORDER BY number");
  if (!blocks) return blocks.error();
  blocks->bind(1, run_);
  for (Result<bool> more = blocks->step();; more = blocks->step()) {
    if (!more) return more.error();
    if (!*more) break;
    if (Status read = record::decode(blocks->blob(0), blocks->blob(1), give); !read) return read;
    if (!attached) return attached;
  }
  Result<std::vector<RequestRecord>> rest = unsettled();
  if (!rest) return rest.error();
  for (RequestRecord& record : *rest) give(record);
  return attached;
}

}  // namespace scoville::store
