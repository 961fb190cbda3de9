#include "cli/next_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "config/node.hpp"
#include "report/cells.hpp"
#include "report/next.hpp"
#include "text/catalogue/next.hpp"

namespace scoville::cli {
namespace {

using migration::Entry;
using migration::Log;
using text::Msg;
using text::NextMsg;
using text::say;

/// One more line at the end of the file, in one write, so that two who book at once both stay. A last line that lacks
/// its end gets it.
Status append(const std::string& path, const std::string& line) {
  const Result<std::string> before = read_file(path);
  if (!before && before.error().code != ErrorCode::not_found) return before.error();
  const bool is_cut = before && !before->empty() && !before->ends_with('\n');
  const std::string bytes = (is_cut ? "\n" : "") + line + "\n";
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const bool is_written =
      fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) && ::fsync(fd) == 0;
  const Error failed{ErrorCode::io, fmt::format("{}: {}", path, std::strerror(errno))};
  if (fd >= 0) ::close(fd);
  if (is_written) return Done{};
  return failed;
}

}  // namespace

void NextLog::declare(Parameters& parameters) {
  parameters.text("--log", "FILE", NextMsg::flag_log, file_);
  parameters.text("--plan", "FILE", NextMsg::flag_plan, plan_);
  parameters.toggle("--json", Msg::flag_json, as_json_);
}

void NextLog::declare_date(Parameters& parameters) {
  parameters.add({"--date", "DATE", NextMsg::flag_date, say(NextMsg::today), [this](std::string_view given) -> Status {
                    if (!config::is_date(given)) return Error{ErrorCode::invalid_argument, say(NextMsg::expected_date)};
                    date_ = given;
                    return Done{};
                  }});
}

Result<Log> NextLog::read() const {
  const Result<std::string> text = read_file(file_);
  if (!text && text.error().code == ErrorCode::not_found) return Log();
  if (!text) return text.error();
  return Log::parse(*text, file_);
}

Result<migration::Plan> NextLog::plan() const {
  if (plan_.empty()) return migration::Plan{migration::default_items(), {}};
  const Result<config::Node> root = config::Node::load(plan_);
  if (!root) return root.error();
  const bool is_within = root->has("migration");
  const migration::Plan read = migration::read_plan(is_within ? root->map("migration") : *root);
  return root->finish(read);
}

std::string NextLog::date() const { return date_.empty() ? report::utc(wall_now()).substr(0, 10) : date_; }

Exit NextLog::refuse(const Error& error) {
  complain(error.message);
  return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
}

Exit NextLog::add(Entry entry) const {
  Result<Log> log = read();
  if (!log) return refuse(log.error());
  if (const Status may = log->may_add(entry); !may) return refuse(may.error());
  if (const Status written = append(file_, migration::line_of(entry)); !written) return refuse(written.error());
  log->add(std::move(entry));
  return show(*log);
}

Exit NextLog::show(const Log& log) const {
  Result<migration::Plan> plan = this->plan();
  if (!plan) return refuse(plan.error());
  report::NextView view{file_, log, *plan, migration::work_out(*plan, &log)};
  std::fputs(as_json_ ? pretty(report::next_json(view)).c_str() : report::next_table(view).c_str(), stdout);
  return Exit::fine;
}

}  // namespace scoville::cli
