#include "cli/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Error expected(std::string what) { return {ErrorCode::invalid_argument, std::move(what)}; }

std::string range(const std::string& least, const std::string& most) { return say(Msg::expected_range, least, most); }

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(separators);
    if (end > 0) parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

Result<std::size_t> parse_count(std::string_view text, std::size_t least, std::size_t most) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return expected(most == std::numeric_limits<std::size_t>::max() ? say(Msg::expected_count_from, least)
                                                                    : say(Msg::expected_count, least, most));
  }
  return value;
}

Result<double> parse_number(std::string_view text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < least ||
      value > most) {
    return expected(range(fmt::format("{}", least), fmt::format("{}", most)));
  }
  return value;
}

void Parameters::add(Parameter parameter) {
  if (parameter.group == Group::none) parameter.group = group_;
  all_.push_back(std::move(parameter));
}

void Parameters::text(std::string name, std::string value, text::Msg help, std::string& target) {
  add({std::move(name), std::move(value), help, target, [&target](std::string_view given) -> Status {
         if (given.empty()) return expected(say(Msg::expected_text));
         target = given;
         return Done{};
       }});
}

void Parameters::toggle(std::string name, text::Msg help, bool& target, bool sets) {
  add({std::move(name), "", help, "", [&target, sets](std::string_view) -> Status {
         target = sets;
         return Done{};
       }});
}

void Parameters::count(std::string name, text::Msg help, std::size_t& target, std::size_t least, std::size_t most) {
  const std::string fallback = target ? fmt::format("{}", target) : "";
  add({std::move(name), "N", help, fallback, [&target, least, most](std::string_view given) -> Status {
         Result<std::size_t> value = parse_count(given, least, most);
         if (!value) return value.error();
         target = *value;
         return Done{};
       }});
}

void Parameters::number(std::string name, text::Msg help, std::optional<double>& target, double least, double most) {
  const std::string fallback = target ? fmt::format("{}", *target) : "";
  add({std::move(name), "X", help, fallback, [&target, least, most](std::string_view given) -> Status {
         Result<double> value = parse_number(given, least, most);
         if (!value) return value.error();
         target = *value;
         return Done{};
       }});
}

void Parameters::duration(std::string name, text::Msg help, Nanos& target, Nanos least) {
  add({std::move(name), "DUR", help, fmt::format("{}s", to_seconds(target)),
       [&target, least](std::string_view given) -> Status {
         const std::optional<Nanos> value = parse_duration(given);
         if (!value || *value < least) return expected(say(Msg::expected_duration, format_duration(least)));
         target = *value;
         return Done{};
       }});
}

void Parameters::maybe_duration(std::string name, text::Msg help, std::optional<Nanos>& target, Nanos least) {
  add({std::move(name), "DUR", help, "", [&target, least](std::string_view given) -> Status {
         const std::optional<Nanos> value = parse_duration(given);
         if (!value || *value < least) return expected(say(Msg::expected_duration, format_duration(least)));
         target = *value;
         return Done{};
       }});
}

void Parameters::choice(std::string name, text::Msg help, std::vector<std::string> choices, std::string fallback,
                        std::function<void(std::size_t)> take) {
  const std::string shown = fmt::format("{}", fmt::join(choices, "|"));
  add({std::move(name), shown, help, std::move(fallback),
       [choices = std::move(choices), take = std::move(take)](std::string_view given) -> Status {
         for (std::size_t i = 0; i < choices.size(); ++i) {
           if (choices[i] != given) continue;
           take(i);
           return Done{};
         }
         return expected(say(Msg::expected_choice, fmt::join(choices, ", ")));
       }});
}

}  // namespace scoville::cli
