#pragma once

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "environment/command.hpp"

namespace scoville::environment {

/// One question to one program.
struct Inquiry {
  std::string id;                  ///< "nvidia-smi.topo"
  std::vector<std::string> words;  ///< the program and its arguments
};

struct Answer {
  std::string command;  ///< as one would type it, long words cut short
  CommandResult result;
};
using Answers = std::map<std::string, Answer>;

/// All questions at once, a thread each: together they take as long as the slowest one may.
class Interview {
 public:
  Interview(const ToolRunner& tools, const std::vector<Inquiry>& inquiries);
  ~Interview();
  Interview(const Interview&) = delete;
  Interview& operator=(const Interview&) = delete;

  /// Waits for all of them.
  const Answers& answers();

 private:
  Answers answers_;  // every entry is there before the threads start; each writes its own alone
  std::vector<std::thread> threads_;
};

/// Why there is no answer, for a field's source: "nvidia-smi topo -m: timed out after 1 s".
std::string complaint(const Answer& answer, Nanos timeout);

}  // namespace scoville::environment
