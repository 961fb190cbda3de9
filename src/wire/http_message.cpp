#include "wire/http_message.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace scoville::wire {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::uint32_t kLongestHead = 64 * 1024;

/// Beast's parser for either kind, its events passed to a Sink.
class Message {
 public:
  virtual ~Message() = default;
  virtual std::size_t put(std::string_view bytes, error_code& error) = 0;
  virtual void put_eof(error_code& error) = 0;
  virtual bool is_done() const = 0;
  virtual bool got_some() const = 0;
  virtual bool needs_eof() const = 0;

  MessageParser::Sink* sink = nullptr;
  MessageHead head;
};

template <bool is_request>
class MessageOf final : public http::basic_parser<is_request>, public Message {
  using Parser = http::basic_parser<is_request>;

 public:
  explicit MessageOf(bool has_no_body) {
    Parser::eager(true);
    if (has_no_body) Parser::skip(true);
    Parser::header_limit(kLongestHead);
    Parser::body_limit(boost::none);
  }

  std::size_t put(std::string_view bytes, error_code& error) override {
    return Parser::put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  }
  void put_eof(error_code& error) override { Parser::put_eof(error); }
  bool is_done() const override { return Parser::is_done(); }
  bool got_some() const override { return Parser::got_some(); }
  bool needs_eof() const override { return Parser::is_header_done() && Parser::need_eof(); }

 private:
  void on_request_impl(http::verb, string_view method, string_view target, int version, error_code&) override {
    head.method.assign(method.data(), method.size());
    head.target.assign(target.data(), target.size());
    head.is_http_1_1 = version == 11;
  }
  void on_response_impl(int status, string_view reason, int version, error_code&) override {
    head.status = status;
    head.reason.assign(reason.data(), reason.size());
    head.is_http_1_1 = version == 11;
  }
  void on_field_impl(http::field, string_view name, string_view value, error_code&) override {
    if (is_behind_head_) return;  // a trailer
    head.fields.push_back({std::string(name.data(), name.size()), std::string(value.data(), value.size())});
  }
  void on_header_impl(error_code&) override {
    is_behind_head_ = true;
    head.keep_alive = Parser::keep_alive();
    head.is_chunked = Parser::chunked();
    if (const auto length = Parser::content_length()) head.content_length = *length;
    if (is_request || head.status >= 200 || head.status == 101) sink->on_head(head);
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view bytes, error_code&) override {
    if (!bytes.empty()) sink->on_body({bytes.data(), bytes.size()});
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) override {
    return on_body_impl(bytes, error);
  }
  void on_finish_impl(error_code&) override {}

  bool is_behind_head_ = false;
};

}  // namespace

const std::string* MessageHead::find(std::string_view name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Header& each) { return same_name(each.name, name); });
  return found == fields.end() ? nullptr : &found->value;
}

bool same_name(std::string_view a, std::string_view b) {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

bool is_hop_by_hop(std::string_view name, const MessageHead& head) {
  for (const std::string_view each : {"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate",
                                      "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade"}) {
    if (same_name(name, each)) return true;
  }
  for (const Header& field : head.fields) {
    if (!same_name(field.name, "Connection")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      std::string_view token = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), token.size() + 1));
      while (token.starts_with(' ')) token.remove_prefix(1);
      while (token.ends_with(' ')) token.remove_suffix(1);
      if (same_name(token, name)) return true;
    }
  }
  return false;
}

struct MessageParser::Impl {
  Kind kind;
  std::unique_ptr<Message> message;
  std::string rest;  // the unfinished piece of a head or chunk header
  std::string error;
  int refusal = 0;
  bool has_no_body = false;
  State state = State::open;

  void restart() {
    if (kind == Kind::request) {
      message = std::make_unique<MessageOf<true>>(false);
    } else {
      message = std::make_unique<MessageOf<false>>(has_no_body);
    }
  }
};

MessageParser::MessageParser(Kind kind) : impl_(std::make_unique<Impl>()) {
  impl_->kind = kind;
  start();
}

MessageParser::~MessageParser() = default;

const std::string& MessageParser::error() const { return impl_->error; }
int MessageParser::refusal() const { return impl_->refusal; }
bool MessageParser::runs_to_the_end() const { return impl_->message->needs_eof(); }

bool MessageParser::is_amid() const {
  return impl_->state == State::open && (impl_->message->got_some() || !impl_->rest.empty());
}

void MessageParser::start(bool has_no_body) {
  impl_->has_no_body = has_no_body;
  impl_->state = State::open;
  impl_->rest.clear();
  impl_->error.clear();
  impl_->restart();
}

MessageParser::State MessageParser::feed(std::string_view bytes, std::size_t& used, Sink& sink) {
  Impl& self = *impl_;
  used = 0;
  if (self.state != State::open) return self.state;
  const std::size_t kept = self.rest.size();
  const std::string joined = kept > 0 ? self.rest + std::string(bytes) : std::string();
  std::string_view left = kept > 0 ? std::string_view(joined) : bytes;
  self.rest.clear();
  const std::size_t offered = left.size();
  while (!left.empty()) {
    self.message->sink = &sink;
    error_code error;
    const std::size_t taken = self.message->put(left, error);
    left.remove_prefix(taken);
    if (error && error != http::error::need_more) {
      self.error = error.message();
      self.refusal = error == http::error::header_limit ? 431 : 400;
      return self.state = State::failed;
    }
    if (self.message->is_done()) {
      const int status = self.message->head.status;
      if (status >= 100 && status < 200 && status != 101) {  // interim: the real response follows
        self.restart();
        continue;
      }
      used = offered - left.size() - kept;
      return self.state = State::complete;
    }
    if (error == http::error::need_more || taken == 0) break;
  }
  used = bytes.size();
  self.rest = left;
  return self.state;
}

MessageParser::State MessageParser::finish() {
  Impl& self = *impl_;
  if (self.state != State::open) return self.state;
  error_code error;
  if (self.message->got_some()) self.message->put_eof(error);
  const bool is_complete = self.message->got_some() && !error && self.message->is_done() && self.rest.empty();
  if (!is_complete) self.error = error ? error.message() : "closed early";
  return self.state = is_complete ? State::complete : State::failed;
}

}  // namespace scoville::wire
