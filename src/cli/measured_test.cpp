#include "cli/measured.hpp"

#include <doctest/doctest.h>

#include "analyse/made_calibration.hpp"
#include "analyse/made_record.hpp"
#include "cli/built_in_endpoint.hpp"
#include "run/outcome_json.hpp"

namespace scoville::cli {
namespace {
using namespace std::chrono_literals;
using analyse::Transport;

/// A run over TLS with one request of three tokens, calibrated at 20 µs.
Measured made_run() {
  Measured made;
  made.subject.run_id = "r1";
  made.options.transport = Transport::tls;
  analyse::Calibration calibration;
  calibration.made = 77s;
  calibration.points = {analyse::calibrated({1, Transport::tls}, 1000, 20us)};
  made.options.calibration = std::make_shared<analyse::Calibration>(calibration);
  return made;
}

Measured stored_and_read(const Measured& made, const std::string& folder) {
  auto store = store::RunStore::open(folder + "/runs.db");
  REQUIRE(store.ok());
  auto writer = store->begin({"r1", "bench", "", "", manifest_of(made)});
  REQUIRE(writer.ok());
  record::Commit commit;
  commit.blocks.push_back(record::encode(std::vector{analyse::answered(0, {10, 20, 30}, 40)}));
  REQUIRE((*writer)->commit(commit).ok());
  REQUIRE((*writer)->finish(run::outcome_json(made.result), store::RunWriter::Ending::finished).ok());
  analyse::Calibration newer;
  newer.points = {analyse::calibrated({1, Transport::tls}, 1000, 500us)};
  REQUIRE(store->add_calibration("this machine", analyse::to_json(newer)).ok());
  auto read = read_measured(*store, "r1");
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return std::move(*read);
}

}  // namespace

TEST_CASE("a stored run keeps the calibration and the bound it had, whatever was calibrated since") {
  const TemporaryFolder folder;
  const Measured read = stored_and_read(made_run(), folder.path());
  CHECK(read.options.transport == Transport::tls);
  CHECK(read.analysis.error_bound.reason == analyse::NoBound::none);
  CHECK(read.analysis.error_bound.arrival == 20us);
  CHECK(read.analysis.error_bound.calibrated == 77s);
}

TEST_CASE("a run that was stored without a calibration has none later either") {
  const TemporaryFolder folder;
  Measured made = made_run();
  made.options.calibration.reset();
  const Measured read = stored_and_read(made, folder.path());
  CHECK(read.analysis.error_bound.reason == analyse::NoBound::not_calibrated);
}

}  // namespace scoville::cli
