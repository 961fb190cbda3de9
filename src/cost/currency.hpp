#pragma once

#include <map>
#include <optional>
#include <string>

#include "config/quantity.hpp"
#include "text/catalogue.hpp"

namespace scoville::cost {

/// What one unit of another currency is worth, and who says so.
struct Rate {
  double value = 0;  ///< units of the study's currency
  std::string source, date;
};

/// The one currency of a study, and what it takes others at. Nothing is converted without a rate that has a date.
struct Currency {
  std::string code;  ///< ISO 4217
  std::map<std::string, Rate> rates;

  /// Units of the study's currency for one of `other`; empty: nobody stated a rate.
  std::optional<double> worth(const std::string& other) const;
};

/// `currency: CNY` and `rates: {USD: {value: 7.1, per: CNY, source: …, date: …}}`.
Currency read_currency(const config::Node& root);

/// A quantity of money: 30000, "30000 USD", 3万元, or a map with value, low, high, source, date. In the study's
/// currency.
std::optional<config::Quantity> maybe_amount(const config::Node& parent, const std::string& key, config::Range range,
                                             const Currency& currency);

/// A plain number: grouped and whole from 1000 on, four significant digits below.
std::string plain(double value);
/// For a table, in the current language: "CNY 1,234,567", "123.46 万元", "0.4325 元".
std::string money_text(double amount, const std::string& currency, text::Language language = text::language());
/// The same without the currency's name: where its column or heading says it. In Chinese a figure from 10000 on is in
/// 万.
std::string amount_text(double amount, const std::string& currency);
/// "CNY", "元".
std::string currency_text(const std::string& currency, text::Language language = text::language());
/// "0.638…0.957", "0.638 → 0.957": from the one to the other, the unit once where it is the same.
std::string span_text(double from, double to, const std::string& currency, std::string_view between = "…");

}  // namespace scoville::cost
