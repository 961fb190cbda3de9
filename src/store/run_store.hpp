#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "event/record_flow.hpp"
#include "store/database.hpp"
#include "store/run_writer.hpp"

namespace scoville::store {

/// How a run stands. The names are those of the file and of the JSON.
enum class RunStatus {
  running,      ///< its process lives
  finished,     ///< it came to its end
  interrupted,  ///< it was stopped by hand, or its process died: what had been written is there
  incomplete,   ///< the store could not take all of it
};
std::string_view name_of(RunStatus status);

/// One run, as a list shows it.
struct RunInfo {
  std::string id, kind, set, tag;
  RunStatus status = RunStatus::running;
  Nanos started{};  ///< wall clock, since 1970
  std::optional<Nanos> ended;
  std::int64_t requests = 0;  ///< that have ended, warm-up included
  std::int64_t events = 0;    ///< token events in blocks
};

/// What was found out from runs, or beside them, and is looked up later: a noise floor, a check of correctness,
/// a result of another tool.
struct Finding {
  std::string id;       ///< as of a run; sorts by time
  std::string kind;     ///< "noise_floor", "correctness", "external"
  std::string subject;  ///< what it is about, for looking it up: a machine's key, a pair of hashes
  Nanos made{};         ///< wall clock, since 1970; set by the store
  json::value body;
};

/// A file of runs (docs/formats/store.md). Many processes may use one file; each writes in short transactions.
class RunStore {
 public:
  /// Makes the file, and the folders above it, where there are none.
  static Result<RunStore> open(const std::string& path);
  /// For looking only: nothing is made or changed.
  static Result<RunStore> open_for_reading(const std::string& path);

  /// Starts a run. The writer has a connection of its own, for the recorder's thread.
  Result<std::unique_ptr<RunWriter>> begin(const NewRun& run);

  Result<std::vector<RunInfo>> runs() const;  ///< oldest first
  /// The runs that a person means by an id, the beginning of one that fits no other, a tag, or a set's id; oldest
  /// first. None is an error; so is a beginning that fits several.
  Result<std::vector<RunInfo>> find(const std::string& name) const;

  /// A part of what is known of a run: "manifest", "outcome". Null where there is none.
  Result<json::value> document(const std::string& id, std::string_view name) const;

  /// The store must outlive it. Tails are left out by who holds in memory what could not be written: they may tell of
  /// the same requests.
  Result<std::shared_ptr<const event::RecordSource>> records(const std::string& id, bool with_tails = true) const;

  /// What its records take in the file, texts and documents apart.
  Result<std::int64_t> bytes(const std::string& id) const;

  Status begin_set(const std::string& id, const std::string& tag);
  /// Of a run, or of a set and all its runs.
  Status set_tag(const std::string& id, const std::string& tag);
  /// The file is made smaller by what is freed. A run that is still running is not deleted.
  Status erase(const std::string& id);
  Result<std::int64_t> size() const;  ///< bytes that the file takes once all is written to it

  Status add_calibration(const std::string& machine, const json::value& body);
  /// The newest that was made on this machine; null where there is none.
  Result<json::value> calibration(const std::string& machine) const;

  Status add_finding(const Finding& finding);
  /// All of them or none.
  Status add_findings(std::span<const Finding> findings);
  Status replace_finding(const std::string& id, const json::value& body);
  /// All of them or none; the file is made smaller.
  Status erase_findings(std::span<const std::string> ids);
  /// Of one kind, newest first; `subject` empty: of every subject.
  Result<std::vector<Finding>> findings(const std::string& kind, const std::string& subject = "") const;

  /// Puts a document beside a run that has ended, in place of one with the same name: what was computed from it.
  Status set_document(const std::string& id, std::string_view name, const json::value& body);

  const std::string& path() const { return database_.path(); }

 private:
  explicit RunStore(Database database) : database_(std::move(database)) {}
  Result<std::int64_t> number_of(const std::string& id) const;
  Result<std::vector<RunInfo>> select(const std::string& condition, const std::string& value) const;

  Database database_;
};

}  // namespace scoville::store
