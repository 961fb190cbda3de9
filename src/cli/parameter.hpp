#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.hpp"
#include "base/result.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {

/// The headings of a help text, in their order.
enum class Group { none, target, launch, system, load, prompts, requests, limits, output, others };

/// One flag of a command, declared once: the parser, the help and the errors all read it from here.
struct Parameter {
  std::string name;   ///< "--request-rate"
  std::string value;  ///< what stands for its value in the help: "N", "DUR", "URL"; empty: a switch
  text::Msg help;
  std::string fallback;  ///< default as the help prints it; empty: none
  /// Takes the value (empty for a switch). The error says what was expected; name and value are added by the parser.
  std::function<Status(std::string_view)> set;
  bool is_repeatable = false;
  bool takes_many = false;    ///< several words may follow it, as with argparse: --goodput ttft:200 tpot:50
  Group group = Group::none;  ///< others: not listed one by one
  std::optional<text::Msg> note = std::nullopt;     ///< said once when it is given: what it does not do here
  std::optional<text::Msg> refusal = std::nullopt;  ///< it is known, and refused for this reason
  std::string_view harmless_value = "";             ///< a refused one with this value changes nothing: taken in silence
};

/// A word that stands without a flag before it: `scoville runs show NAME`. In the order of their declaration.
struct Positional {
  std::string name;  ///< what stands for it in the help: "NAME"
  text::Msg help;
  std::function<Status(std::string_view)> set;  ///< the error says what was expected
  bool takes_many = false;                      ///< one or more; only the last of a command
};

/// Another tool's word for one of our flags.
struct Synonym {
  std::string_view names;  ///< "-n,--number"
  std::string_view tool;   ///< whose it is
  std::string_view flag;   ///< ours
  /// Their value in our terms; null: the same.
  Result<std::string> (*convert)(std::string_view) = nullptr;
  std::optional<text::Msg> note = std::nullopt;  ///< said once when it is given
};

/// What a command takes.
class Parameters {
 public:
  /// Those added from now on stand under this heading.
  void under(Group group) { group_ = group; }
  void add(Parameter parameter);
  void add(const Synonym& synonym) { synonyms_.push_back(synonym); }
  void add(Positional one) { positionals_.push_back(std::move(one)); }

  void text(std::string name, std::string value, text::Msg help, std::string& target);
  void toggle(std::string name, text::Msg help, bool& target, bool sets = true);
  void count(std::string name, text::Msg help, std::size_t& target, std::size_t least, std::size_t most);
  void number(std::string name, text::Msg help, std::optional<double>& target, double least, double most);
  void duration(std::string name, text::Msg help, Nanos& target, Nanos least);
  void maybe_duration(std::string name, text::Msg help, std::optional<Nanos>& target, Nanos least);
  /// One of `choices`; `take` gets its place in them.
  void choice(std::string name, text::Msg help, std::vector<std::string> choices, std::string fallback,
              std::function<void(std::size_t)> take);

  const std::vector<Parameter>& all() const { return all_; }
  const std::vector<Synonym>& synonyms() const { return synonyms_; }
  const std::vector<Positional>& positionals() const { return positionals_; }

 private:
  std::vector<Parameter> all_;
  std::vector<Synonym> synonyms_;
  std::vector<Positional> positionals_;
  Group group_ = Group::none;
};

/// The parts between any of `separators`, empty ones left out.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

Result<std::size_t> parse_count(std::string_view text, std::size_t least, std::size_t most);
Result<double> parse_number(std::string_view text, double least, double most);

}  // namespace scoville::cli
