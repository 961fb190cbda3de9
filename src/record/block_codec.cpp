#include "record/block_codec.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "record/head_fields.hpp"

namespace scoville::record {
namespace {

using event::RequestRecord;
using event::TokenEvent;

constexpr int kCompression = 1;
constexpr std::uint64_t kTokenFormat = 1;
constexpr std::size_t kLargestBlock = std::size_t{1} << 30;  // decompressed: more is not ours
constexpr std::int64_t kTokenUnit = 1000, kEmitUnit = 100;   // ns

Error broken(std::string_view what) {
  return {ErrorCode::io, fmt::format("a block of the store is damaged ({})", what)};
}

/// What an instant is told from: the one before it, and for the first of a record the first of the record before.
class Chain {
 public:
  void start_record() {
    before_ = first_;
    is_first_ = true;
  }
  std::int64_t distance_to(std::int64_t at) {
    const std::int64_t distance = at - before_;
    note(at);
    return distance;
  }
  std::int64_t at_distance(std::int64_t distance) {
    note(before_ + distance);
    return before_;
  }

 private:
  void note(std::int64_t at) {
    before_ = at;
    if (std::exchange(is_first_, false)) first_ = at;
  }
  std::int64_t before_ = 0, first_ = 0;
  bool is_first_ = true;
};

class HeadWriter {
 public:
  explicit HeadWriter(ByteWriter& out) : out_(out) {}
  void start_record() { chain_.start_record(); }
  template <class N>
  void number(N value) {
    out_.number(value);
  }
  void flag(bool value) { out_.number(value); }
  void moment(Moment at) {
    out_.number(at.has_value());
    if (at) out_.signed_number(chain_.distance_to((*at).time_since_epoch().count()));
  }
  void span(Nanos value) { out_.signed_number(value.count()); }
  template <class T>
  void maybe(const std::optional<T>& value) {
    out_.number(value.has_value());
    if (value) put(*value);
  }
  template <class Code>
  void code(Code value) {
    out_.number(static_cast<std::uint64_t>(value));
  }
  void text(const std::string& value) { out_.text(value); }
  void flags(event::Flags value) { out_.number(value.bits()); }
  void hash(std::uint64_t value) { out_.fixed(value); }
  void server(const std::optional<event::ServerTimings>& value) {
    out_.number(value.has_value());
    if (!value) return;
    maybe(value->prompt_n);
    maybe(value->cache_n);
    maybe(value->predicted_n);
    maybe(value->decode_tokens_per_s);
  }

 private:
  void put(std::int64_t value) { out_.signed_number(value); }
  void put(double value) { out_.fixed(std::bit_cast<std::uint64_t>(value)); }
  void put(Nanos value) { out_.signed_number(value.count()); }

  ByteWriter& out_;
  Chain chain_;
};

class HeadReader {
 public:
  explicit HeadReader(ByteReader& in) : in_(in) {}
  void start_record() { chain_.start_record(); }
  template <class N>
  void number(N& value) {
    value = static_cast<N>(in_.number());
  }
  void flag(bool& value) { value = in_.number() != 0; }
  void moment(Moment& at) {
    if (in_.number() == 0) return;
    at = Instant(Nanos(chain_.at_distance(in_.signed_number())));
  }
  void span(Nanos& value) { value = Nanos(in_.signed_number()); }
  template <class T>
  void maybe(std::optional<T>& value) {
    if (in_.number() != 0) get(value.emplace());
  }
  template <class Code>
  void code(Code& value) {
    value = static_cast<Code>(in_.number());
  }
  void text(std::string& value) { value = in_.text(); }
  void flags(event::Flags& value) { value = event::Flags::from_bits(static_cast<std::uint32_t>(in_.number())); }
  void hash(std::uint64_t& value) { value = in_.fixed(); }
  void server(std::optional<event::ServerTimings>& value) {
    if (in_.number() == 0) return;
    event::ServerTimings& timings = value.emplace();
    maybe(timings.prompt_n);
    maybe(timings.cache_n);
    maybe(timings.predicted_n);
    maybe(timings.decode_tokens_per_s);
  }

 private:
  void get(std::int64_t& value) { value = in_.signed_number(); }
  void get(double& value) { value = std::bit_cast<double>(in_.fixed()); }
  void get(Nanos& value) { value = Nanos(in_.signed_number()); }

  ByteReader& in_;
  Chain chain_;
};

std::int64_t rounded(std::int64_t value, std::int64_t unit) {
  return (value >= 0 ? value + unit / 2 : value - unit / 2) / unit;
}

/// Large numbers to a few significant bits: exact below 2^(bits + 1), then the midpoint of a step that is at most
/// 2^-bits of the number. What spreads over decades, and is only ever counted, takes one byte then.
std::uint64_t coarse(std::uint64_t value, unsigned bits) {
  if (value < (std::uint64_t{2} << bits)) return value;
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - (bits + 1);
  return (std::uint64_t{shift} << bits) + (value >> shift);
}

std::uint64_t from_coarse(std::uint64_t code, unsigned bits) {
  const std::uint64_t sub = std::uint64_t{1} << bits;
  if (code < 2 * sub) return code;
  const std::uint64_t shift = (code >> bits) - 1;
  if (shift > 62 - bits) return 0;  // no number that was written
  return (((code & (sub - 1)) + sub) << shift) + (std::uint64_t{1} << (shift - 1));
}

/// The same with a sign, which is the last bit of the code.
std::uint64_t coarse_signed(std::int64_t value, unsigned bits) {
  return coarse(static_cast<std::uint64_t>(value < 0 ? -value : value), bits) << 1 | (value < 0);
}
std::int64_t from_coarse_signed(std::uint64_t code, unsigned bits) {
  const auto value = static_cast<std::int64_t>(from_coarse(code >> 1, bits));
  return code & 1 ? -value : value;
}

constexpr unsigned kLagBits = 4, kEmitBits = 6;

/// One column for each member, over all events of the block: what is alike lies together.
struct Columns {
  static constexpr std::size_t kCount = 7;
  std::array<ByteWriter, kCount> all;
  ByteWriter& counts = all[0];
  ByteWriter& times = all[1];
  ByteWriter& widths = all[2];
  ByteWriter& lags = all[3];
  ByteWriter& emits = all[4];
  ByteWriter& tokens = all[5];
  ByteWriter& marks = all[6];

  void add(const RequestRecord& record) {
    counts.number(record.tokens.size());
    if (record.tokens.empty()) return;
    const Instant first = record.tokens.front().at;
    counts.signed_number((record.first_token ? first - *record.first_token : first.time_since_epoch()).count());
    std::int64_t before = 0;
    for (const TokenEvent& each : record.tokens) {
      const std::int64_t place = rounded((each.at - first).count(), kTokenUnit);
      times.signed_number(place - before);
      before = place;
      widths.number((each.width_ns + kTokenUnit - 1) / kTokenUnit);
      lags.number(coarse(static_cast<std::uint64_t>(rounded(each.read_lag_ns, kTokenUnit)), kLagBits));
      const bool is_scripted = each.since_emit_ns != TokenEvent::kNoEmitTime;
      emits.number(is_scripted ? 1 + coarse_signed(rounded(each.since_emit_ns, kEmitUnit), kEmitBits) : 0);
      tokens.number(each.tokens == TokenEvent::kUnknownTokens ? 0 : each.tokens + std::uint64_t{1});
      marks.number(static_cast<std::uint64_t>(each.choice) * 2 + each.shares_read);
    }
  }
};

class ColumnReaders {
 public:
  static Result<ColumnReaders> open(std::string_view bytes) {
    ByteReader in(bytes);
    if (in.number() != kTokenFormat) return broken("tokens: unknown format");
    std::vector<ByteReader> columns;
    for (std::size_t i = 0; i < Columns::kCount; ++i) columns.emplace_back(in.text());
    if (in.has_failed() || !in.is_at_end()) return broken("tokens: columns");
    return ColumnReaders(std::move(columns));
  }

  Status read(RequestRecord& record) {
    auto& [counts, times, widths, lags, emits, tokens, marks] = columns_;
    const std::uint64_t count = counts.number();
    if (count > times.left()) return broken("tokens: count");  // each takes a byte at least: no room is made for more
    record.tokens.resize(count);
    if (count == 0) return Done{};
    const Instant base = record.first_token ? *record.first_token : Instant{};
    const Instant first = base + Nanos(counts.signed_number());
    std::int64_t place = 0;
    for (TokenEvent& each : record.tokens) {
      place += times.signed_number();
      each.at = first + Nanos(place * kTokenUnit);
      each.width_ns = saturated(widths.number() * kTokenUnit);
      each.read_lag_ns = saturated(from_coarse(lags.number(), kLagBits) * kTokenUnit);
      const std::uint64_t emit = emits.number();
      each.since_emit_ns = emit == 0 ? TokenEvent::kNoEmitTime
                                     : static_cast<std::int32_t>(from_coarse_signed(emit - 1, kEmitBits) * kEmitUnit);
      const std::uint64_t known = tokens.number();
      each.tokens = known == 0 ? TokenEvent::kUnknownTokens : static_cast<std::uint16_t>(known - 1);
      const std::uint64_t mark = marks.number();
      each.choice = static_cast<std::uint8_t>(mark / 2);
      each.shares_read = mark % 2 != 0;
    }
    for (const ByteReader& column : columns_) {
      if (column.has_failed()) return broken("tokens: a column is too short");
    }
    return Done{};
  }

 private:
  explicit ColumnReaders(std::vector<ByteReader> columns)
      : columns_{columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]} {}
  static std::uint32_t saturated(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
  }

  std::array<ByteReader, Columns::kCount> columns_;
};

std::string compressed(const std::string& bytes) {
  static thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                         &ZSTD_freeCCtx);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size(), kCompression);
  SCOVILLE_CHECK(!ZSTD_isError(size), "a buffer of the bound's size holds what was compressed");
  out.resize(size);
  return out;
}

Result<std::string> decompressed(std::string_view bytes) {
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestBlock)
    return broken("not a zstd frame of ours");
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size) return broken("cannot be decompressed");
  return out;
}

/// Calls `each` with every head; a Status it returns ends the reading.
template <class Each>
Status read_heads(std::string_view heads, Each each) {
  const Result<std::string> bytes = decompressed(heads);
  if (!bytes) return bytes.error();
  ByteReader in(*bytes);
  const std::uint64_t format = in.number();
  if (format < 1 || format > kHeadFormat) return broken("heads: unknown format");
  const std::uint64_t count = in.number();
  HeadReader reader(in);
  for (std::uint64_t i = 0; i < count; ++i) {
    RequestRecord record;
    reader.start_record();
    head_fields(reader, record, format);
    if (in.has_failed()) return broken("heads: too short");
    const bool is_known = static_cast<std::size_t>(record.failure) < event::kFailureCount &&
                          record.n_out_source <= event::CountSource::not_applicable &&
                          record.sub_class <= event::SubClass::unsupported_parameter;
    if (!is_known) return broken("heads: a code that is not known");
    if (Status taken = each(record); !taken) return taken;
  }
  return Done{};
}

template <class At>
Block encode_each(std::size_t count, At at) {
  Block block;
  block.requests = count;
  ByteWriter heads;
  heads.number(kHeadFormat);
  heads.number(count);
  HeadWriter writer(heads);
  Columns columns;
  for (std::size_t i = 0; i < count; ++i) {
    const RequestRecord& record = at(i);
    writer.start_record();
    head_fields(writer, record);
    columns.add(record);
    block.events += record.tokens.size();
  }
  ByteWriter tokens;
  tokens.number(kTokenFormat);
  for (const ByteWriter& column : columns.all) tokens.text(column.bytes());
  block.heads = compressed(heads.bytes());
  block.tokens = compressed(tokens.bytes());
  return block;
}

}  // namespace

std::optional<std::size_t> unpacked_size(std::string_view part) {
  const auto size = ZSTD_getFrameContentSize(part.data(), part.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) return std::nullopt;
  return size;
}

Block encode(std::span<const RequestRecord> records) {
  return encode_each(records.size(), [&](std::size_t i) -> const RequestRecord& { return records[i]; });
}

Block encode(std::span<const std::unique_ptr<RequestRecord>> records) {
  return encode_each(records.size(), [&](std::size_t i) -> const RequestRecord& { return *records[i]; });
}

Status decode_heads(std::string_view heads, const std::function<void(RequestRecord)>& each) {
  return read_heads(heads, [&](RequestRecord& record) -> Status {
    each(std::move(record));
    return Done{};
  });
}

Status decode(std::string_view heads, std::string_view tokens, const std::function<void(RequestRecord&)>& each) {
  const Result<std::string> bytes = decompressed(tokens);
  if (!bytes) return bytes.error();
  Result<ColumnReaders> columns = ColumnReaders::open(*bytes);
  if (!columns) return columns.error();
  return read_heads(heads, [&](RequestRecord& record) -> Status {
    if (Status read = columns->read(record); !read) return read;
    each(record);
    return Done{};
  });
}

}  // namespace scoville::record
