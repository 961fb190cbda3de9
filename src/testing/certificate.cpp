#include "testing/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/check.hpp"

namespace scoville::testing {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* cert) const { X509_free(cert); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
template <class T>
using Owned = std::unique_ptr<T, Closer>;

void extend(X509* cert, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, cert, cert, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  SCOVILLE_CHECK(extension && X509_add_ext(cert, extension.get(), -1) == 1, "OpenSSL takes the extension");
}

}  // namespace

std::string temporary_path(const std::string& suffix) {
  static std::atomic<int> count{0};
  const std::string name = "scoville-test-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix;
  return (std::filesystem::temp_directory_path() / name).string();
}

Certificate::Certificate(const std::string& names)
    : cert_file_(temporary_path(".cert.pem")), key_file_(temporary_path(".key.pem")) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<X509> cert(X509_new());
  X509_set_version(cert.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
  X509_set_pubkey(cert.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(cert.get());
  X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1,
                             -1, 0);
  X509_set_issuer_name(cert.get(), subject);
  extend(cert.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(cert.get(), NID_subject_alt_name, names);
  SCOVILLE_CHECK(X509_sign(cert.get(), key.get(), EVP_sha256()) > 0, "OpenSSL signs the certificate");
  const Owned<std::FILE> cert_out(std::fopen(cert_file_.c_str(), "w")), key_out(std::fopen(key_file_.c_str(), "w"));
  SCOVILLE_CHECK(cert_out && key_out, "the temporary folder can be written");
  PEM_write_X509(cert_out.get(), cert.get());
  PEM_write_PrivateKey(key_out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

Certificate::~Certificate() {
  std::error_code ignored;
  std::filesystem::remove(cert_file_, ignored);
  std::filesystem::remove(key_file_, ignored);
}

}  // namespace scoville::testing
