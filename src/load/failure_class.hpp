#pragma once

#include "base/result.hpp"
#include "event/request_record.hpp"

namespace scoville::load {

/// The class of a request that failed with a connection: by the error's code, `otherwise` where that names no class.
inline event::Failure failure_class(ErrorCode code, event::Failure otherwise) {
  switch (code) {
    case ErrorCode::tls:
      return event::Failure::tls;
    case ErrorCode::resource:
      return event::Failure::client_resource;
    case ErrorCode::dns:
      return event::Failure::dns;
    default:
      return otherwise;
  }
}

}  // namespace scoville::load
