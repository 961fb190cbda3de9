#pragma once

#include <string>

namespace scoville::testing {

/// A key and a certificate that it signed itself, in PEM files that live as long as this does.
class Certificate {
 public:
  /// `names` as OpenSSL writes alternative names.
  explicit Certificate(const std::string& names = "DNS:localhost,IP:127.0.0.1,IP:::1");
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  const std::string& cert_file() const { return cert_file_; }
  const std::string& key_file() const { return key_file_; }

 private:
  std::string cert_file_, key_file_;
};

/// A path in the system's temporary folder that nothing else uses.
std::string temporary_path(const std::string& suffix);

}  // namespace scoville::testing
