#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "migration/stage.hpp"

namespace scoville::migration {

/// One line of scoville-next.jsonl (docs/formats/migration.md). Lines are only ever added.
struct Entry {
  enum class Kind { entered, left, booked, first_token };
  Kind kind = Kind::entered;
  std::string date;        ///< "2026-08-01"
  std::string stage;       ///< of entered and left: its id
  std::string result;      ///< of left: what came of it, in the user's words
  bool is_met = true;      ///< of left: the gate was met
  bool is_forced = false;  ///< of entered: what it needs was not met
  std::string item;        ///< of booked
  double days = 0;         ///< of booked: person-days
  bool is_done = false;    ///< of booked: nothing more is to come
  std::string who;         ///< of booked; may be empty
};

/// One line of JSON, without the line feed.
std::string line_of(const Entry& entry);

struct StageState {
  enum class Phase { not_entered, open, met, not_met };
  Phase phase = Phase::not_entered;
  std::string entered, left, result;  ///< of the last time
  bool is_forced = false;
};

/// The log of one adoption, and what follows from it.
class Log {
 public:
  /// Errors name `where`, the line, and what is wrong with it; dates must not run backwards.
  static Result<Log> parse(std::string_view text, const std::string& where);

  /// Why the entry may not be added, in one line: a stage that is open already, or not open; a first token that has
  /// come before; a date before the last one.
  Status may_add(const Entry& entry) const;
  void add(Entry entry) { entries_.push_back(std::move(entry)); }

  const std::vector<Entry>& entries() const { return entries_; }
  StageState state(const Stage& stage) const;
  std::vector<const Stage*> open_stages() const;
  /// Of what a stage needs, what is not met yet.
  std::vector<const Stage*> lacking(const Stage& stage) const;
  /// Neither open nor met, and nothing is lacking: what may come next, in order.
  std::vector<const Stage*> enterable() const;

  struct Booked {
    double days = 0;
    bool is_done = false;
  };
  std::map<std::string, Booked> booked() const;  ///< by item

  struct FirstToken {
    std::string date;
    int after_days = 0;  ///< calendar days since bring-up was first entered; since the first line where it never was
  };
  std::optional<FirstToken> first_token() const;

 private:
  std::vector<Entry> entries_;
};

/// Calendar days from one date to another, both as 2026-08-01.
int days_between(std::string_view from, std::string_view to);

}  // namespace scoville::migration
