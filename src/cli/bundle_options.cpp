#include "cli/bundle_options.hpp"

#include "base/byte_size.hpp"
#include "cli/stop.hpp"

namespace scoville::cli {

using text::Msg;
using text::say;

void declare_max_bytes(Parameters& parameters, store::BundleLimits& limits) {
  parameters.add({"--max-bytes", "SIZE", Msg::flag_max_bytes, "8GiB", [&limits](std::string_view given) -> Status {
                    constexpr std::int64_t most = std::int64_t{1} << 60;
                    const std::optional<std::int64_t> size = parse_byte_size(given);
                    if (!size || *size < 1 || *size > most)
                      return Error{ErrorCode::invalid_argument, say(Msg::expected_size)};
                    limits.unpacked = *size;
                    return Done{};
                  }});
}

BundleLine::BundleLine() { catch_stop_signals(); }

store::BundleProgress BundleLine::progress() {
  return [this](std::uint64_t done, std::uint64_t all) {
    if (all > 0 && line_.is_due())
      line_.show(say(Msg::bundle_progress, format_byte_size(static_cast<std::int64_t>(done)),
                     format_byte_size(static_cast<std::int64_t>(all))));
    return !stop_requested();
  };
}

Exit bundle_failed(const Error& error) {
  complain(error.message);
  return error.code == ErrorCode::aborted ? Exit::interrupted : Exit::failed;
}

}  // namespace scoville::cli
