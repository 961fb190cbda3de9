#include "telemetry/increase.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "telemetry/range_json.hpp"

namespace scoville::telemetry {
namespace {

std::vector<Scrape> scrapes(const std::vector<std::string>& texts) {
  std::vector<Scrape> out;
  for (const std::string& each : texts)
    out.push_back({std::chrono::seconds(60 * out.size()), parse_exposition(each).samples});
  return out;
}

const std::vector<Selector> kAll{{"n_total", "", {}}};

}  // namespace

TEST_CASE("a counter grows from the first scrape on, each series by itself") {
  const auto seen = scrapes({"n_total{i=\"a\"} 5\nn_total{i=\"b\"} 10\n", "n_total{i=\"b\"} 13\nn_total{i=\"a\"} 6\n"});
  CHECK(increase(seen, kAll) == std::vector<double>{0, 4});
}

TEST_CASE("a counter that falls was reset, and one that comes later began at 0") {
  const auto seen =
      scrapes({"n_total{i=\"a\"} 100\n", "n_total{i=\"a\"} 7\n", "n_total{i=\"a\"} 9\nn_total{i=\"b\"} 2\n"});
  CHECK(increase(seen, kAll) == std::vector<double>{0, 7, 11});
}

TEST_CASE("a series that goes away keeps what it had; no number is none") {
  const auto seen = scrapes({"n_total 1\n", "other 1\n", "n_total NaN\n", "n_total 5\n"});
  CHECK(increase(seen, kAll) == std::vector<double>{0, 0, 0, 4});
  CHECK(increase(scrapes({"other 1\n"}), kAll).empty());
}

TEST_CASE("a label chooses, and a star stands for the rest of its value") {
  const std::vector<Selector> failed{{"n_total", "status", {"5*", "error"}}};
  const auto seen = scrapes({"n_total{status=\"200\"} 0\nn_total{status=\"503\"} 0\n",
                             "n_total{status=\"200\"} 9\nn_total{status=\"503\"} 2\nn_total{status=\"error\"} 1\n"});
  CHECK(increase(seen, failed) == std::vector<double>{0, 3});
}

TEST_CASE("buckets by their bound, summed over the fleet") {
  const auto seen = scrapes({"t_bucket{le=\"0.1\",i=\"a\"} 1\nt_bucket{le=\"+Inf\",i=\"a\"} 2\n",
                             "t_bucket{le=\"0.1\",i=\"a\"} 4\nt_bucket{le=\"+Inf\",i=\"a\"} 7\n"
                             "t_bucket{le=\"0.1\",i=\"b\"} 1\nt_bucket{le=\"+Inf\",i=\"b\"} 1\n"});
  const auto found = bucket_increase(seen, {"t", "", {}});
  REQUIRE(found.size() == 2);
  CHECK(found.at(0.1) == std::vector<double>{0, 4});
  CHECK(found.at(std::numeric_limits<double>::infinity()) == std::vector<double>{0, 6});
}

TEST_CASE("an exported range is a scrape an instant") {
  const auto read = read_range(R"({"status":"success","data":{"resultType":"matrix","result":[
    {"metric":{"__name__":"n_total","job":"x"},"values":[[10.5,"1"],[20.5,"4"],[30.5,"NaN"]]},
    {"metric":{"__name__":"m","job":"x"},"values":[[20.5,"2"]]}]}})");
  REQUIRE(read.ok());
  REQUIRE(read->size() == 2);
  CHECK((*read)[0].at == std::chrono::milliseconds(10500));
  CHECK((*read)[1].samples.size() == 2);
  CHECK(increase(*read, kAll) == std::vector<double>{0, 3});
}

TEST_CASE("what is no such answer is refused in one line") {
  for (const char* text : {"", "[]", "{\"data\":{}}", "{\"data\":{\"result\":[{}]}}",
                           "{\"data\":{\"result\":[{\"metric\":{\"a\":\"b\"},\"values\":[]}]}}",
                           "{\"data\":{\"result\":[{\"metric\":{\"__name__\":\"b\"},\"values\":[[1]]}]}}",
                           "{\"data\":{\"result\":[{\"metric\":{\"__name__\":\"b\"},\"values\":[[\"x\",\"1\"]]}]}}"}) {
    CAPTURE(text);
    const auto read = read_range(text);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find('\n') == std::string::npos);
  }
}

}  // namespace scoville::telemetry
