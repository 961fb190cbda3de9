#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scoville::launch {

inline constexpr std::size_t kTailLines = 20;

/// The last lines of a log from byte `from` on, at most `count`, however large the file is: only its last 64 KiB are
/// read. Colours, other control characters and bytes that are not UTF-8 are taken out; empty lines are left out, a line
/// above 500 bytes is cut. A file that cannot be read has no lines.
std::vector<std::string> last_lines(const std::string& path, std::uint64_t from = 0, std::size_t count = kTailLines);

/// Of these lines the one that tells most likely why an engine ended: its own words on an argument that it does not
/// take, else the last that speaks of an error, else the last. "" of none.
std::string telling_line(const std::vector<std::string>& lines);

}  // namespace scoville::launch
