#include "cost/currency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/money.hpp"
#include "text/catalogue/config.hpp"
#include "text/catalogue/cost.hpp"

namespace scoville::cost {
namespace {

using config::Node;
using text::ConfigMsg;
using text::CostMsg;
using text::say;

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

bool is_code(const std::string& text) {
  return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<double> plain_number(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  double out = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(out)) return std::nullopt;
  return out;
}

/// The words a Chinese text has for an amount, the longer ones first.
struct ChineseUnit {
  std::string_view word, code;
  double factor;
};
constexpr std::array kChinese{ChineseUnit{"万美元", "USD", 1e4}, ChineseUnit{"美元", "USD", 1},
                              ChineseUnit{"万元", "CNY", 1e4}, ChineseUnit{"元", "CNY", 1}};

std::optional<Money> stated_money(const std::string& text) {
  for (const ChineseUnit& each : kChinese) {
    if (!text.ends_with(each.word)) continue;
    const auto number = plain_number(std::string_view(text).substr(0, text.size() - each.word.size()));
    if (!number) return std::nullopt;
    return Money{*number * each.factor, std::string(each.code)};
  }
  const Result<Money> read = parse_money(text);
  return read ? std::optional<Money>(*read) : std::nullopt;
}

/// A scalar as an amount of the study's currency.
double read_amount(const Node& node, config::Range range, const Currency& currency) {
  const std::string text = node.as_text();
  if (text.empty() || plain_number(text)) return node.as_number(range);
  const std::optional<Money> money = stated_money(text);
  if (!money) {
    node.fault(say(ConfigMsg::is_wrong, quoted(text), say(CostMsg::an_amount, currency.code)));
    return 0;
  }
  const std::optional<double> worth = currency.worth(money->currency);
  if (!worth) {
    node.fault(say(CostMsg::no_rate, money->currency, currency.code));
    return 0;
  }
  return money->amount * *worth;
}

std::string grouped(double amount, int digits) {
  std::string plain = fmt::format("{:.{}f}", std::abs(amount), digits);
  const std::size_t point = std::min(plain.find('.'), plain.size());
  for (std::size_t at = point; at > 3; at -= 3) plain.insert(at - 3, ",");
  return (amount < 0 ? "-" : "") + plain;
}

/// Whole from 1000 on, two digits from 10 on, four significant ones below.
std::string figure(double amount) {
  const double size = std::abs(amount);
  if (size >= 1000) return grouped(amount, 0);
  if (size >= 10 || size == 0) return grouped(amount, 2);
  return fmt::format("{:.4g}", amount);
}

}  // namespace

std::optional<double> Currency::worth(const std::string& other) const {
  if (other == code) return 1;
  const auto found = rates.find(other);
  if (found == rates.end()) return std::nullopt;
  return found->second.value;
}

Currency read_currency(const Node& root) {
  Currency out;
  out.code = root.text("currency");
  if (!out.code.empty() && !is_code(out.code))
    root.fault("currency", say(ConfigMsg::is_wrong, quoted(out.code), say(CostMsg::a_currency)));
  for (const auto& [code, node] : root.maybe_map("rates").entries()) {
    if (!node.is_map()) {
      node.fault(say(CostMsg::a_rate));
      continue;
    }
    Rate rate;
    rate.value = node.number("value", config::kAboveZero);
    rate.source = node.text("source");
    rate.date = node.date("date");
    if (const std::string per = node.text("per"); !per.empty() && per != out.code)
      node.fault("per", say(ConfigMsg::is_wrong, quoted(per), out.code));
    out.rates.emplace(code, std::move(rate));
  }
  return out;
}

std::optional<config::Quantity> maybe_amount(const Node& parent, const std::string& key, config::Range range,
                                             const Currency& currency) {
  const Node found = parent.maybe(key);
  if (!found.exists()) return std::nullopt;
  config::Quantity out;
  out.line = found.line();
  if (!found.is_map()) {
    out.value = read_amount(found, range, currency);
    return out;
  }
  const auto part = [&](const char* name) -> std::optional<double> {
    const Node node = found.maybe(name);
    if (!node.exists()) return std::nullopt;
    return read_amount(node, range, currency);
  };
  if (!found.has("value")) found.number("value", range);  // notes that it is missing
  out.value = part("value").value_or(0);
  out.low = part("low");
  out.high = part("high");
  out.source = found.text_or("source", "");
  out.date = found.maybe_date("date").value_or("");
  if ((out.low && *out.low > out.value) || (out.high && *out.high < out.value)) found.fault(say(ConfigMsg::low_high));
  return out;
}

std::string plain(double value) { return std::abs(value) < 1000 ? fmt::format("{:.4g}", value) : grouped(value, 0); }

std::string currency_text(const std::string& currency, text::Language language) {
  if (language != text::Language::chinese) return currency;
  if (currency == "CNY") return "元";
  return currency == "USD" ? "美元" : currency;
}

std::string amount_text(double amount, const std::string& currency) {
  return text::language() == text::Language::chinese ? money_text(amount, currency) : figure(amount);
}

std::string money_text(double amount, const std::string& currency, text::Language language) {
  if (language != text::Language::chinese) return currency + " " + figure(amount);
  if (std::abs(amount) < 1e4) return figure(amount) + " " + currency_text(currency, language);
  return grouped(amount / 1e4, 2) + " 万" + currency_text(currency, language);
}

std::string span_text(double from, double to, const std::string& currency, std::string_view between) {
  std::string first = amount_text(from, currency);
  const std::string second = amount_text(to, currency);
  const std::size_t unit = first.rfind(' ');
  if (unit != std::string::npos && second.ends_with(first.substr(unit))) first.resize(unit);
  return first + std::string(between) + second;
}

}  // namespace scoville::cost
