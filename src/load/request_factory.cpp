#include "load/request_factory.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>

#include "load/request_body.hpp"

namespace scoville::load {
namespace {

constexpr std::size_t kTokensReserved = 256;  // events of a request whose length is not known beforehand

bool is_named(const std::vector<std::pair<std::string, std::string>>& headers, const std::string& name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& each) { return strcasecmp(each.first.c_str(), name.c_str()) == 0; });
}

}  // namespace

RequestFactory::RequestFactory(const Dialect& dialect, const plan::RequestShape& shape,
                               const dataset::PromptSource& prompts, wire::Url url)
    : dialect_(dialect), shape_(shape), prompts_(prompts), url_(std::move(url)) {
  std::vector<std::pair<std::string, std::string>> ours{{"Host", url_.authority()},
                                                        {"Content-Type", "application/json"},
                                                        {"Accept", "text/event-stream, application/json"}};
  if (!shape.api_key.empty()) ours.emplace_back("Authorization", "Bearer " + shape.api_key);
  head_ = fmt::format("POST {} HTTP/1.1\r\n", url_.path.empty() ? "/" : url_.path);
  for (const auto& [name, value] : ours) {
    if (!is_named(shape.headers, name)) head_ += fmt::format("{}: {}\r\n", name, value);
  }
  for (const auto& [name, value] : shape.headers) head_ += fmt::format("{}: {}\r\n", name, value);
}

Prepared RequestFactory::make(std::uint64_t index) const { return prepared(prompts_.make(index), index); }

Prepared RequestFactory::follow_up(const Conversation& conversation) const {
  const std::uint32_t turn = conversation.next_turn();
  Prepared made =
      prepared(prompts_.follow_up(conversation.number, conversation.answers), conversation.chain.first + turn);
  made.record.turn = turn;
  return made;
}

Prepared RequestFactory::prepared(const dataset::Prompt& prompt, std::uint64_t index) const {
  const std::string body = dialect_.body(prompt, shape_);
  Prepared prepared;
  prepared.bytes.reserve(head_.size() + body.size() + 40);
  prepared.bytes = head_;
  fmt::format_to(std::back_inserter(prepared.bytes), "Content-Length: {}\r\n\r\n", body.size());
  prepared.bytes += body;
  event::RequestRecord& record = prepared.record;
  record.index = index;
  record.max_tokens = dialect_.makes_tokens() ? token_limit(prompt, shape_) : 0;
  record.asked_prompt_tokens = prompt.asked_prompt_tokens;
  record.prompt_hash = prompt.hash;
  record.tokens.reserve(record.max_tokens ? record.max_tokens * shape_.n + 4 : kTokensReserved);
  return prepared;
}

}  // namespace scoville::load
