#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.hpp"

namespace scoville {

enum class ErrorCode {
  invalid_argument,  ///< the user's flag, file or field
  not_found,
  io,  ///< file or socket, none of the others
  dns,
  refused,
  timed_out,
  tls,
  protocol,     ///< the peer does not speak what was expected
  unsupported,  ///< the peer or the kernel cannot do it
  resource,     ///< this process ran out of descriptors, ports or memory
  aborted,
};

/// What went wrong outside, in one line that a person reads. Each layer may put a phrase before it.
struct Error {
  ErrorCode code = ErrorCode::io;
  std::string message;

  Error within(std::string phrase) && {
    message = std::move(phrase) + ": " + message;
    return std::move(*this);
  }
};

/// A value, or the Error that kept it from being. (std::expected is C++23.)
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::move(value)) {}      // NOLINT: return value;
  Result(Error error) : held_(std::move(error)) {}  // NOLINT: return Error{…};

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    SCOVILLE_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(held_);
  }
  const T& value() const& {
    SCOVILLE_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(held_);
  }
  T&& value() && {
    SCOVILLE_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(std::move(held_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() {
    SCOVILLE_CHECK(!ok(), "error() of a good Result");
    return std::get<1>(held_);
  }
  const Error& error() const {
    SCOVILLE_CHECK(!ok(), "error() of a good Result");
    return std::get<1>(held_);
  }

 private:
  std::variant<T, Error> held_;
};

struct Done {};
/// An action that either works or says why not.
using Status = Result<Done>;

}  // namespace scoville
