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
  enum class Words { ours, nowhere };  ///< where its standard error goes

  /// Starts `program` (a path) with these arguments; its standard input and output are /dev/null.
  static Result<Child> start(const std::string& program, const std::vector<std::string>& arguments,
                             Words words = Words::ours);

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
