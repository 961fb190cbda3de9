#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace scoville::launch {

/// For tests: a file of its own that is gone with it.
class MadeFile {
 public:
  MadeFile() {
    char name[] = "/tmp/scoville-launch-XXXXXX";
    const int descriptor = mkstemp(name);
    if (descriptor >= 0) close(descriptor);
    path_ = name;
  }
  MadeFile(const MadeFile&) = delete;
  MadeFile& operator=(const MadeFile&) = delete;
  ~MadeFile() { unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

 private:
  std::string path_;
};

}  // namespace scoville::launch
