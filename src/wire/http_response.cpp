#include "wire/http_response.hpp"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <cstring>

namespace scoville::wire {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::uint32_t kLongestHead = 64 * 1024;

std::string_view view(string_view text) { return {text.data(), text.size()}; }

/// Beast's parser, its events passed to a Sink.
class Message final : public http::basic_parser<false> {
 public:
  explicit Message(bool is_head_request) {
    eager(true);
    skip(is_head_request);
    header_limit(kLongestHead);
    body_limit(boost::none);
  }

  ResponseParser::Sink* sink = nullptr;
  int status = 0;
  ResponseHead head;

 private:
  void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}

  void on_response_impl(int code, string_view, int, error_code&) override { status = head.status = code; }

  void on_field_impl(http::field name, string_view, string_view value, error_code&) override {
    if (in_trailer_) return;
    std::string* const field = name == http::field::content_type       ? &head.content_type
                               : name == http::field::content_encoding ? &head.content_encoding
                               : name == http::field::location         ? &head.location
                               : name == http::field::retry_after      ? &head.retry_after
                               : name == http::field::server           ? &head.server
                                                                       : nullptr;
    if (field) field->assign(value.data(), value.size());
  }

  void on_header_impl(error_code&) override {
    in_trailer_ = true;
    head.keep_alive = keep_alive();
    head.is_chunked = chunked();
    if (const auto length = content_length()) head.content_length = *length;
    if (status >= 200 || status == 101) sink->on_head(head);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

  std::size_t on_body_impl(string_view body, error_code&) override {
    sink->on_body(view(body));
    return body.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    if (!body.empty()) sink->on_body(view(body));
    return body.size();
  }

  void on_finish_impl(error_code&) override {}

  bool in_trailer_ = false;
};

}  // namespace

struct ResponseParser::Impl {
  std::optional<Message> message;
  std::string rest;  // the unfinished piece of a head or chunk header
  std::string error;
  bool is_head_request = false;
  bool has_surplus = false;
  State state = State::open;

  void restart() { message.emplace(is_head_request); }

  State fail(const error_code& code) {
    error = code.message();
    return state = State::failed;
  }
};

ResponseParser::ResponseParser() : impl_(std::make_unique<Impl>()) { start(); }
ResponseParser::~ResponseParser() = default;
ResponseParser::ResponseParser(ResponseParser&&) noexcept = default;
ResponseParser& ResponseParser::operator=(ResponseParser&&) noexcept = default;

bool ResponseParser::has_surplus() const { return impl_->has_surplus; }
const std::string& ResponseParser::error() const { return impl_->error; }

void ResponseParser::start(bool is_head_request) {
  impl_->is_head_request = is_head_request;
  impl_->has_surplus = false;
  impl_->state = State::open;
  impl_->rest.clear();
  impl_->error.clear();
  impl_->restart();
}

ResponseParser::State ResponseParser::feed(char* data, std::size_t size, std::size_t headroom, Sink& sink) {
  Impl& self = *impl_;
  if (self.state != State::open) {
    self.has_surplus = self.has_surplus || size > 0;
    return self.state;
  }
  std::string joined;  // only where a head came in pieces longer than the headroom
  if (!self.rest.empty() && self.rest.size() <= headroom) {
    data -= self.rest.size();
    std::memcpy(data, self.rest.data(), self.rest.size());
    size += self.rest.size();
  } else if (!self.rest.empty()) {
    joined = self.rest + std::string(data, size);
    size = joined.size();
    joined.reserve(size + 64);
    data = joined.data();
  }
  self.rest.clear();
  while (size > 0) {
    self.message->sink = &sink;
    // Beast looks at a start line that came in pieces only once the whole head is there; a greeting of another protocol
    // never has one.
    constexpr std::string_view kBegin = "HTTP/";
    if (self.message->status == 0 && !kBegin.starts_with(std::string_view(data, std::min(size, kBegin.size())))) {
      return self.fail(http::error::bad_version);
    }
    error_code code;
    const std::size_t used = self.message->put(boost::asio::const_buffer(data, size), code);
    data += used;
    size -= used;
    if (code && code != http::error::need_more) return self.fail(code);
    if (self.message->is_done()) {
      const int status = self.message->status;
      if (status >= 100 && status < 200 && status != 101) {  // interim: the real response follows
        self.restart();
        continue;
      }
      self.has_surplus = size > 0;
      return self.state = State::complete;
    }
    if (code == http::error::need_more || used == 0) break;
  }
  self.rest.assign(data, size);
  return self.state;
}

ResponseParser::State ResponseParser::finish() {
  Impl& self = *impl_;
  if (self.state != State::open) return self.state;
  error_code code;
  if (self.message->got_some()) self.message->put_eof(code);
  const bool is_complete = self.message->got_some() && !code && self.message->is_done() && self.rest.empty();
  return self.state = is_complete ? State::complete : State::truncated;
}

}  // namespace scoville::wire
