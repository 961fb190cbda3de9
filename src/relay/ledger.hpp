#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "relay/sighting.hpp"
#include "wire/fd.hpp"
#include "workload/prompt_reader.hpp"
#include "workload/requests_file.hpp"

namespace scoville::relay {

/// What a recording came to.
struct Totals {
  std::uint64_t requests = 0, failed = 0;
  std::map<std::string, std::uint64_t> failures;  ///< by class
  std::uint64_t input_tokens = 0, output_tokens = 0;
  std::uint64_t unknown_usage = 0;  ///< answers to requests for text that said no count of output tokens
  std::uint64_t lines_lost = 0;     ///< that the file did not take
  std::string first_loss;           ///< why, in the system's words
};

/// One line of the file for what was seen. Pure. With `keeps_bodies` the request and the answer's text are in it.
json::object line_of(const Sighting& sighting, const workload::SaltedHash& hash, bool keeps_bodies);

/// The file of a recording, written by a thread of its own: hashing a long prompt takes its time, which no stream is to
/// wait for. Each line is one write(), so that what is in the file is whole.
///
/// States: opened → put(), any number of times → finish().
class Ledger {
 public:
  /// Error: the file is there (and not `appends`), is no file of requests, or cannot be written.
  static Result<std::unique_ptr<Ledger>> open(const std::string& path, bool appends, workload::RecordingHead head);
  ~Ledger();

  /// From the loop's thread. Never waits.
  void put(Sighting sighting);
  /// Writes all that was put, and ends the thread.
  Totals finish();

 private:
  Ledger(wire::Fd file, bool keeps_bodies) : file_(std::move(file)), keeps_bodies_(keeps_bodies) {}
  void write_all();
  void write_one(const Sighting& sighting);
  Status write_line(const json::object& line);
  void count(const json::object& line);

  wire::Fd file_;
  const bool keeps_bodies_;
  const workload::SaltedHash hash_;
  Totals totals_;  // of the thread, until it has ended

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Sighting> waiting_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace scoville::relay
