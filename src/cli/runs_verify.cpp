#include <fmt/format.h>

#include <cstdio>

#include "base/byte_size.hpp"
#include "cli/bundle_options.hpp"
#include "cli/runs.hpp"
#include "text/table.hpp"

namespace scoville::cli {
namespace {

using store::BundleContents;
using store::BundledRun;
using text::Msg;
using text::say;

json::object run_json(const BundledRun& run) {
  return {{"id", run.info.id},
          {"kind", run.info.kind},
          {"started", utc(run.info.started)},
          {"ended", run.info.ended ? json::value(utc(*run.info.ended)) : json::value(nullptr)},
          {"status", json::string(name_of(run.info.status))},
          {"requests", run.info.requests},
          {"events", run.info.events},
          {"answers", run.counts.answers},
          {"tag", text_or_null(run.info.tag)},
          {"set", text_or_null(run.info.set)}};
}

json::object contents_json(const BundleContents& contents) {
  json::array runs;
  for (const BundledRun& each : contents.manifest.runs) runs.push_back(run_json(each));
  return {{"schema", "scoville.bundle_contents/1"},
          {"file", contents.path},
          {"intact", true},
          {"bytes", contents.packed},
          {"unpacked_bytes", contents.manifest.bytes()},
          {"sha256", contents.sha256},
          {"scoville", {{"version", contents.manifest.version}, {"revision", contents.manifest.revision}}},
          {"parts", contents.manifest.parts.size()},
          {"runs", std::move(runs)}};
}

std::string contents_table(const BundleContents& contents) {
  constexpr const char* none = "–";
  std::int64_t requests = 0, events = 0;
  text::Table table({say(Msg::column_run), say(Msg::column_started), say(Msg::column_status), say(Msg::column_requests),
                     say(Msg::column_token_events), say(Msg::column_tag), say(Msg::column_set)});
  for (const std::size_t words : {1, 2, 5, 6}) table.flush_left(words);
  for (const BundledRun& each : contents.manifest.runs) {
    const store::RunInfo& info = each.info;
    requests += info.requests;
    events += info.events;
    table.add_row({info.id, utc(info.started), status_text(info.status), fmt::format("{}", info.requests),
                   fmt::format("{}", info.events), info.tag.empty() ? none : info.tag,
                   info.set.empty() ? none : info.set});
  }
  return say(Msg::bundle_intact, contents.path, contents.manifest.runs.size(), requests, events,
             format_byte_size(static_cast<std::int64_t>(contents.packed)), format_byte_size(contents.manifest.bytes()),
             contents.manifest.version) +
         "\n" + table.render();
}

/// `scoville runs verify`: whether a bundle is as it was written, and what it holds.
class RunsVerify final : public Command {
 public:
  RunsVerify() {
    parameters_.add(plain_positional("BUNDLE", Msg::word_bundle, file_));
    declare_max_bytes(parameters_, limits_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "runs verify"; }
  Msg summary() const override { return Msg::runs_verify_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs verify before.scov", "scoville runs verify before.scov --json"};
  }

  Exit run() override {
    const Result<BundleContents> contents = verify();
    if (!contents) return bundle_failed(contents.error());
    std::fputs((as_json_ ? pretty(contents_json(*contents)) : contents_table(*contents)).c_str(), stdout);
    return Exit::fine;
  }

 private:
  Result<BundleContents> verify() const {
    BundleLine line;
    return store::verify_bundle(file_, limits_, line.progress());
  }

  std::string file_;
  store::BundleLimits limits_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_verify() { return std::make_unique<RunsVerify>(); }

}  // namespace scoville::cli
