#include "store/bundle.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "store/made_store.hpp"
#include "store/stored_parts.hpp"
#include "store/temporary_store.hpp"

using namespace scoville;
using namespace scoville::store;

namespace {

Result<BundleContents> exported(const RunStore& store, std::vector<std::string> ids, const std::string& path) {
  return export_bundle(store, ids, path);
}

/// What is stored of a run, every part with its hash.
std::vector<BundledPart> parts_of(const RunStore& store, const std::string& id) {
  auto database = Database::open(store.path(), Database::Access::read);
  REQUIRE(database.ok());
  const auto parts = StoredParts::of(*database, id);
  REQUIRE(parts.ok());
  std::vector<BundledPart> out;
  for (const PartName& each : parts->names()) out.push_back(parts->measure(each).value());
  return out;
}

std::size_t files_in(const std::string& folder) {
  const auto all = std::filesystem::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// A run whose process died: `inside` runs in a child.
void in_dying_child(const std::function<void()>& inside) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      inside();
    } catch (...) {  // it must not go on with the tests of its parent
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("a bundle brings runs to another store, the same in every byte") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  REQUIRE(from.begin_set("s1", "base").ok());
  made_run(from, "r1", "s1", "base");
  made_run(from, "r2", "s1", "base");
  made_run(from, "r3");
  const auto written = exported(from, {"r1", "r2"}, folder.file("x.scov"));
  REQUIRE(written.ok());
  CHECK(written->manifest.runs.size() == 2);
  CHECK(written->packed == std::filesystem::file_size(folder.file("x.scov")));
  CHECK(written->sha256 == sha256(read_file(folder.file("x.scov")).value()));

  RunStore to = made_store(folder.file("b.db"));
  const auto report = import_bundle(to, folder.file("x.scov"));
  REQUIRE(report.ok());
  CHECK(report->imported == std::vector<std::string>{"r1", "r2"});
  CHECK(report->present.empty());
  for (const char* id : {"r1", "r2"}) CHECK(parts_of(from, id) == parts_of(to, id));
  const RunInfo before = from.find("r1")->front(), after = to.find("r1")->front();
  CHECK(after.status == RunStatus::finished);
  CHECK(std::tie(before.kind, before.set, before.tag, before.started, before.ended, before.requests, before.events) ==
        std::tie(after.kind, after.set, after.tag, after.started, after.ended, after.requests, after.events));
  CHECK(to.find("s1")->size() == 2);
  const auto origin = to.document("r1", "origin");
  CHECK(origin->at("file") == "x.scov");
  CHECK(origin->at("sha256") == json::value(written->sha256));
  CHECK_FALSE(to.find("r3").ok());
}

TEST_CASE("the same runs give the same file, in whatever order they are named and from whichever store") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  made_run(from, "r2");
  REQUIRE(exported(from, {"r1", "r2"}, folder.file("x.scov")).ok());
  REQUIRE(exported(from, {"r2", "r1", "r2"}, folder.file("y.scov")).ok());
  const std::string bytes = read_file(folder.file("x.scov")).value();
  CHECK(bytes == read_file(folder.file("y.scov")).value());
  RunStore to = made_store(folder.file("b.db"));
  REQUIRE(import_bundle(to, folder.file("x.scov")).ok());
  REQUIRE(exported(to, {"r1", "r2"}, folder.file("z.scov")).ok());
  CHECK(bytes == read_file(folder.file("z.scov")).value());
}

TEST_CASE("a person finds the plan and the fingerprint as parts of their own") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  std::vector<std::string> names;
  std::string plan;
  for (const auto& [name, text] : unpacked(folder.file("x.scov"))) {
    names.push_back(name);
    if (name == "runs/r1/plan.json") plan = text;
  }
  CHECK(names == std::vector<std::string>{"manifest.json", "runs/r1/documents/manifest.json",
                                          "runs/r1/documents/outcome.json", "runs/r1/fingerprint.json",
                                          "runs/r1/plan.json", "runs/r1/blocks.bin", "runs/r1/answers.jsonl"});
  CHECK(plan == "{\n  \"rate\": 2.5\n}\n");
}

TEST_CASE("what was computed from a run stays where it is, and does not make it another run") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  REQUIRE(from.set_document("r1", "statistics", json::object{{"n", 1}}).ok());
  REQUIRE(exported(from, {"r1"}, folder.file("y.scov")).ok());
  CHECK(read_file(folder.file("x.scov")).value() == read_file(folder.file("y.scov")).value());
  CHECK(import_bundle(from, folder.file("x.scov"))->present == std::vector<std::string>{"r1"});
  CHECK(from.document("r1", "statistics")->at("n") == json::value(1));

  Unpacked parts = unpacked(folder.file("x.scov"));
  parts.insert(parts.begin() + 3, {"runs/r1/documents/statistics.json", "{}"});
  pack_fitting(folder.file("z.scov"), parts);
  CHECK(says(fault_of(folder.file("z.scov")), "statistics.json"));
}

TEST_CASE("another document beside a run travels with it") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(from.set_document("r1", "notes", json::array{1, "two"}).ok());
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  RunStore to = made_store(folder.file("b.db"));
  REQUIRE(import_bundle(to, folder.file("x.scov")).ok());
  CHECK(to.document("r1", "notes").value() == json::value(json::array{1, "two"}));
}

TEST_CASE("a run that is still running is not exported") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  auto writer = from.begin({"r1", "bench", "", "", json::object{}});
  const auto refused = exported(from, {"r1"}, folder.file("x.scov"));
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "r1 is still running"));
  CHECK_FALSE(std::filesystem::exists(folder.file("x.scov")));
}

TEST_CASE("a run whose process died comes with its tails and reads as interrupted") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  in_dying_child([&] {
    Result<RunStore> store = RunStore::open(folder.file("a.db"));
    auto writer = store->begin({"r1", "bench", "", "", made_manifest("m")});
    event::RequestRecord open = made_request(2);
    open.end = Moment();
    record::Commit commit;
    commit.blocks = {made_block(0, 2)};
    commit.tails = {{1, record::encode({&open, 1})}, {2, made_block(1, 1)}};
    commit.recorded = 2;
    static_cast<void>((*writer)->commit(commit));
  });
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  RunStore to = made_store(folder.file("b.db"));
  REQUIRE(import_bundle(to, folder.file("x.scov")).ok());
  CHECK(to.find("r1")->front().status == RunStatus::interrupted);
  CHECK_FALSE(to.find("r1")->front().ended);
  CHECK(to.document("r1", "outcome")->is_null());
  std::vector<std::uint64_t> indexes;
  const auto records = to.records("r1");
  REQUIRE((*records)->for_each([&](const event::RequestRecord& each) { indexes.push_back(each.index); }).ok());
  CHECK(indexes == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(parts_of(from, "r1") == parts_of(to, "r1"));
  CHECK(import_bundle(to, folder.file("x.scov"))->present.size() == 1);
}

TEST_CASE("importing again changes nothing, and no tag is taken from a run that is there") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  REQUIRE(from.begin_set("s1", "base").ok());
  made_run(from, "r1", "s1", "base");
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  made_run(from, "r2", "s1", "base");
  REQUIRE(exported(from, {"r1", "r2"}, folder.file("y.scov")).ok());
  RunStore to = made_store(folder.file("b.db"));
  REQUIRE(import_bundle(to, folder.file("x.scov")).ok());
  REQUIRE(to.set_tag("s1", "mine").ok());
  const auto again = import_bundle(to, folder.file("y.scov"));
  REQUIRE(again.ok());
  CHECK(again->present == std::vector<std::string>{"r1"});
  CHECK(again->imported == std::vector<std::string>{"r2"});
  CHECK(to.find("r1")->front().tag == "mine");
  CHECK(to.find("s1")->size() == 2);
}

TEST_CASE("an id that stands for another run in the store refuses the whole bundle") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  made_run(from, "r2");
  REQUIRE(exported(from, {"r1", "r2"}, folder.file("x.scov")).ok());
  RunStore to = made_store(folder.file("b.db"));
  made_run(to, "r2");  // began at another time
  const auto before = parts_of(to, "r2");
  const auto refused = import_bundle(to, folder.file("x.scov"));
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "r2"));
  CHECK(to.runs()->size() == 1);
  CHECK(parts_of(to, "r2") == before);
}

TEST_CASE("a run of the same times whose records or documents differ is another run") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  auto database = Database::open(folder.file("a.db"), Database::Access::write);
  for (const char* change :
       {"UPDATE block SET tokens = heads WHERE number = 1", "UPDATE document SET body = '{}'",
        "UPDATE answer SET body = '{}' WHERE request = 1", "DELETE FROM answer WHERE request = 1"}) {
    CHECK(import_bundle(from, folder.file("x.scov")).ok());
    REQUIRE(database->execute(change).ok());
    CHECK_MESSAGE(!import_bundle(from, folder.file("x.scov")).ok(), change);
    REQUIRE(from.erase("r1").ok());
    CHECK(import_bundle(from, folder.file("x.scov"))->imported.size() == 1);
  }
}

TEST_CASE("a store that runs full takes nothing of a bundle") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  {
    auto writer = from.begin({"r2", "bench", "", "", made_manifest(std::string(1 << 20, 'x'))});
    REQUIRE((*writer)->finish(json::object{}, RunWriter::Ending::finished).ok());
  }
  REQUIRE(exported(from, {"r1", "r2"}, folder.file("x.scov")).ok());
  const auto verified = verify_bundle(folder.file("x.scov"));
  REQUIRE(verified.ok());
  { RunStore made = made_store(folder.file("b.db")); }
  signal(SIGXFSZ, SIG_IGN);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{600'000, 600'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Result<RunStore> to = RunStore::open(folder.file("b.db"));
    const auto report = import_bundle(*to, *verified);
    _exit(!report.ok() && says(report.error().message, "full") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  RunStore to = made_store(folder.file("b.db"));
  CHECK(to.runs()->empty());
  CHECK(import_bundle(to, folder.file("x.scov"))->imported.size() == 2);
}

TEST_CASE("an export that cannot be written to its end leaves nothing") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  std::filesystem::create_directory(folder.file("out"));
  signal(SIGXFSZ, SIG_IGN);
  in_dying_child([&] {
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = exported(from, {"r1"}, folder.file("out/x.scov"));
    _exit(written.ok() ? 1 : 0);
  });
  CHECK(files_in(folder.file("out")) == 0);
  const std::vector<std::string> ids{"r1"};
  const auto stopped = export_bundle(from, ids, folder.file("out/x.scov"),
                                     {NewFile::Existing::kept, [](auto, auto all) {
                                        return all == 0;  // goes on while it hashes, not once it writes
                                      }});
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().code == ErrorCode::aborted);
  CHECK(files_in(folder.file("out")) == 0);
}

TEST_CASE("a file that is there is kept unless it is to be replaced; what is no file stays") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(write_file(folder.file("x.scov"), "mine").ok());
  const auto refused = exported(from, {"r1"}, folder.file("x.scov"));
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "--force"));
  CHECK(read_file(folder.file("x.scov")).value() == "mine");
  const std::vector<std::string> ids{"r1"};
  const ExportOptions replaces{NewFile::Existing::replaced, {}};
  CHECK(export_bundle(from, ids, folder.file("x.scov"), replaces).ok());
  CHECK(fault_of(folder.file("x.scov")).empty());
  std::filesystem::create_directory(folder.file("d"));
  CHECK_FALSE(export_bundle(from, ids, folder.file("d"), replaces).ok());
  CHECK_FALSE(export_bundle(from, ids, "/dev/null", replaces).ok());
  CHECK_FALSE(export_bundle(from, ids, folder.file("./a.db"), replaces).ok());  // the store itself
  CHECK(from.runs()->size() == 1);
}

TEST_CASE("a store that is damaged gives no bundle") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  auto database = Database::open(folder.file("a.db"), Database::Access::write);
  REQUIRE(database->execute("UPDATE block SET tokens = x'00' WHERE number = 2").ok());
  const auto refused = exported(from, {"r1"}, folder.file("x.scov"));
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "runs/r1/blocks.bin"));
  CHECK_FALSE(std::filesystem::exists(folder.file("x.scov")));
}

TEST_CASE("many that import the same bundle at once all end well, and the runs are there once") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  made_run(from, "r2");
  REQUIRE(exported(from, {"r1", "r2"}, folder.file("x.scov")).ok());
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    Result<RunStore> to = RunStore::open(folder.file("b.db"));
    const auto report = to ? import_bundle(*to, folder.file("x.scov")) : Result<ImportReport>(to.error());
    _exit(report.ok() && report->imported.size() + report->present.size() == 2 ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  RunStore to = made_store(folder.file("b.db"));
  CHECK(to.runs()->size() == 2);
}

TEST_CASE("a bundle is seen by its first bytes, whatever its name") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(exported(from, {"r1"}, folder.file("odd.name")).ok());
  CHECK(looks_like_bundle(folder.file("odd.name")));
  CHECK_FALSE(looks_like_bundle(folder.file("a.db")));
  CHECK_FALSE(looks_like_bundle(folder.file("none")));
  CHECK_FALSE(looks_like_bundle(folder.path()));
  pack(folder.file("other"), {{"readme", "x"}});
  CHECK_FALSE(looks_like_bundle(folder.file("other")));
}

TEST_CASE("a temporary store takes a bundle and is gone afterwards") {
  const MadeFolder folder;
  RunStore from = made_store(folder.file("a.db"));
  made_run(from, "r1");
  REQUIRE(exported(from, {"r1"}, folder.file("x.scov")).ok());
  const std::size_t before = files_in(folder.path());
  {
    auto temporary = TemporaryStore::make(folder.path());
    REQUIRE(temporary.ok());
    REQUIRE(import_bundle(temporary->store(), folder.file("x.scov")).ok());
    CHECK(temporary->store().runs()->size() == 1);
    CHECK(files_in(folder.path()) == before + 1);
  }
  CHECK(files_in(folder.path()) == before);
  CHECK_FALSE(TemporaryStore::make("/nonexistent").ok());
}
