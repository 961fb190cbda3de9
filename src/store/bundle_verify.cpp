#include <tuple>

#include "base/byte_size.hpp"
#include "base/json.hpp"
#include "record/block_codec.hpp"
#include "store/bundle_reader.hpp"
#include "store/stored_parts.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kLargestPacked = std::size_t{256} << 20;  // of a block's heads, or its tokens, unpacked

Error unfit(Msg what) { return {ErrorCode::protocol, say(what)}; }

/// Decodes everything and keeps nothing.
class BundleCheck final : public BundleSink {
 public:
  explicit BundleCheck(const BundleLimits& limits) : limits_(limits), left_(limits.unpacked) {}

  Status begin(const BundledRun&) override {
    counts_ = {};
    last_block_ = last_tail_ = 0;
    last_answer_.reset();
    manifest_.reset();
    return Done{};
  }

  Status end(const BundledRun& run) override {
    if (!manifest_) return Error{ErrorCode::protocol, say(Msg::bundle_run_without_manifest, run.info.id)};
    if (!(counts_ == run.counts)) return Error{ErrorCode::protocol, say(Msg::bundle_run_counts, run.info.id)};
    return Done{};
  }

  Status document(const std::string& name, std::string_view body) override {
    json::error_code fault;
    json::value value = json::parse(body, fault);
    if (fault) return unfit(Msg::bundle_bad_document);
    if (name == "manifest") manifest_ = std::move(value);
    return Done{};
  }

  Status copy(PartKind kind, std::string_view text) override {
    const json::value manifest = manifest_.value_or(nullptr);
    const std::string said = kind == PartKind::plan ? plan_copy(manifest) : fingerprint_copy(manifest);
    json::error_code fault;
    const json::value told = json::parse(text, fault);
    if (fault) return unfit(Msg::bundle_bad_document);
    if (said.empty() || json::parse(said) != told) return unfit(Msg::bundle_bad_copy);
    return Done{};
  }

  Status block(const Frame& frame) override {
    if (frame.number <= last_block_) return unfit(Msg::bundle_bad_frame);
    last_block_ = frame.number;
    std::int64_t requests = 0, events = 0;
    const Status read = decode(frame, [&](const event::RequestRecord& each) {
      ++requests;
      events += static_cast<std::int64_t>(each.tokens.size());
    });
    if (!read) return read;
    if (requests != frame.requests || events != frame.events) return unfit(Msg::bundle_block_counts);
    ++counts_.blocks;
    counts_.requests += requests;
    counts_.events += events;
    return Done{};
  }

  Status tail(const Frame& frame) override {
    if (frame.number <= last_tail_ || frame.requests != 0 || frame.events != 0) return unfit(Msg::bundle_bad_frame);
    last_tail_ = frame.number;
    ++counts_.tails;
    return decode(frame, [](const event::RequestRecord&) {});
  }

  Status answer(const AnswerLine& line) override {
    const std::tuple here{line.request, line.attempt, line.is_warmup};
    if (last_answer_ && here <= *last_answer_) return unfit(Msg::bundle_bad_answer);
    last_answer_ = here;
    ++counts_.answers;
    return Done{};
  }

 private:
  /// A block is packed within the bundle that is packed: what it unpacks to is limited as well.
  Status decode(const Frame& frame, const std::function<void(event::RequestRecord&)>& each) {
    for (const std::string_view part : {frame.heads, frame.tokens}) {
      const std::optional<std::size_t> size = record::unpacked_size(part);
      if (!size) return unfit(Msg::bundle_bad_frame);
      if (*size > kLargestPacked) return unfit(Msg::bundle_part_too_large);
      left_ -= static_cast<std::int64_t>(*size);
    }
    if (left_ < 0) return Error{ErrorCode::resource, say(Msg::bundle_too_large, format_byte_size(limits_.unpacked))};
    const Status read = record::decode(frame.heads, frame.tokens, each);
    return read ? read : Status(unfit(Msg::bundle_bad_frame));
  }

  const BundleLimits& limits_;
  std::int64_t left_;
  BundledCounts counts_;
  std::int64_t last_block_ = 0, last_tail_ = 0;
  std::optional<std::tuple<std::int64_t, std::int64_t, bool>> last_answer_;
  std::optional<json::value> manifest_;  // the run's own
};

}  // namespace

Result<BundleContents> verify_bundle(const std::string& path, const BundleLimits& limits, BundleProgress progress) {
  Result<std::unique_ptr<BundleReader>> reader = BundleReader::open(path, limits, std::move(progress));
  if (!reader) return reader.error();
  BundleCheck check(limits);
  if (Status read = (*reader)->read(check); !read) return read.error();
  return BundleContents{path, (*reader)->packed(), (*reader)->sha256(), (*reader)->manifest_sha256(),
                        (*reader)->manifest()};
}

bool looks_like_bundle(const std::string& path) {
  constexpr std::uint64_t enough = std::uint64_t{1} << 20;  // more than the reader gives at once
  Result<std::unique_ptr<ZstdReader>> in = ZstdReader::open(path, enough);
  if (!in) return false;
  const Result<std::string_view> first = (*in)->read();
  // The first field of a tar header is the name, ended by a zero.
  return first && first->size() > kManifestPart.size() && first->starts_with(kManifestPart) &&
         (*first)[kManifestPart.size()] == '\0';
}

}  // namespace scoville::store
