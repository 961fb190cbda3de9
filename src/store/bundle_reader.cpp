#include "store/bundle_reader.hpp"

#include <algorithm>

#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

/// With what a tar archive takes beside its parts: headers, padding, maybe longer headers by another program.
std::uint64_t with_headers(std::int64_t bytes, std::size_t parts) {
  return static_cast<std::uint64_t>(bytes) + parts * 4096 + (std::uint64_t{1} << 20);
}

Error at_part(const std::string& path, Error error) { return {error.code, say(Msg::bundle_part, path, error.message)}; }

Error at_part(const std::string& path, Msg what) {
  return {ErrorCode::protocol, say(Msg::bundle_part, path, say(what))};
}

}  // namespace

Error BundleReader::in_file(Error error) const { return {error.code, say(Msg::bundle_fault, path_, error.message)}; }

Result<std::unique_ptr<BundleReader>> BundleReader::open(const std::string& path, const BundleLimits& limits,
                                                         BundleProgress progress) {
  Result<std::unique_ptr<ZstdReader>> in =
      ZstdReader::open(path, with_headers(limits.manifest, 1), std::move(progress));
  if (!in) return Error{in.error().code, say(Msg::bundle_fault, path, in.error().message)};
  std::unique_ptr<BundleReader> reader(new BundleReader(std::move(*in), path));
  if (Status read = reader->read_manifest(limits); !read) return reader->in_file(read.error());
  return reader;
}

Status BundleReader::read_manifest(const BundleLimits& limits) {
  const std::string name(kManifestPart);
  const Result<std::optional<TarReader::Entry>> entry = tar_.next();
  if (!entry && entry.error().code != ErrorCode::unsupported) return at_part(name, entry.error());
  if (!entry || !*entry || (*entry)->name != name || !(*entry)->is_plain)
    return Error{ErrorCode::protocol, say(Msg::bundle_no_bundle)};
  if ((*entry)->size > limits.manifest) return at_part(name, Msg::bundle_part_too_large);
  std::string text;
  for (;;) {
    const Result<std::string_view> piece = tar_.read();
    if (!piece) return at_part(name, piece.error());
    if (piece->empty()) break;
    text += *piece;
  }
  Result<BundleManifest> manifest = bundle_manifest_from(text, limits);
  if (!manifest) return manifest.error();
  manifest_ = std::move(*manifest);
  manifest_sha256_ = scoville::sha256(text);
  in_->limit(with_headers(static_cast<std::int64_t>(text.size()) + manifest_.bytes(), manifest_.parts.size() + 1));
  return Done{};
}

Status BundleReader::read(BundleSink& sink) {
  for (const BundledRun& each : manifest_.runs) {
    if (Status read = read_run(each, sink); !read) return in_file(read.error());
  }
  if (Status ended = no_more(); !ended) return in_file(ended.error());
  return Done{};
}

Status BundleReader::read_run(const BundledRun& run, BundleSink& sink) {
  if (Status begun = sink.begin(run); !begun) return begun;
  for (; next_ < manifest_.parts.size(); ++next_) {
    const BundledPart& part = manifest_.parts[next_];
    const std::optional<PartName> name = PartName::parse(part.path);
    if (name->run != run.info.id) break;
    if (Status read = read_part(part, *name, sink); !read) return read;
  }
  return sink.end(run);
}

bool BundleReader::was_read(const std::string& name) const {
  const auto end = manifest_.parts.begin() + static_cast<std::ptrdiff_t>(next_);
  return name == kManifestPart ||
         std::any_of(manifest_.parts.begin(), end, [&](const auto& each) { return each.path == name; });
}

/// The next entry of the archive is this part.
Status BundleReader::expect(const BundledPart& part) {
  const Result<std::optional<TarReader::Entry>> entry = tar_.next();
  if (!entry) return at_part(part.path, entry.error());
  if (!*entry) return at_part(part.path, Msg::bundle_part_missing);
  const TarReader::Entry& found = **entry;
  if (found.name != part.path) {
    if (was_read(found.name)) return at_part(found.name, Msg::bundle_part_twice);
    const bool is_listed = std::any_of(manifest_.parts.begin(), manifest_.parts.end(),
                                       [&](const auto& each) { return each.path == found.name; });
    return is_listed ? at_part(part.path, Msg::bundle_part_missing) : at_part(found.name, Msg::bundle_part_unknown);
  }
  if (!found.is_plain) return at_part(part.path, Msg::bundle_part_no_file);
  if (found.size != part.bytes) return at_part(part.path, Msg::bundle_part_size);
  return Done{};
}

Status BundleReader::no_more() {
  const auto at_end = [](const Error& error) { return Error{error.code, say(Msg::bundle_at_end, error.message)}; };
  const Result<std::optional<TarReader::Entry>> entry = tar_.next();
  if (!entry) return at_end(entry.error());
  if (!*entry) {
    const Status ended = tar_.finish();
    return ended ? ended : Status(at_end(ended.error()));
  }
  const std::string& name = (*entry)->name;
  return at_part(name, was_read(name) ? Msg::bundle_part_twice : Msg::bundle_part_unknown);
}

Status BundleReader::read_part(const BundledPart& part, const PartName& name, BundleSink& sink) {
  if (Status expected = expect(part); !expected) return expected;
  return take(name, sink, part);
}

Status BundleReader::each_piece(const BundledPart& part, const std::function<Status(std::string_view)>& piece) {
  Sha256 hash;
  std::int64_t bytes = 0;
  std::optional<Error> unfit;  // what is wrong with its contents is told only of a part that is as it was written
  for (;;) {
    const Result<std::string_view> some = tar_.read();
    if (!some) return at_part(part.path, some.error());
    if (some->empty()) break;
    hash.add(*some);
    bytes += static_cast<std::int64_t>(some->size());
    if (unfit) continue;
    if (Status taken = piece(*some); !taken) unfit = taken.error();
  }
  if (bytes != part.bytes) return at_part(part.path, Msg::bundle_part_size);
  if (hash.finish() != part.sha256) return at_part(part.path, Msg::bundle_part_changed);
  if (unfit) return at_part(part.path, *unfit);
  return Done{};
}

Status BundleReader::take(const PartName& name, BundleSink& sink, const BundledPart& part) {
  if (name.kind <= PartKind::plan) {
    std::string text;
    const Status read = each_piece(part, [&](std::string_view some) -> Status {
      text += some;
      return Done{};
    });
    if (!read) return read;
    const Status taken =
        name.kind == PartKind::document ? sink.document(name.document, text) : sink.copy(name.kind, text);
    return taken ? taken : Status(at_part(part.path, taken.error()));
  }
  Cutter cutter = name.kind == PartKind::answers
                      ? answer_cutter([&](const AnswerLine& line) { return sink.answer(line); })
                      : frame_cutter([&](const Frame& frame) {
                          return name.kind == PartKind::blocks ? sink.block(frame) : sink.tail(frame);
                        });
  if (Status read = each_piece(part, [&](std::string_view some) { return cutter.add(some); }); !read) return read;
  if (!cutter.is_at_end()) return at_part(part.path, Msg::bundle_part_ends_early);
  return Done{};
}

}  // namespace scoville::store
