#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "base/units.hpp"
#include "text/catalogue.hpp"

namespace scoville::plan {

/// How the draws of a time lie around its given mean.
enum class Spread {
  constant,
  exponential,
  uniform,    ///< from 0 to twice the mean
  lognormal,  ///< standard deviation of the logarithm 0.5
};

/// What the usage record says.
enum class UsageStyle {
  right,
  none,
  wrong,       ///< twice the tokens that were sent
  continuous,  ///< right, and in every chunk
  zero,
};

/// The finish_reason: `natural` is "length" where the request's limit ended the text, else "stop".
enum class FinishStyle { natural, stop, length, none };

/// What the scripted endpoint does with each request: the ground truth that the instrument is held against.
///
/// Event 0 of a request is due at t0 + queue + ttft + prefill · prompt tokens, event k at that plus k · itl;
/// docs/formats/ scripted.md tells the whole. A count that may be absent means "never" or "no limit" where it is.
struct Script {
  Nanos ttft = std::chrono::milliseconds(50);
  Nanos itl = std::chrono::milliseconds(10);  ///< between events, whatever `chunk` says
  std::uint64_t tokens = 100;                 ///< natural length; the request's own limit caps it
  Spread ttft_dist = Spread::constant, itl_dist = Spread::constant;
  Nanos jitter{};   ///< each event moves by a uniform draw from ± this; what follows does not move with it
  Nanos prefill{};  ///< per prompt token
  std::uint64_t seed = 0;

  std::uint64_t slots = 0;             ///< requests answered at the same time; 0: no limit
  std::optional<std::uint64_t> queue;  ///< requests that may wait for a slot
  std::uint64_t queue_status = 429;    ///< for those beyond

  std::uint64_t chunk = 1;      ///< tokens per event
  std::uint64_t merge = 1;      ///< events per write, which goes out when the last of them is due
  std::uint64_t reasoning = 0;  ///< so many tokens come as reasoning_content (chat)
  bool role_chunk = true;
  bool done = true;
  bool emit = true;
  FinishStyle finish = FinishStyle::natural;
  UsageStyle usage = UsageStyle::right;
  std::optional<std::uint64_t> cached;  ///< prompt tokens said to come from a cache
  Nanos ping{};                         ///< a comment this often before the first event; 0: none

  std::string model;  ///< the only id that is answered; empty: any
  std::uint64_t template_tokens = 7, bos = 1;
  std::uint64_t context = 1'000'000;
  bool tokenize = true;

  std::optional<std::uint64_t> stall_at;  ///< events before the pause
  Nanos stall_for = std::chrono::seconds(1);
  std::optional<double> error_rate;  ///< absent: 1 where error_at, close_after or reset_after is given, else 0
  std::uint64_t error_status = 500;
  std::optional<std::uint64_t> error_at, close_after, reset_after;  ///< events before the fault
  Nanos keep_alive{};  ///< idle time before a connection is closed; 0: never
  bool stream_ignored = false;
  bool html = false;
};

/// One key of a script: declared once, read by the parser, the help and the documentation.
struct ScriptKey {
  using Field = std::variant<Nanos Script::*, std::uint64_t Script::*, std::optional<std::uint64_t> Script::*,
                             std::optional<double> Script::*, bool Script::*, std::string Script::*, Spread Script::*,
                             UsageStyle Script::*, FinishStyle Script::*>;
  std::string_view name;
  Field field;
  text::Msg help;
  std::uint64_t least = 0, most = UINT64_MAX;  ///< of a count

  /// What a value has to be, in words.
  std::string expected() const;
  /// The default as it would be written; "-" for an absent value.
  std::string default_text() const;
};

std::span<const ScriptKey> script_keys();

/// "key=value,key=value". The error names key, value and what was expected.
Result<Script> parse_script(std::string_view text);

/// A YAML mapping of the same keys, `origin` being its file's name; the error adds the line.
Result<Script> parse_script_yaml(const std::string& yaml, const std::string& origin);

}  // namespace scoville::plan
