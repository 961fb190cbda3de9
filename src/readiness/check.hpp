#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::readiness {

enum class Verdict { yes, no, unknown };
std::string_view name_of(Verdict verdict);
/// Nullopt for a word that is none of the three.
std::optional<Verdict> verdict_named(std::string_view name);

/// What is asked before any number, in this order. The first eight must be yes; those from `framework` on are the
/// layers that the matrix row "ecosystem" counts.
enum class Item {
  visible,
  count,
  allocate,
  copy,
  add,
  synchronise,
  read_back,
  framework,
  transformers,
  engine,
  image,
  telemetry,
  compiler,
  operator_library,
  communication_library,
  profiler,
  triton,
};
inline constexpr std::size_t kItems = 17;
std::string_view name_of(Item item);
std::optional<Item> item_named(std::string_view name);
bool is_required(Item item);
bool is_layer(Item item);

struct Check {
  Item item = Item::visible;
  Verdict verdict = Verdict::unknown;
  std::string evidence;  ///< what was seen, in the words of whoever said it
  std::string version;   ///< "": not known
};

/// A count that may be open: unknown layers may be missing too.
struct Missing {
  std::size_t value = 0, low = 0, high = 0;
};

struct Finding {
  std::vector<Check> checks;            ///< one for each item, in their order
  Verdict is_ready = Verdict::unknown;  ///< no: a required check is no. unknown: none is, one is not known
  std::optional<Item> first_missing;    ///< the first required check that is no; else the first not known
  Missing layers_missing;               ///< low: those that are no; high: the unknown ones too; value: as low
};

/// Puts the checks in order; what nobody looked at is unknown, with no evidence. `asked_for`: checks that are required
/// too, because somebody asked about them.
Finding judge(std::vector<Check> checks, const std::vector<Item>& asked_for = {});

}  // namespace scoville::readiness
