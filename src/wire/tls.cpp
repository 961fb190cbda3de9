#include "wire/tls.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

using text::Msg;
using text::say;

std::string openssl_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code ? ERR_reason_error_string(code) : nullptr;
  ERR_clear_error();
  return reason ? reason : "?";
}

/// The first entry tells why a file could not be read, the last one only that it could not.
Error file_error(const std::string& path) {
  const unsigned long first = ERR_peek_error();
  const bool is_of_system = first != 0 && ERR_SYSTEM_ERROR(first);
  const std::string reason = is_of_system ? std::strerror(ERR_GET_REASON(first)) : openssl_reason();
  ERR_clear_error();
  return {ErrorCode::tls, say(Msg::tls_file, path, reason)};
}

}  // namespace

/// The BIO between OpenSSL and a session: reads from the view that receive() was given, writes to outgoing_.
struct TlsBio {
  static int read(BIO* bio, char* out, std::size_t size, std::size_t* taken) {
    auto* session = static_cast<TlsSession*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    *taken = std::min(size, session->incoming_.size());
    if (*taken == 0) {
      BIO_set_retry_read(bio);
      return 0;
    }
    std::memcpy(out, session->incoming_.data(), *taken);
    session->incoming_.remove_prefix(*taken);
    return 1;
  }

  static int write(BIO* bio, const char* bytes, std::size_t size, std::size_t* taken) {
    static_cast<TlsSession*>(BIO_get_data(bio))->outgoing_.append(bytes, size);
    *taken = size;
    return 1;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static int create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  }

  static const BIO_METHOD* method() {
    static BIO_METHOD* made = [] {
      BIO_METHOD* m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "scoville");
      BIO_meth_set_read_ex(m, &TlsBio::read);
      BIO_meth_set_write_ex(m, &TlsBio::write);
      BIO_meth_set_ctrl(m, &TlsBio::control);
      BIO_meth_set_create(m, &TlsBio::create);
      return m;
    }();
    return made;
  }
};

Result<std::shared_ptr<TlsContext>> TlsContext::make(const TlsOptions& options) {
  std::shared_ptr<TlsContext> made(new TlsContext());
  SSL_CTX* context = SSL_CTX_new(options.is_server ? TLS_server_method() : TLS_client_method());
  if (!context) return Error{ErrorCode::tls, say(Msg::tls_file, "OpenSSL", openssl_reason())};
  made->context_ = context;
  made->verifies_ = options.verify;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);  // HTTP says itself where a body ends
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  if (!options.is_server) SSL_CTX_set_verify(context, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (!options.is_server && options.verify && options.ca_file.empty()) SSL_CTX_set_default_verify_paths(context);
  if (!options.ca_file.empty() && SSL_CTX_load_verify_locations(context, options.ca_file.c_str(), nullptr) != 1) {
    return file_error(options.ca_file);
  }
  const std::string& key = options.key_file.empty() ? options.cert_file : options.key_file;
  if (!options.cert_file.empty() && SSL_CTX_use_certificate_chain_file(context, options.cert_file.c_str()) != 1) {
    return file_error(options.cert_file);
  }
  if (!key.empty() && SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) return file_error(key);
  return made;
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsSession::TlsSession(const TlsContext& context, const std::string& server_name, bool is_server)
    : ssl_(SSL_new(context.raw())) {
  BIO* bio = BIO_new(TlsBio::method());
  BIO_set_data(bio, this);
  SSL_set_bio(ssl_, bio, bio);
  if (is_server) {
    SSL_set_accept_state(ssl_);
    return;
  }
  SSL_set_connect_state(ssl_);
  in6_addr literal{};
  const bool is_address =
      inet_pton(AF_INET, server_name.c_str(), &literal) == 1 || inet_pton(AF_INET6, server_name.c_str(), &literal) == 1;
  if (!is_address) {
    SSL_ctrl(ssl_, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(server_name.c_str()));
  }
  if (!context.verifies()) return;
  X509_VERIFY_PARAM* check = SSL_get0_param(ssl_);
  if (is_address) {
    X509_VERIFY_PARAM_set1_ip_asc(check, server_name.c_str());
  } else {
    X509_VERIFY_PARAM_set1_host(check, server_name.c_str(), server_name.size());
  }
}

TlsSession::~TlsSession() { SSL_free(ssl_); }

TlsSession::State TlsSession::fail(int code) {
  const int reason = SSL_get_error(ssl_, code);
  if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE) return state_;
  if (reason == SSL_ERROR_ZERO_RETURN) return state_ = State::closed;
  const long verified = SSL_get_verify_result(ssl_);
  error_ = verified != X509_V_OK ? X509_verify_cert_error_string(verified) : openssl_reason();
  ERR_clear_error();
  return state_ = State::failed;
}

TlsSession::State TlsSession::handshake() {
  if (state_ != State::handshaking) return state_;
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_);
  return done == 1 ? state_ = State::open : fail(done);
}

TlsSession::State TlsSession::receive(std::string_view cipher, char* plain, std::size_t room, std::size_t& taken) {
  taken = 0;
  if (!cipher.empty()) incoming_ = cipher;
  if (handshake() != State::open) return state_;
  while (taken < room) {
    std::size_t piece = 0;
    ERR_clear_error();
    const int done = SSL_read_ex(ssl_, plain + taken, room - taken, &piece);
    if (done != 1) return fail(done);
    taken += piece;
  }
  return state_;
}

TlsSession::State TlsSession::send(std::string_view plain) {
  std::size_t written = 0;
  ERR_clear_error();
  const int done = SSL_write_ex(ssl_, plain.data(), plain.size(), &written);
  return done == 1 ? state_ : fail(done);
}

}  // namespace scoville::wire
