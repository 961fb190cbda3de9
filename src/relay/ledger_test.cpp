#include "relay/ledger.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.hpp"

namespace scoville::relay {
namespace {

using namespace std::chrono_literals;

Sighting chat() {
  Sighting seen;
  seen.method = "POST";
  seen.path = "/v1/chat/completions";
  seen.at = 1'796'033'730s;
  seen.asked = Instant(10s);
  seen.ended = Instant(12s);
  seen.status = 200;
  seen.content_type = "text/event-stream";
  seen.body = R"({"model":"m","stream":true,"user":"alice","messages":[{"role":"user","content":"secret words"}]})";
  seen.answer = "data: {\"choices\":[{\"delta\":{\"content\":\"hidden\"}}]}\n\ndata: [DONE]\n\n";
  seen.pieces = {{seen.answer.size(), Instant(11s)}};
  return seen;
}

struct Folder {
  Folder() {
    char name[] = "/tmp/scoville-ledger-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

}  // namespace

TEST_CASE("a line has lengths, times and hashes, and no word of anybody") {
  const workload::SaltedHash hash("salt");
  const json::object line = line_of(chat(), hash, false);
  CHECK(line.at("ttft_ms").as_double() == 1000);
  CHECK(line.at("e2e_ms").as_double() == 2000);
  CHECK(line.at("prompt_chars") == 18);  // "user", "secret words", two line feeds
  CHECK(line.at("answer_chars") == 6);
  CHECK(line.at("output_tokens").is_null());  // nobody counted them: unknown, not 0
  CHECK(line.at("chunks") == 1);
  CHECK(line.at("failure").is_null());
  const std::string text = compact(line);
  for (const char* word : {"secret", "words", "hidden", "alice"}) CHECK(text.find(word) == std::string::npos);
}

TEST_CASE("an answer's hash is that of the message that clients send back") {
  const workload::SaltedHash hash("salt");
  Sighting next = chat();
  next.body = R"({"messages":[{"role":"user","content":"secret words"},{"role":"assistant","content":"hidden"}]})";
  CHECK(line_of(chat(), hash, false).at("answer_hash") == line_of(next, hash, false).at("message_hashes").at(1));
}

TEST_CASE("bodies are there when they were asked for") {
  const json::object line = line_of(chat(), workload::SaltedHash("salt"), true);
  CHECK(line.at("request").at("user") == "alice");
  CHECK(line.at("answer") == "hidden");
}

TEST_CASE("a client that leaves behind the end marker has its answer; one that leaves before has failed") {
  Sighting seen = chat();
  seen.failure = "client_closed";
  CHECK(line_of(seen, workload::SaltedHash("s"), false).at("failure").is_null());
  seen.answer.resize(seen.answer.find("data: [DONE]"));
  seen.pieces.back().end = seen.answer.size();
  CHECK(line_of(seen, workload::SaltedHash("s"), false).at("failure") == "client_closed");
  seen.failure.clear();
  seen.status = 503;
  CHECK(line_of(seen, workload::SaltedHash("s"), false).at("failure") == "http_status");
}

TEST_CASE("a body that was too long to look at leaves lengths unknown") {
  Sighting seen = chat();
  seen.is_body_whole = seen.is_answer_whole = false;
  const json::object line = line_of(seen, workload::SaltedHash("s"), true);
  CHECK_FALSE(line.contains("prompt_chars"));
  CHECK(line.at("answer_chars").is_null());
  CHECK(line.at("request").is_null());
}

TEST_CASE("a file that is there is not written over, one of another kind is not added to, a cut line is ended") {
  const Folder folder;
  const std::string path = folder.path + "/r.jsonl";
  auto ledger = Ledger::open(path, false, {});
  REQUIRE(ledger);
  (*ledger)->put(chat());
  const Totals totals = (*ledger)->finish();
  CHECK(totals.requests == 1);
  CHECK(totals.unknown_usage == 1);
  struct stat info {};
  REQUIRE(stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);  // nobody else reads it

  CHECK_FALSE(Ledger::open(path, false, {}));
  REQUIRE(truncate(path.c_str(), info.st_size - 10) == 0);
  auto again = Ledger::open(path, true, {});
  REQUIRE(again);
  (*again)->put(chat());
  (*again)->finish();
  const auto content = read_file(path);
  REQUIRE(content);
  const workload::LogRows read = workload::read_requests_file(*content);
  CHECK(read.rows.size() == 1);
  CHECK(read.bad.size() == 1);  // the cut one

  const std::string foreign = folder.path + "/other";
  REQUIRE(write_file(foreign, "hello\n"));
  CHECK_FALSE(Ledger::open(foreign, true, {}));
  CHECK(*read_file(foreign) == "hello\n");
}

}  // namespace scoville::relay
