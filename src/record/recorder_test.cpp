#include "record/recorder.hpp"

#include <doctest/doctest.h>

#include <map>

#include "record/memory_blocks.hpp"

using namespace scoville;
using event::RequestRecord;

namespace {

Instant at(std::int64_t ms) { return Instant(std::chrono::milliseconds(ms)); }

RequestRecord ended(std::uint64_t index, std::size_t events = 2) {
  RequestRecord r;
  r.index = index;
  r.written = at(10);
  r.first_token = at(20);
  r.end = r.last_token = at(20 + static_cast<std::int64_t>(events));
  for (std::size_t i = 0; i < events; ++i) r.tokens.push_back({.at = at(20 + static_cast<std::int64_t>(i))});
  return r;
}

/// Keeps commits for looking at; refuses them while `refuses` is set.
class Kept final : public record::CommitSink {
 public:
  Status commit(const record::Commit& commit) override {
    if (refuses) return Error{ErrorCode::resource, "disk full"};
    for (const record::Block& each : commit.blocks) {
      sizes.push_back(each.requests);
      memory.add({each});
    }
    for (const record::Tail& each : commit.tails) tails[each.number] = each.block;
    for (const std::int64_t each : commit.ended_tails) tails.erase(each);
    return Done{};
  }
  bool refuses = false;
  std::vector<std::size_t> sizes;
  std::map<std::int64_t, record::Block> tails;
  record::MemoryBlocks memory;
};

std::size_t count(const event::RecordSource& source) {
  std::size_t n = 0;
  REQUIRE(source.for_each([&](const RequestRecord&) { ++n; }).ok());
  return n;
}

/// Never commits by the clock: only finish() does.
constexpr record::Recorder::Options kOnlyAtEnd{.period = std::chrono::hours(1)};

}  // namespace

TEST_CASE("what was handed over lies in blocks in the end, and no tail is left") {
  Kept kept;
  record::Recorder recorder(kept, 2, kOnlyAtEnd);
  for (std::uint64_t i = 0; i < 1000; ++i) recorder.sink(i % 2).take(ended(i));
  const auto report = recorder.finish();
  CHECK(report.recorded == 1000);
  CHECK(report.drops == 0);
  CHECK(count(kept.memory) == 1000);
  CHECK(kept.tails.empty());
  for (std::size_t i = 0; i + 1 < kept.sizes.size(); ++i) CHECK(kept.sizes[i] >= record::kFewestInBlock);
}

TEST_CASE("a request whose part and end are handed over together leaves no tail behind") {
  Kept kept;
  record::Recorder recorder(kept, 1, {.period = std::chrono::milliseconds(1)});
  for (std::uint64_t i = 0; i < 2000; ++i) {  // some of these pairs meet the writer between them, most do not
    RequestRecord open = ended(i);
    open.end = Moment();
    recorder.sink(0).take_part(event::snapshot(open, 0));
    recorder.sink(0).take(ended(i));
  }
  recorder.finish();
  CHECK(count(kept.memory) == 2000);
  CHECK(kept.tails.empty());
}

TEST_CASE("a disk that is full leaves everything in memory, and says so") {
  Kept kept;
  kept.refuses = true;
  record::Recorder recorder(kept, 1, kOnlyAtEnd);
  for (std::uint64_t i = 0; i < 100; ++i) recorder.sink(0).take(ended(i));
  const auto report = recorder.finish();
  REQUIRE(report.failure);
  CHECK(report.failure->message == "disk full");
  record::MemoryBlocks rest;
  rest.add(recorder.left_over().blocks);
  CHECK(count(rest) == 100);
}

TEST_CASE("beyond the limit records are dropped and counted, none before it") {
  Kept kept;
  record::Recorder recorder(kept, 1, {.period = std::chrono::hours(1), .backlog_limit = 10});
  for (std::uint64_t i = 0; i < 15; ++i) recorder.sink(0).take(ended(i));
  const auto report = recorder.finish();
  CHECK(report.recorded == 10);
  CHECK(report.drops == 5);
}

TEST_CASE("a tail goes once all of its requests lie in a block, not before") {
  record::TailLedger ledger;
  ledger.put(1, 100);
  ledger.put(2, 100);
  ledger.put(1, 101);
  std::vector<std::int64_t> over;
  ledger.settle(1, over);
  CHECK(over == std::vector<std::int64_t>{101});
  ledger.settle(2, over);
  CHECK(over == std::vector<std::int64_t>{101, 100});
  ledger.settle(3, over);  // it never was in any
  CHECK(over.size() == 2);
}

TEST_CASE("parts of an open request are joined, and it counts as given up at its last sign of life") {
  RequestRecord open = ended(7, 5);
  open.end = Moment();
  const RequestRecord first = event::snapshot(open, 0);
  for (int i = 5; i < 8; ++i) open.tokens.push_back({.at = at(20 + i)});
  open.last_token = at(27);
  const RequestRecord second = event::snapshot(open, 5);
  CHECK(second.tokens.size() == 3);
  CHECK(open.tokens.size() == 8);
  record::TailAssembly assembly({});
  for (const RequestRecord* part : {&first, &second}) {
    const record::Block block = record::encode({part, 1});
    REQUIRE(assembly.add(block.heads, block.tokens).ok());
  }
  const std::vector<RequestRecord> records = assembly.finish();
  REQUIRE(records.size() == 1);
  CHECK(records[0].tokens.size() == 8);
  CHECK(records[0].failure == event::Failure::aborted);
  CHECK(records[0].failed_at == at(27));
}

TEST_CASE("a request that ended after its parts is taken as it ended, and one that lies in a block is left out") {
  RequestRecord open = ended(7, 5);
  open.end = Moment();
  const RequestRecord part = event::snapshot(open, 0);
  const RequestRecord whole = ended(7, 9);
  const RequestRecord other = ended(8, 1);
  record::TailAssembly assembly({record::key_of(other)});
  for (const RequestRecord* each : {&part, &whole, &other}) {
    const record::Block block = record::encode({each, 1});
    REQUIRE(assembly.add(block.heads, block.tokens).ok());
  }
  const std::vector<RequestRecord> records = assembly.finish();
  REQUIRE(records.size() == 1);
  CHECK(records[0].tokens.size() == 9);
  CHECK(records[0].succeeded());
}

TEST_CASE("texts go beside the blocks and come back with their request") {
  record::MemoryBlocks memory;
  record::Recorder recorder(memory, 1, kOnlyAtEnd);
  RequestRecord r = ended(3);
  r.text = std::make_shared<event::RequestText>();
  r.text->answers = {"hello"};
  recorder.sink(0).take(std::move(r));
  recorder.sink(0).take(ended(4));
  recorder.finish();
  std::vector<std::string> seen;
  REQUIRE(
      memory.for_each([&](const RequestRecord& each) { seen.push_back(each.text ? each.text->answers.at(0) : "none"); })
          .ok());
  CHECK(seen == std::vector<std::string>{"hello", "none"});
}
