#include "record/memory_blocks.hpp"

#include <algorithm>

#include "record/tail_ledger.hpp"

namespace scoville::record {
namespace {

using event::RequestRecord;

bool has_ended(const RequestRecord& record) { return record.end || record.failed_at; }

/// The latest moment that anything is known of.
Moment last_sign(const RequestRecord& record) {
  Moment last;
  for (const Moment at : {record.due, record.dequeued, record.connected, record.written, record.headers,
                          record.first_byte, record.last_token, record.last_chunk}) {
    if (at && (!last || *at > *last)) last = at;
  }
  return last;
}

}  // namespace

Status MemoryBlocks::commit(const Commit& commit) {
  add(commit.blocks);
  add(commit.texts);
  return Done{};
}

void MemoryBlocks::add(const std::vector<KeptText>& texts) {
  for (const KeptText& each : texts) {
    RequestRecord named;
    named.index = each.index;
    named.attempt = each.attempt;
    named.is_warmup = each.is_warmup;
    texts_[key_of(named)] = std::make_shared<event::RequestText>(each.text);
  }
}

std::size_t MemoryBlocks::expected() const {
  std::size_t count = 0;
  for (const Block& each : blocks_) count += each.requests;
  return count;
}

Status MemoryBlocks::for_each_head(const std::function<void(RequestRecord)>& each) const {
  for (const Block& block : blocks_) {
    if (Status read = decode_heads(block.heads, each); !read) return read;
  }
  return Done{};
}

Status MemoryBlocks::for_each(const std::function<void(const RequestRecord&)>& each) const {
  for (const Block& block : blocks_) {
    const Status read = decode(block.heads, block.tokens, [&](RequestRecord& record) {
      const auto text = texts_.find(key_of(record));
      if (text != texts_.end()) record.text = text->second;
      each(record);
    });
    if (!read) return read;
  }
  return Done{};
}

std::size_t JoinedRecords::expected() const {
  std::size_t count = 0;
  for (const auto& part : parts_) count += part->expected();
  return count;
}

Status JoinedRecords::for_each_head(const std::function<void(RequestRecord)>& each) const {
  for (const auto& part : parts_) {
    if (Status read = part->for_each_head(each); !read) return read;
  }
  return Done{};
}

Status JoinedRecords::for_each(const std::function<void(const RequestRecord&)>& each) const {
  for (const auto& part : parts_) {
    if (Status read = part->for_each(each); !read) return read;
  }
  return Done{};
}

TailAssembly::TailAssembly(std::vector<std::uint64_t> settled) : settled_(std::move(settled)) {
  std::sort(settled_.begin(), settled_.end());
}

Status TailAssembly::add(std::string_view heads, std::string_view tokens) {
  return decode(heads, tokens, [this](RequestRecord& part) { add(part); });
}

void TailAssembly::add(RequestRecord& part) {
  const std::uint64_t key = key_of(part);
  if (std::binary_search(settled_.begin(), settled_.end(), key)) return;
  const auto [place, is_new] = requests_.try_emplace(key);
  RequestRecord& held = place->second;
  if (is_new || has_ended(part)) {
    held = std::move(part);
    return;
  }
  std::vector<event::TokenEvent> events = std::move(held.tokens);
  events.insert(events.end(), part.tokens.begin(), part.tokens.end());
  held = std::move(part);
  held.tokens = std::move(events);
}

std::vector<RequestRecord> TailAssembly::finish() {
  std::vector<RequestRecord> out;
  for (auto& [key, record] : requests_) {
    if (!has_ended(record)) {
      record.failure = event::Failure::aborted;
      record.failed_at = last_sign(record);
    }
    out.push_back(std::move(record));
  }
  requests_.clear();
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  return out;
}

}  // namespace scoville::record
