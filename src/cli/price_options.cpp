#include "cli/price_options.hpp"

namespace scoville::cli {

using text::Msg;
using text::say;

void PriceOptions::declare(Parameters& parameters) {
  parameters.add({"--device-hour", "MONEY", Msg::flag_device_hour, "", [this](std::string_view given) -> Status {
                    const Result<Money> money = parse_money(given);
                    if (!money) return Error{ErrorCode::invalid_argument, say(Msg::expected_money)};
                    per_device_hour_ = *money;
                    return Done{};
                  }});
  parameters.count("--devices", Msg::flag_devices, devices_, 1, 1000000);
}

Status PriceOptions::settle() const {
  if (!per_device_hour_ || devices_ > 0) return Done{};
  return Error{ErrorCode::invalid_argument, say(Msg::price_needs_devices)};
}

std::optional<analyse::Price> PriceOptions::price() const {
  if (!per_device_hour_ || devices_ == 0) return std::nullopt;
  return analyse::Price{*per_device_hour_, devices_};
}

}  // namespace scoville::cli
