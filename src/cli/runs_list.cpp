#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/external.hpp"
#include "cli/measured.hpp"
#include "cli/runs.hpp"
#include "text/table.hpp"

namespace scoville::cli {
namespace {

using store::RunInfo;
using store::RunStatus;
using text::Msg;
using text::say;

/// A run in a list: what its store says, and what it said of itself before it began. That is missing where it cannot
/// be read: the list shows the run all the same.
struct Row {
  RunInfo info;
  std::optional<Measured> head;

  /// Attempts stored so far; warm-up comes first, and does not count.
  std::int64_t requests() const {
    const auto warmups = head ? static_cast<std::int64_t>(head->plan.num_warmups) : 0;
    return std::max<std::int64_t>(0, info.requests - warmups);
  }
};

json::object load_json(const plan::LoadPlan& plan) {
  json::object out{{"kind", json::string(report::load_kind(plan))},
                   {"requests_per_s", number_or_null(plan.arrivals.rate)}};
  out["max_concurrency"] = plan.max_concurrency ? json::value(plan.max_concurrency) : json::value(nullptr);
  out["num_prompts"] = plan.num_prompts ? json::value(plan.num_prompts) : json::value(nullptr);
  out["duration_s"] = plan.duration ? json::value(to_seconds(*plan.duration)) : json::value(nullptr);
  return out;
}

json::object row_json(const Row& row) {
  const RunInfo& info = row.info;
  return {{"id", info.id},
          {"kind", info.kind},
          {"started", utc(info.started)},
          {"ended", info.ended ? json::value(utc(*info.ended)) : json::value(nullptr)},
          {"status", json::string(name_of(info.status))},
          {"model", row.head ? text_or_null(row.head->shape.model) : json::value(nullptr)},
          {"url", row.head ? text_or_null(row.head->subject.url) : json::value(nullptr)},
          {"load", row.head ? json::value(load_json(row.head->plan)) : json::value(nullptr)},
          {"requests", row.requests()},
          {"tag", text_or_null(info.tag)},
          {"set", text_or_null(info.set)}};
}

/// What a store holds: runs of ours, and, apart from them, other tools' results.
struct Held {
  std::vector<Row> rows;
  std::vector<report::StoredEvidence> evidence;
};

std::string list_json(const Held& held) {
  json::array runs;
  for (const Row& each : held.rows) runs.push_back(row_json(each));
  return pretty(json::object{{"schema", "scoville.runs/1"},
                             {"runs", std::move(runs)},
                             {"external", report::external_list_json(held.evidence)}});
}

/// "http://host:8000" of a longer one.
std::string server_of(const std::string& url) {
  const std::size_t host = url.find("://");
  return host == std::string::npos ? url : url.substr(0, url.find('/', host + 3));
}

std::string list_table(const std::vector<Row>& rows) {
  constexpr const char* none = "–";
  text::Table table({say(Msg::column_run), say(Msg::column_started), say(Msg::column_status), say(Msg::column_model),
                     say(Msg::column_url), say(Msg::column_load), say(Msg::column_requests), say(Msg::column_tag),
                     say(Msg::column_set)});
  for (const std::size_t words : {1, 2, 3, 4, 5, 7, 8}) table.flush_left(words);
  for (const Row& each : rows) {
    const RunInfo& info = each.info;
    table.add_row({info.id, utc(info.started), status_text(info.status), each.head ? each.head->shape.model : none,
                   each.head ? server_of(each.head->subject.url) : none,
                   each.head ? report::describe_load(each.head->plan) : none, fmt::format("{}", each.requests()),
                   info.tag.empty() ? none : info.tag, info.set.empty() ? none : info.set});
  }
  return table.render();
}

/// `scoville runs list`: what a store holds.
class RunsList final : public Command {
 public:
  RunsList() {
    parameters_.text("--tag", "NAME", Msg::flag_tag_filter, tag_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs list"; }
  Msg summary() const override { return Msg::runs_list_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs list", "scoville runs list --tag before --json"};
  }

  Exit run() override {
    const Result<Held> held = read();
    if (!held && held.error().code != ErrorCode::not_found) {
      complain(held.error().message);
      return Exit::failed;
    }
    if (!held) complain(held.error().message);
    if (held && held->rows.empty() && held->evidence.empty()) say_empty();
    if (as_json_) {
      std::fputs(list_json(held ? *held : Held()).c_str(), stdout);
    } else if (held) {
      show(*held);
    }
    return Exit::fine;
  }

 private:
  static void show(const Held& held) {
    if (!held.rows.empty()) std::fputs(list_table(held.rows).c_str(), stdout);
    if (held.evidence.empty()) return;
    if (!held.rows.empty()) std::fputs("\n", stdout);
    std::fputs(report::external_list_table(held.evidence).c_str(), stdout);
  }

  Result<Held> read() const {
    const Result<store::RunStore> store = store_.open_for_reading();
    if (!store) return store.error();
    Result<std::vector<RunInfo>> runs = store->runs();
    if (!runs) return runs.error();
    Result<std::vector<report::StoredEvidence>> evidence = read_evidence(*store);
    if (!evidence) return evidence.error();
    Held held;
    for (report::StoredEvidence& each : *evidence) {
      if (tag_.empty() || each.tag == tag_) held.evidence.push_back(std::move(each));
    }
    for (RunInfo& each : *runs) {
      if (!tag_.empty() && each.tag != tag_) continue;
      Result<Measured> head = read_head(*store, each.id);
      held.rows.push_back({std::move(each), head ? std::optional(std::move(*head)) : std::nullopt});
    }
    return held;
  }

  void say_empty() const {
    const Result<std::string> path = store_.path();
    const std::string file = path ? *path : "";
    complain(tag_.empty() ? say(Msg::runs_none, file) : say(Msg::runs_none_tagged, file, tag_));
  }

  StoreOptions store_;
  std::string tag_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_list() { return std::make_unique<RunsList>(); }

}  // namespace scoville::cli
