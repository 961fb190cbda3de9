#include "store/run_store.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/file.hpp"
#include "store/schema.hpp"

using namespace scoville;
using event::RequestRecord;
using store::RunStatus;
using store::RunStore;

namespace {

/// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scoville-store-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name = "runs.db") const { return path_ + "/" + name; }

 private:
  std::string path_;
};

RequestRecord ended(std::uint64_t index) {
  RequestRecord r;
  r.index = index;
  r.written = Instant(std::chrono::milliseconds(10));
  r.first_token = r.last_token = r.end = Instant(std::chrono::milliseconds(20));
  r.tokens.push_back({.at = *r.first_token});
  return r;
}

record::Block block_of(std::uint64_t from, std::uint64_t count) {
  std::vector<RequestRecord> records;
  for (std::uint64_t i = 0; i < count; ++i) records.push_back(ended(from + i));
  return record::encode(records);
}

std::vector<std::uint64_t> indexes(const RunStore& store, const std::string& id) {
  const auto source = store.records(id);
  REQUIRE(source.ok());
  std::vector<std::uint64_t> out, heads;
  REQUIRE((*source)->for_each([&](const RequestRecord& r) { out.push_back(r.index); }).ok());
  REQUIRE((*source)->for_each_head([&](RequestRecord r) { heads.push_back(r.index); }).ok());
  CHECK(out == heads);
  return out;
}

RunStore opened(const std::string& path) {
  Result<RunStore> store = RunStore::open(path);
  REQUIRE(store.ok());
  return std::move(*store);
}

void finished_run(RunStore& store, const std::string& id) {
  auto writer = store.begin({id, "bench", "", "", json::object{}});
  REQUIRE(writer.ok());
  REQUIRE((*writer)->finish(json::object{}, store::RunWriter::Ending::finished).ok());
}

}  // namespace

TEST_CASE("what was committed is read back, with its documents") {
  const Folder folder;
  RunStore store = opened(folder.file("new/folder/runs.db"));
  auto writer = store.begin({"r1", "bench", "nightly", "", json::value{{"model", "m"}}});
  REQUIRE(writer.ok());
  record::Commit commit;
  commit.blocks = {block_of(0, 3), block_of(3, 2)};
  commit.recorded = 5;
  REQUIRE((*writer)->commit(commit).ok());
  CHECK(store.runs()->at(0).status == RunStatus::running);
  REQUIRE((*writer)->finish(json::value{{"end", 1}}, store::RunWriter::Ending::finished).ok());
  CHECK(indexes(store, "r1") == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  const auto info = store.runs()->at(0);
  CHECK(info.status == RunStatus::finished);
  CHECK(info.tag == "nightly");
  CHECK(info.requests == 5);
  CHECK(info.events == 5);
  CHECK(store.document("r1", "manifest")->at("model") == "m");
  CHECK(store.document("r1", "outcome")->at("end") == 1);
  CHECK(store.document("r1", "nothing")->is_null());
}

TEST_CASE("a run whose process died is interrupted, and its tails are part of it") {
  const Folder folder;
  { RunStore made = opened(folder.file()); }
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // dies without a word, as under kill -9
    Result<RunStore> store = RunStore::open(folder.file());
    auto writer = store->begin({"r1", "bench", "", "", json::object{}});
    record::Commit commit;
    commit.blocks = {block_of(0, 2)};
    RequestRecord open = ended(2);
    open.end = Moment();
    commit.tails = {{1, record::encode({&open, 1})}, {2, block_of(1, 1)}};
    static_cast<void>((*writer)->commit(commit));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const RunStore store = opened(folder.file());
  CHECK(store.runs()->at(0).status == RunStatus::interrupted);
  CHECK(indexes(store, "r1") == std::vector<std::uint64_t>{0, 1, 2});
  RequestRecord last;
  REQUIRE((*store.records("r1"))->for_each([&](const RequestRecord& r) { last = r; }).ok());
  CHECK(last.failure == event::Failure::aborted);
  CHECK(last.tokens.size() == 1);
}

TEST_CASE("a run is found by its id, its beginning, its tag and its set") {
  const Folder folder;
  RunStore store = opened(folder.file());
  REQUIRE(store.begin_set("s1", "base").ok());
  for (const char* id : {"20260101-a", "20260101-b", "20260202-c"}) {
    auto writer = store.begin({id, "bench", "base", id[5] == '1' ? "s1" : "", json::object{}});
    REQUIRE(writer.ok());
    REQUIRE((*writer)->finish(json::object{}, store::RunWriter::Ending::finished).ok());
  }
  CHECK(store.find("20260101-b")->size() == 1);
  CHECK(store.find("202602")->at(0).id == "20260202-c");
  CHECK(store.find("base")->size() == 3);
  CHECK(store.find("s1")->size() == 2);
  CHECK_FALSE(store.find("202601").ok());  // two begin like this
  CHECK_FALSE(store.find("x").ok());
  CHECK_FALSE(store.find("").ok());
  REQUIRE(store.set_tag("s1", "old").ok());
  CHECK(store.find("old")->size() == 2);
  REQUIRE(store.erase("20260101-a").ok());
  CHECK(store.find("old")->size() == 1);
  CHECK_FALSE(store.erase("20260101-a").ok());
}

TEST_CASE("deleting a run frees its room in the file, and a running one is not deleted") {
  const Folder folder;
  RunStore store = opened(folder.file());
  auto writer = store.begin({"r1", "bench", "", "", json::object{}});
  REQUIRE(writer.ok());
  record::Commit commit;
  commit.blocks.push_back({1, 1, std::string(1 << 20, 'x'), std::string(1 << 20, 'y')});
  REQUIRE((*writer)->commit(commit).ok());
  CHECK_FALSE(store.erase("r1").ok());
  REQUIRE((*writer)->finish(json::object{}, store::RunWriter::Ending::finished).ok());
  const std::int64_t before = store.size().value();
  REQUIRE(store.erase("r1").ok());
  CHECK(before - store.size().value() >= (2 << 20));  // two blobs of 1 MiB
  writer->reset();
  { const RunStore closing = std::move(store); }
  CHECK(std::filesystem::file_size(folder.file()) < (1 << 18));
}

TEST_CASE("a full disk refuses the whole commit: nothing is half-written, and the next one may work") {
  const Folder folder;
  RunStore store = opened(folder.file());
  Result<store::Database> database = store::Database::open(folder.file(), store::Database::Access::write);
  REQUIRE(database.ok());
  REQUIRE(database
              ->execute("INSERT INTO run (id, kind, status, started_ns, heartbeat_ns, process)"
                        " VALUES ('r1', 'bench', 'running', 0, 0, '')")
              .ok());
  REQUIRE(database->execute("PRAGMA max_page_count = 40").ok());
  store::RunWriter writer(std::move(*database), 1);
  record::Commit large;
  large.blocks = {block_of(0, 2), {1, 1, std::string(1 << 20, 'x'), std::string(1 << 20, 'y')}};
  const Status refused = writer.commit(large);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("full") != std::string::npos);
  CHECK(indexes(store, "r1").empty());
  record::Commit small;
  small.blocks = {block_of(0, 2)};
  REQUIRE(writer.commit(small).ok());
  CHECK(indexes(store, "r1").size() == 2);
}

TEST_CASE("a file that is locked, not ours, or newer is one clear error each") {
  const Folder folder;
  REQUIRE(write_file(folder.file("text"), std::string(5000, 'x')).ok());
  const auto text = RunStore::open(folder.file("text"));
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().message.find("not a store") != std::string::npos);

  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(folder.file("other").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "CREATE TABLE t (a)", nullptr, nullptr, nullptr) == SQLITE_OK);
  const auto foreign = RunStore::open(folder.file("other"));
  REQUIRE_FALSE(foreign.ok());
  CHECK(foreign.error().message.find("not a store") != std::string::npos);
  sqlite3_close(other);

  { RunStore made = opened(folder.file()); }
  Result<store::Database> database = store::Database::open(folder.file(), store::Database::Access::write);
  REQUIRE(database->execute("PRAGMA user_version = 99").ok());
  const auto newer = RunStore::open(folder.file());
  REQUIRE_FALSE(newer.ok());
  CHECK(newer.error().message.find("99") != std::string::npos);
  CHECK(RunStore::open_for_reading(folder.file()).error().message == newer.error().message);
  REQUIRE(database->execute("PRAGMA user_version = 2").ok());

  REQUIRE(database->execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").ok());
  const auto locked = RunStore::open(folder.file());
  REQUIRE_FALSE(locked.ok());
  CHECK(locked.error().message.find("locked") != std::string::npos);
}

TEST_CASE("a file of the first version gets its new tables with the first command that writes") {
  const Folder folder;
  {
    RunStore store = opened(folder.file());
    finished_run(store, "r1");
  }
  {
    auto database = store::Database::open(folder.file(), store::Database::Access::write);
    REQUIRE(database->execute("DROP TABLE finding; PRAGMA user_version = 1").ok());
  }
  const auto looked_at = RunStore::open_for_reading(folder.file());
  REQUIRE_FALSE(looked_at.ok());
  CHECK(looked_at.error().message.find("1") != std::string::npos);
  RunStore store = opened(folder.file());
  CHECK(store.runs()->size() == 1);
  CHECK(store.add_finding({"f1", "noise_floor", "m", {}, json::object{{"floor", 0.5}}}).ok());
}

TEST_CASE("findings come newest first, of one subject or of all") {
  const Folder folder;
  RunStore store = opened(folder.file());
  CHECK(store.findings("noise_floor")->empty());
  REQUIRE(store.add_finding({"f1", "noise_floor", "here", {}, 1}).ok());
  REQUIRE(store.add_finding({"f2", "noise_floor", "there", {}, 2}).ok());
  REQUIRE(store.add_finding({"f3", "correctness", "here", {}, 3}).ok());
  CHECK_FALSE(store.add_finding({"f3", "correctness", "here", {}, 4}).ok());  // an id is one thing

  const auto all = store.findings("noise_floor");
  REQUIRE(all->size() == 2);
  CHECK(all->front().id == "f2");
  CHECK(all->front().made > Nanos::zero());
  const auto here = store.findings("noise_floor", "here");
  REQUIRE(here->size() == 1);
  CHECK(here->front().body == json::value(1));
}

TEST_CASE("a document beside an ended run is put in, and replaced") {
  const Folder folder;
  RunStore store = opened(folder.file());
  finished_run(store, "r1");
  REQUIRE(store.set_document("r1", "statistics", json::object{{"n", 1}}).ok());
  REQUIRE(store.set_document("r1", "statistics", json::object{{"n", 2}}).ok());
  CHECK(store.document("r1", "statistics")->at("n") == json::value(2));
  CHECK_FALSE(store.set_document("r9", "statistics", 1).ok());
}

TEST_CASE("many that make the file at the same moment all find a store") {
  for (int round = 0; round < 20; ++round) {
    const Folder folder;
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { good += RunStore::open(folder.file()).ok(); });
    }
    for (std::thread& each : threads) each.join();
    CHECK(good == 4);
  }
}

TEST_CASE("a set that has begun outlives the deletion of runs of others") {
  const Folder folder;
  RunStore store = opened(folder.file());
  REQUIRE(store.begin_set("s1", "").ok());
  for (const char* id : {"r1", "r2"}) {
    auto writer = store.begin({id, "bench", "", id[1] == '2' ? "s1" : "", json::object{}});
    REQUIRE(writer.ok());
    REQUIRE((*writer)->finish(json::object{}, store::RunWriter::Ending::finished).ok());
    REQUIRE(store.erase("r1").ok() == (id[1] == '1'));  // before the first run of s1 is there
  }
  CHECK(store.find("s1")->size() == 1);
}

TEST_CASE("a file that another process is about to make a store of holds no run yet") {
  const Folder folder;
  REQUIRE(write_file(folder.file(), "").ok());
  const auto none = RunStore::open_for_reading(folder.file());
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == ErrorCode::not_found);
}

TEST_CASE("looking makes no file") {
  const Folder folder;
  const auto none = RunStore::open_for_reading(folder.file());
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == ErrorCode::not_found);
  CHECK_FALSE(std::filesystem::exists(folder.file()));
}

TEST_CASE("the newest calibration of a machine is the one that counts") {
  const Folder folder;
  RunStore store = opened(folder.file());
  CHECK(store.calibration("m1")->is_null());
  REQUIRE(store.add_calibration("m1", json::value{{"n", 1}}).ok());
  REQUIRE(store.add_calibration("m1", json::value{{"n", 2}}).ok());
  REQUIRE(store.add_calibration("m2", json::value{{"n", 3}}).ok());
  CHECK(store.calibration("m1")->at("n") == 2);
}
