#include "wire/self_signed.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

#include "base/file.hpp"

namespace scoville::wire {
namespace {

struct Closer {
  void operator()(BIO* memory) const { BIO_free(memory); }
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

std::string content(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

Status write_self_signed(const std::string& names, const std::string& cert_file, const std::string& key_file) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<X509> cert(X509_new());
  SCOVILLE_CHECK(key && cert, "OpenSSL makes a key");
  X509_set_version(cert.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
  X509_set_pubkey(cert.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(cert.get());
  X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_ASC, reinterpret_cast<const unsigned char*>("scoville"),
                             -1, -1, 0);
  X509_set_issuer_name(cert.get(), subject);
  extend(cert.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(cert.get(), NID_subject_alt_name, names);
  SCOVILLE_CHECK(X509_sign(cert.get(), key.get(), EVP_sha256()) > 0, "OpenSSL signs the certificate");
  const Owned<BIO> cert_pem(BIO_new(BIO_s_mem())), key_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(cert_pem.get(), cert.get());
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  if (Status written = write_file(cert_file, content(cert_pem.get())); !written) return written;
  return write_file(key_file, content(key_pem.get()));
}

}  // namespace scoville::wire
