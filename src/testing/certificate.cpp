#include "testing/certificate.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "base/check.hpp"
#include "wire/self_signed.hpp"

namespace scoville::testing {

std::string temporary_path(const std::string& suffix) {
  static std::atomic<int> count{0};
  const std::string name = "scoville-test-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix;
  return (std::filesystem::temp_directory_path() / name).string();
}

Certificate::Certificate(const std::string& names)
    : cert_file_(temporary_path(".cert.pem")), key_file_(temporary_path(".key.pem")) {
  SCOVILLE_CHECK(wire::write_self_signed(names, cert_file_, key_file_).ok(), "the temporary folder can be written");
}

Certificate::~Certificate() {
  std::error_code ignored;
  std::filesystem::remove(cert_file_, ignored);
  std::filesystem::remove(key_file_, ignored);
}

}  // namespace scoville::testing
