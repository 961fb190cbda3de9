#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville {

/// A child process of ours. It does not outlive its Child: the destructor ends it.
class Child {
 public:
  /// Starts `program` (a path) with these arguments; standard input and output are /dev/null, standard error is ours.
  static Result<Child> start(const std::string& program, const std::vector<std::string>& arguments);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  bool is_running();
  /// TERM, then KILL after `grace`.
  void stop(Nanos grace);

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
};

}  // namespace scoville
