#include "cli/evaluation_run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using evaluate::Step;
using evaluate::StepResult;
using text::EvaluateMsg;
using text::say;

constexpr auto kLook = std::chrono::milliseconds(50);
constexpr Nanos kLeftOver = std::chrono::seconds(15);  // what a killed evaluation left ends by itself
constexpr Nanos kGrace = std::chrono::seconds(60);     // a run that is stopped stores what it has

/// What a child says last; a line that is rewritten on a terminal counts from its last beginning.
std::string last_line(const std::string& path) {
  const Result<std::string> read = read_file(path);
  if (!read) return "";
  std::string text = *read;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const std::size_t begin = text.find_last_of("\n\r");
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

/// Held by this process and by the step that it runs, which inherits it: a step that is left over still holds it.
Status EvaluationRun::take_lock() {
  const std::string path = folder_ + "/lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  if (fd < 0) return Error{ErrorCode::io, path + ": " + std::strerror(errno)};
  const Instant give_up = now() + kLeftOver;
  do {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return Done{};
    std::this_thread::sleep_for(kLook);
  } while (now() < give_up && !stop_requested());
  ::close(fd);
  return Error{ErrorCode::resource, say(EvaluateMsg::in_use, folder_)};
}

Status EvaluationRun::redo(const Step& step, const std::string& why) {
  return note({step.id, evaluate::key_of(step), 1, 0, utc_now(), why});
}

Status EvaluationRun::open() {
  std::error_code fault;
  std::filesystem::create_directories(folder_, fault);
  if (fault) return Error{ErrorCode::io, folder_ + ": " + fault.message()};
  if (Status locked = take_lock(); !locked) return locked;
  if (!std::filesystem::exists(journal_path(), fault)) return Done{};
  const Result<std::string> text = read_file(journal_path());
  if (!text) return text.error();
  Result<std::vector<StepResult>> read = evaluate::read_journal(*text, journal_path());
  if (!read) return read.error();
  journal_ = std::move(*read);
  // What a killed process left of a last line would spoil the next one.
  const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
  return whole == text->size() ? Status(Done{}) : write_file(journal_path(), text->substr(0, whole));
}

std::string EvaluationRun::output_path(const Step& step, const char* ending) const {
  std::string name = step.id;
  for (char& c : name) {
    if (c == ' ') c = '-';
  }
  return fmt::format("{}/{}{}", folder_, name, ending);
}

Result<std::vector<std::string>> EvaluationRun::words_of(const Step& step) {
  std::vector<std::string> words = step.words;
  for (const std::size_t system : step.live) {
    const Result<std::string> address = engines_.address(system);
    if (!address) return address.error();
    for (std::string& each : words) {
      if (each == evaluate::url_of(plan_.systems[system])) each = *address;
    }
  }
  words.insert(words.end(), {"--store", store_, "--json"});
  return words;
}

Status EvaluationRun::note(StepResult result) {
  std::ofstream file(journal_path(), std::ios::app);
  file << evaluate::journal_line(result);
  file.flush();
  if (!file) return Error{ErrorCode::io, journal_path()};
  journal_.push_back(std::move(result));
  return Done{};
}

Status EvaluationRun::run_step(const Step& step, std::size_t number, bool shows_progress) {
  const std::string head = say(EvaluateMsg::progress, number, agenda_.steps.size(), step.id);
  if (shows_progress) std::fprintf(stderr, "%s\n", head.c_str());
  StepResult result{step.id, evaluate::key_of(step), 1, 0, utc_now(), ""};
  const Instant began = now();
  const Result<std::vector<std::string>> words = words_of(step);
  if (!words) {
    if (stop_requested()) return Error{ErrorCode::aborted, say(EvaluateMsg::stopped, folder_)};
    result.said = words.error().message;
    return note(std::move(result));
  }
  const std::string errors = output_path(step, ".err");
  setenv(kDiesWith, std::to_string(getpid()).c_str(), 1);
  Result<Child> child = Child::start_into("/proc/self/exe", *words, output_path(step, ".json"), errors);
  unsetenv(kDiesWith);
  if (!child) return child.error();
  LiveLine line;
  while (child->is_running()) {
    std::this_thread::sleep_for(kLook);
    if (stop_requested()) child->stop(kGrace);
    if (shows_progress && line.is_due()) line.show(head + ": " + last_line(errors));
  }
  if (stop_requested()) return Error{ErrorCode::aborted, say(EvaluateMsg::stopped, folder_)};
  result.status = child->status();
  result.seconds = to_seconds(now() - began);
  if (result.status != 0) result.said = last_line(errors);
  return note(std::move(result));
}

Status EvaluationRun::run(bool shows_progress) {
  for (std::size_t i = 0; i < agenda_.steps.size(); ++i) {
    const Step& step = agenda_.steps[i];
    const StepResult* const before = evaluate::result_of(journal_, step);
    if (before && before->has_answer()) {
      if (shows_progress)
        std::fprintf(stderr, "%s\n",
                     say(EvaluateMsg::done_before, i + 1, agenda_.steps.size(), step.id, before->date).c_str());
      continue;
    }
    if (Status ran = run_step(step, i + 1, shows_progress); !ran) return ran;
    const StepResult& result = journal_.back();
    if (!result.has_answer())
      std::fprintf(stderr, "%s\n", say(EvaluateMsg::step_failed, step.id, result.status, result.said).c_str());
  }
  return Done{};
}

}  // namespace scoville::cli
