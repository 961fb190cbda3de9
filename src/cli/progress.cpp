#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/duration.hpp"
#include "cli/stop.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;
using namespace std::chrono_literals;

constexpr Nanos kQuiet = 2s, kTerminalPeriod = 250ms, kPlainPeriod = 10s;

}  // namespace

LiveLine::LiveLine()
    : is_terminal_(isatty(STDERR_FILENO) == 1), next_(now() + (is_terminal_ ? kQuiet : kPlainPeriod)) {}

LiveLine::~LiveLine() {
  if (has_line_ && is_terminal_) std::fputs("\r\033[K", stderr);
}

bool LiveLine::is_due() const { return now() >= next_; }

void LiveLine::show(const std::string& line) {
  next_ = now() + (is_terminal_ ? kTerminalPeriod : kPlainPeriod);
  std::fprintf(stderr, is_terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
  has_line_ = true;
}

bool HashingLine::show(std::uint64_t bytes_done, std::uint64_t bytes_in_all) {
  if (line_.is_due()) line_.show(say(Msg::progress_hashing, bytes_done >> 20, bytes_in_all >> 20));
  return !stop_requested();
}

void ProgressLine::show(const run::Progress& progress) {
  if (!line_.is_due()) return;
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
  line_.show(share + say(progress.is_warmup ? Msg::progress_warmup : Msg::progress_running,
                         format_duration(std::max(progress.elapsed, Nanos::zero())), progress.issued,
                         progress.in_flight, progress.succeeded, progress.failed, fmt::format("{:.0f}", rate)));
}

}  // namespace scoville::cli
