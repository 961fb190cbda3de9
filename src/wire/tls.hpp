#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

struct ssl_st;
struct ssl_ctx_st;

namespace scoville::wire {

struct TlsOptions {
  bool verify = true;
  std::string ca_file;              ///< PEM; empty: the system's certificates
  std::string cert_file, key_file;  ///< client certificate, or the server's own
  bool is_server = false;
};

/// Settings and certificates, shared by all connections of a run.
class TlsContext {
 public:
  /// Errors name the file that could not be used and OpenSSL's reason.
  static Result<std::shared_ptr<TlsContext>> make(const TlsOptions& options);
  ~TlsContext();

  ssl_ctx_st* raw() const { return context_; }
  bool verifies() const { return verifies_; }

 private:
  TlsContext() = default;
  ssl_ctx_st* context_ = nullptr;
  bool verifies_ = true;
};

/// TLS over bytes that somebody else reads and writes: the caller's recvmsg keeps its kernel stamps.
///
/// Nothing is buffered here but a partial record: ciphertext is read from the caller's view in place, and OpenSSL
/// releases its own buffers when they are empty, so an idle connection costs little (docs/overhead.md).
class TlsSession {
 public:
  enum class State { handshaking, open, closed, failed };

  /// `server_name`: for SNI and for the check of the certificate (name or literal address).
  TlsSession(const TlsContext& context, const std::string& server_name, bool is_server);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Takes all of `cipher`; plaintext goes to `plain` (at most `room` bytes; `taken` says how many). What does not fit
  /// stays inside and comes with the next call. Answers to the peer are appended to outgoing().
  State receive(std::string_view cipher, char* plain, std::size_t room, std::size_t& taken);

  /// Begins or goes on with the handshake without new bytes.
  State handshake();

  /// Encrypts and appends to outgoing().
  State send(std::string_view plain);

  /// Ciphertext that waits to be written; the caller clears what it wrote.
  std::string& outgoing() { return outgoing_; }

  State state() const { return state_; }
  /// Why the state is failed, in OpenSSL's words.
  const std::string& error() const { return error_; }

 private:
  friend struct TlsBio;
  State fail(int code);

  ssl_st* ssl_ = nullptr;
  std::string_view incoming_;
  std::string outgoing_, error_;
  State state_ = State::handshaking;
};

}  // namespace scoville::wire
