#include "migration/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "base/json_fields.hpp"
#include "config/node.hpp"
#include "text/catalogue/next.hpp"

namespace scoville::migration {
namespace {

using text::NextMsg;
using text::say;
using Kind = Entry::Kind;

constexpr std::array<std::string_view, 4> kKinds{"entered", "left", "booked", "first_token"};

/// The members of an entry, once for both directions.
template <class Archive, class E>
void fields(Archive& archive, E& entry) {
  archive.named("kind", entry.kind, kKinds);
  archive("date", entry.date);
  switch (entry.kind) {
    case Kind::entered:
      archive("stage", entry.stage);
      archive("forced", entry.is_forced);
      break;
    case Kind::left:
      archive("stage", entry.stage);
      archive("met", entry.is_met);
      archive("result", entry.result);
      break;
    case Kind::booked:
      archive("item", entry.item);
      archive("days", entry.days);
      archive("done", entry.is_done);
      archive("who", entry.who);
      break;
    case Kind::first_token:
      break;
  }
}

Error refusal(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// What a line must have beside its types.
Status check(const Entry& entry) {
  if (!config::is_date(entry.date)) return refusal(say(NextMsg::log_date, entry.date));
  const bool is_of_stage = entry.kind == Kind::entered || entry.kind == Kind::left;
  if (is_of_stage && !find_stage(entry.stage)) return refusal(say(NextMsg::log_stage, entry.stage));
  if (entry.kind == Kind::booked && (entry.item.empty() || !std::isfinite(entry.days) || entry.days < 0))
    return refusal(say(NextMsg::log_booking));
  return Done{};
}

Result<Entry> read_line(std::string_view line) {
  json::error_code fault;
  const json::value value = json::parse(json::string_view(line.data(), line.size()), fault);
  if (fault || !value.is_object()) return refusal(say(NextMsg::log_not_json));
  if (!value.as_object().contains("kind")) return refusal(say(NextMsg::log_no_kind));
  Entry out;
  JsonIn in(value, "");
  fields(in, out);
  if (const Status read = in.status(); !read) return read.error();
  if (const Status checked = check(out); !checked) return checked.error();
  return out;
}

std::chrono::sys_days day_of(std::string_view date) {
  const auto part = [&](std::size_t at, std::size_t size) {
    return std::atoi(std::string(date.substr(at, size)).c_str());
  };
  return std::chrono::sys_days(std::chrono::year(part(0, 4)) / std::chrono::month(static_cast<unsigned>(part(5, 2))) /
                               std::chrono::day(static_cast<unsigned>(part(8, 2))));
}

}  // namespace

int days_between(std::string_view from, std::string_view to) {
  return static_cast<int>((day_of(to) - day_of(from)).count());
}

std::string line_of(const Entry& entry) {
  JsonOut out;
  fields(out, entry);
  return compact(std::move(out).object());
}

Result<Log> Log::parse(std::string_view text, const std::string& where) {
  Log out;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.find_first_not_of(" \r") == std::string_view::npos) continue;
    Result<Entry> entry = read_line(line);
    if (!entry) return std::move(entry.error()).within(fmt::format("{}:{}", where, number));
    if (Status fits = out.may_add(*entry); !fits)
      return std::move(fits.error()).within(fmt::format("{}:{}", where, number));
    out.add(*std::move(entry));
  }
  return out;
}

Status Log::may_add(const Entry& entry) const {
  if (!entries_.empty() && entry.date < entries_.back().date)
    return refusal(say(NextMsg::log_backwards, entry.date, entries_.back().date));
  if (entry.kind == Kind::entered || entry.kind == Kind::left) {
    const bool is_open = state(*find_stage(entry.stage)).phase == StageState::Phase::open;
    if (entry.kind == Kind::entered && is_open) return refusal(say(NextMsg::log_open_already, entry.stage));
    if (entry.kind == Kind::left && !is_open) return refusal(say(NextMsg::log_not_open, entry.stage));
  }
  if (entry.kind == Kind::first_token && first_token())
    return refusal(say(NextMsg::log_first_token_again, first_token()->date));
  return Done{};
}

StageState Log::state(const Stage& stage) const {
  StageState out;
  for (const Entry& each : entries_) {
    if (each.stage != stage.id) continue;
    if (each.kind == Kind::entered) out = {StageState::Phase::open, each.date, "", "", each.is_forced};
    if (each.kind != Kind::left) continue;
    out.phase = each.is_met ? StageState::Phase::met : StageState::Phase::not_met;
    out.left = each.date;
    out.result = each.result;
  }
  return out;
}

std::vector<const Stage*> Log::open_stages() const {
  std::vector<const Stage*> out;
  for (const Stage& each : stages()) {
    if (state(each).phase == StageState::Phase::open) out.push_back(&each);
  }
  return out;
}

std::vector<const Stage*> Log::lacking(const Stage& stage) const {
  std::vector<const Stage*> out;
  for (const std::size_t each : stage.needs) {
    if (state(stages()[each]).phase != StageState::Phase::met) out.push_back(&stages()[each]);
  }
  return out;
}

std::vector<const Stage*> Log::enterable() const {
  std::vector<const Stage*> out;
  for (const Stage& each : stages()) {
    const StageState::Phase phase = state(each).phase;
    const bool is_due = phase == StageState::Phase::not_entered || phase == StageState::Phase::not_met;
    if (is_due && lacking(each).empty()) out.push_back(&each);
  }
  return out;
}

std::map<std::string, Log::Booked> Log::booked() const {
  std::map<std::string, Booked> out;
  for (const Entry& each : entries_) {
    if (each.kind != Kind::booked) continue;
    out[each.item].days += each.days;
    out[each.item].is_done = each.is_done;  // days booked later open it again
  }
  return out;
}

std::optional<Log::FirstToken> Log::first_token() const {
  std::string since = entries_.empty() ? "" : entries_.front().date;
  bool is_entered = false;
  for (const Entry& each : entries_) {
    if (each.kind == Kind::entered && each.stage == "bring-up" && !is_entered) {
      since = each.date;
      is_entered = true;
    }
    if (each.kind == Kind::first_token) return FirstToken{each.date, days_between(since, each.date)};
  }
  return std::nullopt;
}

}  // namespace scoville::migration
