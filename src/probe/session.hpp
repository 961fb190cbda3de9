#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "probe/reason.hpp"

namespace scoville::probe {

/// One question to a probe: its name, the device it is about, what else it needs to know.
struct Request {
  std::string ask;
  std::string device = "cpu";
  json::object params;
  Nanos silence = std::chrono::seconds(60);  ///< longest time without a line before the probe is killed
};

/// What came of it: the rows, then a result or a fault; never both.
struct Outcome {
  std::vector<json::object> rows;
  std::optional<json::object> result;
  std::optional<Fault> fault;
  std::string said;  ///< its standard error meanwhile: the last 64 KiB
  bool ok() const { return result.has_value(); }
};

struct Progress {
  std::size_t done = 0, of = 0;
  std::string note;
};

/// A probe executable and our talk with it (docs/formats/probe.md), one question at a time.
///
/// idle → (ask) → answering → idle; a probe that crashes, or is silent for too long and is killed, is started anew by
/// the next question: a device assert or a hang is a row, not the end of the run. Its whole process group dies with the
/// session, and it dies with this process. Not thread-safe.
class Session {
 public:
  /// `words`: the program (a path, or a name looked up in PATH) and its arguments. Started by the first question.
  explicit Session(std::vector<std::string> words) : words_(std::move(words)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Variables set for the probe beside ours. Before the first question.
  void set_variable(std::string name, std::string value) { variables_.emplace_back(std::move(name), std::move(value)); }
  void on_progress(std::function<void(const Progress&)> told) { told_ = std::move(told); }
  /// Gives up (fault `failed`, "interrupted") soon after this becomes true.
  void stop_on(const std::atomic<bool>& stop) { stop_ = &stop; }

  Outcome ask(const Request& request);
  const std::vector<std::string>& words() const { return words_; }

 private:
  Status start();
  void end(bool at_once);
  bool send(const std::string& line);
  void listen(const Request& request, Outcome& outcome);
  bool take_lines(Outcome& outcome);  // true: the answer has come
  bool take_line(std::string_view line, Outcome& outcome);
  void hear(int descriptor, std::string& into);
  void explain_death(Outcome& outcome);

  std::vector<std::string> words_;
  std::vector<std::pair<std::string, std::string>> variables_;
  std::function<void(const Progress&)> told_;
  const std::atomic<bool>* stop_ = nullptr;
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1, errors_ = -1;  // our ends of the pipes
  std::string heard_, said_;
  std::int64_t next_id_ = 1;
};

/// The fault of a request that got no answer because of a signal: "crash" and the signal's name.
Fault death_by(int wait_status);

}  // namespace scoville::probe
