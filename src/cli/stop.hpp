#pragma once

#include <atomic>

namespace scoville::cli {

/// Set by the first Ctrl-C or TERM, once catch_stop_signals() was called; a second one ends the process at once.
std::atomic<bool>& stop_requested();
void catch_stop_signals();

}  // namespace scoville::cli
