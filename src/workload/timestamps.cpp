#include "workload/timestamps.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace scoville::workload {
namespace {

/// Reads pieces of a text from its front; once something is amiss, nothing more.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_.empty() || text_[0] < '0' || text_[0] > '9') return fail();
      value = value * 10 + (text_[0] - '0');
      text_.remove_prefix(1);
    }
    return value;
  }
  /// Takes one of these characters.
  char one_of(std::string_view choices) {
    if (text_.empty() || choices.find(text_[0]) == std::string_view::npos) return static_cast<char>(fail());
    const char c = text_[0];
    text_.remove_prefix(1);
    return c;
  }
  bool next_is(std::string_view choices) const {
    return !text_.empty() && choices.find(text_[0]) != std::string_view::npos;
  }
  std::string_view take(std::size_t count) {
    const std::string_view taken = text_.substr(0, count);
    if (taken.size() < count) fail();
    text_.remove_prefix(taken.size());
    return taken;
  }
  bool is_at_end() const { return text_.empty(); }
  bool is_good() const { return is_good_; }
  int fail() {
    is_good_ = false;
    return 0;
  }

 private:
  std::string_view text_;
  bool is_good_ = true;
};

/// "+08:00", "+0800", "+08", "Z" or nothing.
Nanos zone(Scanner& from) {
  if (from.is_at_end()) return {};
  const char sign = from.one_of("Zz+-");
  if (sign != '+' && sign != '-') return {};
  const int hours = from.digits(2);
  if (from.next_is(":")) from.one_of(":");
  const int minutes = from.is_at_end() ? 0 : from.digits(2);
  const Nanos shift = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return sign == '+' ? shift : -shift;
}

std::optional<Nanos> joined(Scanner& from, int year, int month, int day, Nanos of_day, Nanos shift) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!from.is_good() || !from.is_at_end() || !date.ok() || year < 1970 || year > 2200) return std::nullopt;
  return Nanos(sys_days(date).time_since_epoch()) + of_day - shift;
}

Nanos time_of_day(Scanner& from) {
  const int hours = from.digits(2);
  from.one_of(":");
  const int minutes = from.digits(2);
  from.one_of(":");
  const int seconds = from.digits(2);
  if (hours > 23 || minutes > 59 || seconds > 60) from.fail();
  return std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds);
}

Nanos fraction(Scanner& from) {
  if (!from.next_is(".,")) return {};
  from.one_of(".,");
  Nanos value{};
  for (std::int64_t unit = 100'000'000; from.next_is("0123456789"); unit /= 10) value += Nanos(from.digits(1) * unit);
  return value;
}

}  // namespace

std::optional<Nanos> epoch_time(double number) {
  if (!std::isfinite(number) || number < 1e9) return std::nullopt;
  double unit = 1e9;
  for (double most = 1e11; number >= most; most *= 1e3) unit /= 1e3;
  if (unit < 1) return std::nullopt;
  // A double holds no more than that of a number so large.
  return std::chrono::round<std::chrono::microseconds>(Nanos(std::llround(number * unit)));
}

std::optional<Nanos> parse_time(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return epoch_time(number);
  Scanner from(text);
  const int year = from.digits(4);
  from.one_of("-/");
  const int month = from.digits(2);
  from.one_of("-/");
  const int day = from.digits(2);
  from.one_of("Tt ");
  Nanos of_day = time_of_day(from);
  of_day += fraction(from);
  if (from.next_is(" ")) from.one_of(" ");
  const Nanos shift = zone(from);
  return joined(from, year, month, day, of_day, shift);
}

std::optional<Nanos> parse_access_time(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  Scanner from(text);
  const int day = from.digits(2);
  from.one_of("/");
  const std::string_view name = from.take(3);
  int month = 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == name) month = static_cast<int>(i) + 1;
  }
  from.one_of("/");
  const int year = from.digits(4);
  from.one_of(":");
  const Nanos of_day = time_of_day(from);
  from.one_of(" ");
  const Nanos shift = zone(from);
  return joined(from, year, month, day, of_day, shift);
}

}  // namespace scoville::workload
