#pragma once

#include <string>

namespace scoville::store {

/// Names this process beyond its end and beyond a reboot: boot id, process id, start time.
std::string this_process();

/// Whether the process of that name lives on this machine.
bool is_alive(const std::string& process);

}  // namespace scoville::store
