#include "wire/http_request.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/status.hpp>
#include <optional>

namespace scoville::wire {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::uint32_t kLongestHead = 64 * 1024;
/// What a JSON parser may read behind the end: room for it, so that the body need not be copied.
constexpr std::size_t kPadding = 64;

/// Beast's parser, keeping what a server asks for.
class Message final : public http::basic_parser<true> {
 public:
  explicit Message(std::size_t longest_body) : longest_body_(longest_body) {
    eager(true);
    header_limit(kLongestHead);
    body_limit(longest_body);
  }

  RequestHead head;
  std::string body;

 private:
  void on_request_impl(http::verb, string_view method, string_view target, int, error_code&) override {
    head.method.assign(method.data(), method.size());
    head.target.assign(target.data(), target.size());
  }

  void on_response_impl(int, string_view, int, error_code&) override {}

  void on_field_impl(http::field name, string_view, string_view value, error_code&) override {
    if (name == http::field::expect) head.expects_continue = boost::beast::iequals(value, "100-continue");
  }

  void on_header_impl(error_code&) override { head.keep_alive = keep_alive(); }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    if (length && *length <= longest_body_) body.reserve(static_cast<std::size_t>(*length) + kPadding);
  }

  std::size_t on_body_impl(string_view bytes, error_code&) override {
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) override {
    return on_body_impl(bytes, error);
  }

  void on_finish_impl(error_code&) override {}

  std::size_t longest_body_;
};

int refusal_of(const error_code& error) {
  if (error == http::error::body_limit) return 413;
  return error == http::error::header_limit ? 431 : 400;
}

}  // namespace

struct RequestParser::Impl {
  std::size_t longest_body;
  std::optional<Message> message;
  std::string rest;  // the unfinished piece of a head or chunk header
  State state = State::open;
  int refusal = 0;
  bool expectation_taken = false;
};

RequestParser::RequestParser(std::size_t longest_body) : impl_(std::make_unique<Impl>()) {
  impl_->longest_body = longest_body;
  start();
}

RequestParser::~RequestParser() = default;

const RequestHead& RequestParser::head() const { return impl_->message->head; }
std::string& RequestParser::body() { return impl_->message->body; }
int RequestParser::refusal() const { return impl_->refusal; }

bool RequestParser::is_amid() const {
  return impl_->state == State::open && (impl_->message->got_some() || !impl_->rest.empty());
}

bool RequestParser::take_expectation() {
  Impl& self = *impl_;
  const bool waits = self.state == State::open && self.message->is_header_done() &&
                     self.message->head.expects_continue && self.message->body.empty() && !self.expectation_taken;
  if (waits) self.expectation_taken = true;
  return waits;
}

void RequestParser::start() {
  impl_->message.emplace(impl_->longest_body);
  impl_->state = State::open;
  impl_->rest = std::string();
  impl_->expectation_taken = false;
}

RequestParser::State RequestParser::feed(std::string_view bytes, std::size_t& used) {
  Impl& self = *impl_;
  used = 0;
  if (self.state != State::open) return self.state;
  const std::size_t kept = self.rest.size();
  std::string joined;
  std::string_view left = bytes;
  if (kept > 0) {
    joined = std::move(self.rest);
    joined.append(bytes);
    left = joined;
  }
  self.rest = std::string();
  const std::size_t offered = left.size();
  while (!left.empty()) {
    error_code error;
    const std::size_t taken = self.message->put(boost::asio::const_buffer(left.data(), left.size()), error);
    left.remove_prefix(taken);
    if (error && error != http::error::need_more) {
      self.refusal = refusal_of(error);
      return self.state = State::failed;
    }
    if (self.message->is_done()) {
      used = offered - left.size() - kept;
      return self.state = State::complete;
    }
    if (error == http::error::need_more || taken == 0) break;
  }
  used = bytes.size();
  self.rest = left;
  return self.state;
}

std::string_view reason_phrase(int status) {
  const auto phrase = http::obsolete_reason(static_cast<http::status>(status));
  return {phrase.data(), phrase.size()};
}

}  // namespace scoville::wire
