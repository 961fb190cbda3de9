#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/duration.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;
using namespace std::chrono_literals;

constexpr Nanos kQuiet = 2s, kTerminalPeriod = 250ms, kPlainPeriod = 10s;

}  // namespace

ProgressLine::ProgressLine(const plan::LoadPlan& plan)
    : plan_(plan), is_terminal_(isatty(STDERR_FILENO) == 1), began_(now()), next_(began_ + kQuiet) {}

ProgressLine::~ProgressLine() {
  if (has_line_ && is_terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const run::Progress& progress) {
  const Instant at = now();
  if (at < next_) return;
  next_ = at + (is_terminal_ ? kTerminalPeriod : kPlainPeriod);
  const std::uint64_t done = progress.succeeded + progress.failed;
  std::string share;
  if (plan_.num_prompts > 0 && !progress.is_warmup) {
    share = fmt::format("{:3.0f} %  ", 100.0 * static_cast<double>(done) / static_cast<double>(plan_.num_prompts));
  } else if (plan_.duration && !progress.is_warmup) {
    share =
        fmt::format("{:3.0f} %  ", std::min(100.0, 100.0 * to_seconds(progress.elapsed) / to_seconds(*plan_.duration)));
  }
  const double seconds = std::max(0.0, to_seconds(progress.elapsed));
  const double rate = seconds > 0 ? static_cast<double>(progress.output_tokens) / seconds : 0;
  const std::string line =
      share + say(progress.is_warmup ? Msg::progress_warmup : Msg::progress_running,
                  format_duration(std::max(progress.elapsed, Nanos::zero())), progress.issued, progress.in_flight,
                  progress.succeeded, progress.failed, fmt::format("{:.0f}", rate));
  std::fprintf(stderr, is_terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
  has_line_ = true;
}

}  // namespace scoville::cli
