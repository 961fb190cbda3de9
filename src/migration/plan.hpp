#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.hpp"
#include "text/catalogue.hpp"

namespace scoville::migration {

/// What a range of person-days rests on.
enum class Basis {
  assumption,  ///< of our table: nobody has looked yet
  estimate,    ///< by somebody who has
  log,         ///< days booked in an earlier migration
  quote,       ///< a vendor's
};
std::string_view name_of(Basis basis);

/// One part of the work, in person-days.
struct Item {
  std::string id;
  text::Phrase title;
  double low = 0, likely = 0, high = 0;  ///< low ≤ likely ≤ high
  Basis basis = Basis::assumption;
  std::string source_zh;           ///< of the table, in Chinese; empty: as `source`
  std::string source, date;        ///< who says so, and when
  bool is_to_first_token = false;  ///< over once the first token comes
};

struct PeopleCost {
  double per_year = 0;
  std::string currency, source, date;
};

/// How a range is spread: a triangle, or PERT's Beta(1 + 4 (m − a)/(b − a), 1 + 4 (b − m)/(b − a)).
enum class Shape { triangular, pert };

struct Plan {
  std::vector<Item> items;
  std::optional<PeopleCost> people;
  double days_per_year = 220;  ///< working days of a person
  double engineers = 1;        ///< who work at it at once: turns days until the first token into person-days
  double correlation = 0;      ///< of any two items, 0 to 1: what delays one delays the others
  Shape shape = Shape::triangular;
  std::size_t draws = 20'000;
  std::uint64_t seed = 1;

  const Item* find(std::string_view id) const;
  double days_per_month() const { return days_per_year / 12; }
};

/// The map `migration:` of docs/formats/migration.md. Items of the default table that it does not name are assumed, and
/// say so; `ITEM: none` leaves one out. A node that is not there reads as the default table. Notes its faults at
/// `node`; whoever loaded the file calls finish().
Plan read_plan(const config::Node& node);

/// The default table alone.
const std::vector<Item>& default_items();

}  // namespace scoville::migration
