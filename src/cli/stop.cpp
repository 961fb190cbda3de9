#include "cli/stop.hpp"

#include <unistd.h>

#include <csignal>

namespace scoville::cli {
namespace {

std::atomic<bool> stop{false};

extern "C" void on_signal(int) {
  if (stop.exchange(true)) _exit(130);
}

}  // namespace

std::atomic<bool>& stop_requested() { return stop; }

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace scoville::cli
