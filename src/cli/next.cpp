#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/next_log.hpp"
#include "text/catalogue/next.hpp"
#include "text/nearest.hpp"

namespace scoville::cli {
namespace {

using migration::Entry;
using migration::Log;
using migration::Stage;
using text::Msg;
using text::NextMsg;
using text::say;

Error wrong(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// `scoville next`: where the adoption stands, and what to do.
class Next final : public Command {
 public:
  Next() { log_.declare(parameters_); }

  std::string name() const override { return "next"; }
  Msg summary() const override { return NextMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville next", "scoville next --plan examples/matrix/migration.yaml --json"};
  }
  Exit run() override {
    const Result<Log> log = log_.read();
    return log ? log_.show(*log) : NextLog::refuse(log.error());
  }

 private:
  NextLog log_;
};

Positional stage_word(const Stage*& stage) {
  return {"STAGE", NextMsg::word_stage, [&stage](std::string_view given) -> Status {
            stage = migration::find_stage(given);
            if (stage) return Done{};
            return wrong(say(NextMsg::expected_stage, fmt::format("{}", fmt::join(migration::stage_ids(), ", "))));
          }};
}

/// `scoville next enter STAGE`
class NextEnter final : public Command {
 public:
  NextEnter() {
    parameters_.add(stage_word(stage_));
    parameters_.toggle("--anyway", NextMsg::flag_anyway, anyway_);
    log_.declare_date(parameters_);
    log_.declare(parameters_);
  }

  std::string name() const override { return "next enter"; }
  Msg summary() const override { return NextMsg::enter_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville next enter desk", "scoville next enter 2 --date 2026-08-06"};
  }
  Exit run() override {
    const Result<Log> log = log_.read();
    if (!log) return NextLog::refuse(log.error());
    std::vector<std::string> lacking;
    for (const Stage* each : log->lacking(*stage_)) lacking.push_back(each->id);
    if (!lacking.empty() && !anyway_) {
      complain(say(NextMsg::not_ready, stage_->id, fmt::format("{}", fmt::join(lacking, say(NextMsg::comma)))));
      return Exit::gate;
    }
    Entry entry;
    entry.kind = Entry::Kind::entered;
    entry.date = log_.date();
    entry.stage = stage_->id;
    entry.is_forced = !lacking.empty();
    return log_.add(std::move(entry));
  }

 private:
  NextLog log_;
  const Stage* stage_ = nullptr;
  bool anyway_ = false;
};

/// `scoville next leave STAGE --result "…"`
class NextLeave final : public Command {
 public:
  NextLeave() {
    parameters_.add(stage_word(stage_));
    parameters_.text("--result", "TEXT", NextMsg::flag_result, result_);
    parameters_.toggle("--failed", NextMsg::flag_failed, failed_);
    log_.declare_date(parameters_);
    log_.declare(parameters_);
  }

  std::string name() const override { return "next leave"; }
  Msg summary() const override { return NextMsg::leave_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville next leave desk --result 'conditions stated, 0.93 is plausible'",
            "scoville next leave bring-up --failed --result 'attention falls back to the CPU'"};
  }
  Exit run() override {
    if (result_.empty()) return NextLog::refuse(wrong(say(NextMsg::result_missing)));
    Entry entry;
    entry.kind = Entry::Kind::left;
    entry.date = log_.date();
    entry.stage = stage_->id;
    entry.result = result_;
    entry.is_met = !failed_;
    return log_.add(std::move(entry));
  }

 private:
  NextLog log_;
  const Stage* stage_ = nullptr;
  std::string result_;
  bool failed_ = false;
};

/// `scoville next book ITEM DAYS`
class NextBook final : public Command {
 public:
  NextBook() {
    parameters_.add(Positional{"ITEM", NextMsg::word_item, [this](std::string_view given) -> Status {
                                 item_ = given;
                                 return Done{};
                               }});
    parameters_.add(Positional{"DAYS", NextMsg::word_days, [this](std::string_view given) -> Status {
                                 const Result<double> days = parse_number(given, 0, 1e6);
                                 if (!days) return days.error();
                                 days_ = *days;
                                 return Done{};
                               }});
    parameters_.text("--who", "NAME", NextMsg::flag_who, who_);
    parameters_.toggle("--done", NextMsg::flag_done, done_);
    log_.declare_date(parameters_);
    log_.declare(parameters_);
  }

  std::string name() const override { return "next book"; }
  Msg summary() const override { return NextMsg::book_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville next book operators 4.5 --who li", "scoville next book image 3 --done"};
  }
  Exit run() override {
    const Result<migration::Plan> plan = log_.plan();
    if (!plan) return NextLog::refuse(plan.error());
    if (!plan->find(item_)) return NextLog::refuse(unknown(*plan));
    Entry entry;
    entry.kind = Entry::Kind::booked;
    entry.date = log_.date();
    entry.item = item_;
    entry.days = days_;
    entry.is_done = done_;
    entry.who = who_;
    return log_.add(std::move(entry));
  }

 private:
  Error unknown(const migration::Plan& plan) const {
    std::vector<std::string> known;
    for (const migration::Item& each : plan.items) known.push_back(each.id);
    const std::string near = text::nearest(item_, known);
    if (!near.empty()) return wrong(say(NextMsg::unknown_item_near, item_, near));
    return wrong(say(NextMsg::unknown_item, item_, fmt::format("{}", fmt::join(known, ", "))));
  }

  NextLog log_;
  std::string item_, who_;
  double days_ = 0;
  bool done_ = false;
};

/// `scoville next first-token`
class NextFirstToken final : public Command {
 public:
  NextFirstToken() {
    log_.declare_date(parameters_);
    log_.declare(parameters_);
  }

  std::string name() const override { return "next first-token"; }
  Msg summary() const override { return NextMsg::first_token_summary; }
  std::vector<std::string> examples() const override { return {"scoville next first-token --date 2026-09-05"}; }
  Exit run() override {
    Entry entry;
    entry.kind = Entry::Kind::first_token;
    entry.date = log_.date();
    return log_.add(std::move(entry));
  }

 private:
  NextLog log_;
};

}  // namespace

std::unique_ptr<Command> make_next() { return std::make_unique<Next>(); }
std::unique_ptr<Command> make_next_enter() { return std::make_unique<NextEnter>(); }
std::unique_ptr<Command> make_next_leave() { return std::make_unique<NextLeave>(); }
std::unique_ptr<Command> make_next_book() { return std::make_unique<NextBook>(); }
std::unique_ptr<Command> make_next_first_token() { return std::make_unique<NextFirstToken>(); }

}  // namespace scoville::cli
