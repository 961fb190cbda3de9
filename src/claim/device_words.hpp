#pragma once

#include <string>
#include <string_view>

namespace scoville::claim {

/// The two systems that a sentence sets against each other; both "" where it does not name exactly two, or where the
/// word that compares them is not between them.
struct NamedDevices {
  std::string subject, comparator;
};

NamedDevices devices_in(std::string_view text);

}  // namespace scoville::claim
