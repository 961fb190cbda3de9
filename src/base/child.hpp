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
  /// The same, its standard output and error our own.
  static Result<Child> start_shown(const std::string& program, const std::vector<std::string>& arguments);
  /// The same, its standard output and error into these files, made or emptied.
  static Result<Child> start_into(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::string& output, const std::string& errors);
  /// The same, only its standard output into a file.
  static Result<Child> start_keeping(const std::string& program, const std::vector<std::string>& arguments,
                                     const std::string& output);

  /// The same with pipes: `to` is ours to write to its standard input, `from` to read its output. Both close on exec.
  static Result<Child> start_talking(const std::string& program, const std::vector<std::string>& arguments, int& to,
                                     int& from);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  bool is_running();
  /// Once it has ended: its exit status, or 128 + the signal that ended it, as a shell says it.
  int status() const { return status_; }
  /// TERM, then KILL after `grace`.
  void stop(Nanos grace);

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
  int status_ = 0;
};

}  // namespace scoville
