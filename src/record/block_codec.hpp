#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "event/request_record.hpp"

namespace scoville::record {

/// Requests as they lie in a store (docs/formats/store.md): what is kept of each, and apart from it the token events,
/// so that one is read without the other. Both are compressed (zstd).
struct Block {
  std::size_t requests = 0, events = 0;
  std::string heads, tokens;
};

/// Every Instant of a request is kept in ns. Its token events lie on a grid of 1 µs that begins at its first event,
/// which is kept in ns itself; their width is rounded up. A read lag is kept to 1 µs, or to 3 % where that is more; a
/// scripted emit time to 0.1 µs, or to 1 % where that is more. Texts are not in it.
Block encode(std::span<const event::RequestRecord> records);
Block encode(std::span<const std::unique_ptr<event::RequestRecord>> records);

/// What `heads` or `tokens` of a block would take unpacked, by its own word; empty where it is no such part.
std::optional<std::size_t> unpacked_size(std::string_view part);

/// Gives the records in the order in which they were encoded. The Error says that the bytes are not a block.
Status decode_heads(std::string_view heads, const std::function<void(event::RequestRecord)>& each);
Status decode(std::string_view heads, std::string_view tokens, const std::function<void(event::RequestRecord&)>& each);

}  // namespace scoville::record
