#include "migration/log.hpp"

#include <doctest/doctest.h>

namespace scoville::migration {
namespace {

constexpr const char* kDesk =
    "{\"kind\":\"entered\",\"date\":\"2026-08-01\",\"stage\":\"desk\"}\n"
    "{\"kind\":\"left\",\"date\":\"2026-08-05\",\"stage\":\"desk\",\"met\":true,\"result\":\"r is plausible\"}\n"
    "{\"kind\":\"entered\",\"date\":\"2026-08-06\",\"stage\":\"bring-up\"}\n";

Log parsed(const std::string& text) {
  Result<Log> log = Log::parse(text, "n.jsonl");
  REQUIRE_MESSAGE(log.ok(), log.error().message);
  return *std::move(log);
}

std::string fault(const std::string& text) {
  const Result<Log> log = Log::parse(text, "n.jsonl");
  REQUIRE_FALSE(log.ok());
  return log.error().message;
}

}  // namespace

TEST_CASE("the log says which stages are open, met, and may come next") {
  const Log log = parsed(kDesk);
  CHECK(log.state(stages()[0]).phase == StageState::Phase::met);
  CHECK(log.state(stages()[0]).result == "r is plausible");
  CHECK(log.open_stages() == std::vector<const Stage*>{&stages()[2]});
  CHECK(log.lacking(stages()[3]) == std::vector<const Stage*>{&stages()[1], &stages()[2]});
  CHECK(log.enterable() == std::vector<const Stage*>{&stages()[1]});
}

TEST_CASE("a stage whose gate was not met may be entered again, and opens nothing further") {
  const Log log = parsed(
      "{\"kind\":\"entered\",\"date\":\"2026-08-01\",\"stage\":\"desk\"}\n"
      "{\"kind\":\"left\",\"date\":\"2026-08-05\",\"stage\":\"desk\",\"met\":false,\"result\":\"no evidence\"}\n");
  CHECK(log.state(stages()[0]).phase == StageState::Phase::not_met);
  CHECK(log.enterable() == std::vector<const Stage*>{&stages()[0], &stages()[1]});
}

TEST_CASE("what is written is read again") {
  Entry entry;
  entry.kind = Entry::Kind::booked;
  entry.date = "2026-08-07";
  entry.item = "operators";
  entry.days = 2.5;
  entry.is_done = true;
  entry.who = "李";
  const std::string line = line_of(entry);
  CHECK(line ==
        "{\"kind\":\"booked\",\"date\":\"2026-08-07\",\"item\":\"operators\",\"days\":2.5,\"done\":true,\"who\":"
        "\"李\"}");
  const Log log = parsed(line + "\n");
  CHECK(log.entries()[0].days == 2.5);
  CHECK(log.entries()[0].who == "李");
  CHECK(log.booked().at("operators").is_done);
}

TEST_CASE("days are summed by part; days after done open it again") {
  const std::string book = "{\"kind\":\"booked\",\"date\":\"2026-08-07\",\"item\":\"image\",\"days\":";
  const Log log = parsed(book + "2,\"done\":true}\n" + book + "1.5}\n");
  CHECK(log.booked().at("image").days == 3.5);
  CHECK_FALSE(log.booked().at("image").is_done);
}

TEST_CASE("the first token counts from the day that bring-up was entered") {
  const std::string token = "{\"kind\":\"first_token\",\"date\":\"2026-09-05\"}\n";
  CHECK(parsed(kDesk + token).first_token()->after_days == 30);  // 6 August to 5 September
  CHECK_FALSE(parsed(kDesk).first_token());
  CHECK(
      parsed("{\"kind\":\"entered\",\"date\":\"2026-09-01\",\"stage\":\"desk\"}\n" + token).first_token()->after_days ==
      4);
}

TEST_CASE("a damaged line is one line of error, with its number") {
  CHECK(fault(std::string(kDesk) + "{\"kind\":\"book").starts_with("n.jsonl:4: "));
  CHECK(fault("\n{\"kind\":\"moved\",\"date\":\"2026-08-01\"}\n").starts_with("n.jsonl:2: kind"));
  CHECK(fault("{\"kind\":\"entered\",\"date\":\"2026-13-01\",\"stage\":\"desk\"}\n").find("2026-13-01") !=
        std::string::npos);
  CHECK(fault("{\"kind\":\"entered\",\"date\":\"2026-08-01\",\"stage\":\"pilot\"}\n").find("pilot") !=
        std::string::npos);
  CHECK(fault("{\"kind\":\"booked\",\"date\":\"2026-08-01\",\"item\":\"image\",\"days\":-1}\n")
            .starts_with("n.jsonl:1: "));
  CHECK(fault("{\"date\":\"2026-08-01\"}\n").find("kind") != std::string::npos);
  CHECK(fault("[]\n").starts_with("n.jsonl:1: "));
}

TEST_CASE("an entry that contradicts the ones before it is refused") {
  CHECK(fault(std::string(kDesk) + "{\"kind\":\"entered\",\"date\":\"2026-08-07\",\"stage\":\"bring-up\"}\n")
            .starts_with("n.jsonl:4:"));
  CHECK(fault(std::string(kDesk) + "{\"kind\":\"left\",\"date\":\"2026-08-07\",\"stage\":\"soak\",\"met\":true}\n")
            .starts_with("n.jsonl:4:"));
  CHECK(fault(std::string(kDesk) + "{\"kind\":\"booked\",\"date\":\"2026-08-02\",\"item\":\"image\",\"days\":1}\n")
            .find("2026-08-06") != std::string::npos);
  const std::string token = "{\"kind\":\"first_token\",\"date\":\"2026-09-05\"}\n";
  CHECK(fault(kDesk + token + token).starts_with("n.jsonl:5:"));
}

TEST_CASE("days between two dates, over a leap day too") {
  CHECK(days_between("2028-02-28", "2028-03-01") == 2);
  CHECK(days_between("2026-12-31", "2027-01-01") == 1);
}

}  // namespace scoville::migration
