#include "dataset/csv_trace.hpp"

#include <charconv>
#include <chrono>

#include "dataset/csv.hpp"
#include "dataset/length_distribution.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

/// Takes numbers and the characters between them from the front of a text.
class Front {
 public:
  explicit Front(std::string_view text) : rest_(text) {}

  /// Exactly so many digits.
  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
        is_good_ = false;
        return 0;
      }
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_[0]) == std::string_view::npos) {
      is_good_ = false;
      return 0;
    }
    const char found = rest_[0];
    rest_.remove_prefix(1);
    return found;
  }
  /// ".6805900" as a part of a second.
  Nanos fraction() {
    if (!rest_.starts_with('.')) return Nanos::zero();
    rest_.remove_prefix(1);
    std::int64_t value = 0, unit = 1'000'000'000;
    is_good_ = is_good_ && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9';
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1)) {
      unit /= 10;
      value += unit * (rest_[0] - '0');
    }
    return Nanos(value);
  }
  /// "", "Z", "+01:00".
  Nanos offset() {
    if (rest_ == "Z") rest_ = {};
    if (rest_.empty()) return Nanos::zero();
    const int sign = one_of("+-") == '-' ? -1 : 1;
    const int hours = number(2);
    if (rest_.starts_with(':')) rest_.remove_prefix(1);
    return sign * (std::chrono::hours(hours) + std::chrono::minutes(number(2)));
  }
  bool is_over() const { return is_good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace

Result<std::uint32_t> tokens_of(std::string_view field, std::string_view name) {
  std::uint32_t tokens = 0;
  const auto [end, fault] = std::from_chars(field.data(), field.data() + field.size(), tokens);
  if (fault != std::errc() || end != field.data() + field.size() || tokens > LengthDistribution::kLongest) {
    return refuse(say(Msg::rows_no_tokens, name));
  }
  return tokens;
}

std::optional<Nanos> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  Front front(text);
  const int year_number = front.number(4);
  front.one_of("-");
  const int month_number = front.number(2);
  front.one_of("-");
  const int day_number = front.number(2);
  front.one_of(" T");
  const int hour = front.number(2);
  front.one_of(":");
  const int minute = front.number(2);
  front.one_of(":");
  const int second = front.number(2);
  const Nanos fraction = front.fraction(), offset = front.offset();
  const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                            day{static_cast<unsigned>(day_number)}};
  const bool is_time = hour < 24 && minute < 60 && second < 61 && year_number >= 1970 && year_number < 2200;
  if (!front.is_over() || !date.ok() || !is_time) return std::nullopt;
  return sys_days(date).time_since_epoch() + hours(hour) + minutes(minute) + seconds(second) + fraction - offset;
}

Result<Workload> read_csv_trace(std::string_view content, const std::vector<std::string_view>& names,
                                const TakeFields& take) {
  CsvReader reader(content);
  Workload workload;
  if (!reader.next()) return workload;
  const std::size_t width = reader.fields().size();
  std::vector<std::size_t> places;
  for (const std::string_view name : names) {
    const auto place = column(reader.fields(), name);
    if (!place) return refuse(say(Msg::csv_no_column, name));
    places.push_back(*place);
  }
  std::vector<std::string_view> fields(names.size());
  while (reader.next()) {
    const auto& all = reader.fields();
    const bool is_whole = all.size() == width;
    for (std::size_t i = 0; is_whole && i < places.size(); ++i) fields[i] = trimmed(all[places[i]]);
    Result<WorkloadChain> chain = is_whole ? take(fields) : refuse(say(Msg::rows_fields, all.size(), width));
    if (chain) {
      chain->line = reader.line();
      workload.chains.push_back(std::move(*chain));
    } else {
      workload.bad.push_back({reader.line(), std::nullopt, std::move(chain.error().message)});
    }
  }
  settle_times(workload);
  return workload;
}

}  // namespace scoville::dataset
