#include "environment/redaction.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include "environment/root.hpp"

namespace scoville::environment {
namespace {

constexpr const char* kMask = "(redacted)";

/// Last parts of keys that name one machine only.
constexpr std::array<std::string_view, 9> kIdentities{"hostname", "serial", "uuid", "mac",      "guid",
                                                      "address",  "raw",    "id",   "processes"};

bool is_identity(const event::FingerprintField& field) {
  const std::string_view last = std::string_view(field.key).substr(field.key.rfind('.') + 1);
  return !field.is_comparable && std::find(kIdentities.begin(), kIdentities.end(), last) != kIdentities.end();
}

/// Where people's own words may stand. A version such as 1.13.4.0 looks like an address, so nowhere else.
bool is_free_text(std::string_view key) {
  return key.starts_with("env.") || key.starts_with("topology.") || key == "os.kernel_cmdline";
}

std::string masked(std::string text, const std::string& host) {
  static const std::regex uuid("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");
  static const std::regex mac("([0-9a-fA-F]{2}:){5,}[0-9a-fA-F]{2}");
  static const std::regex ipv4("\\b[0-9]{1,3}(\\.[0-9]{1,3}){3}\\b");
  static const std::regex ipv6("\\b([0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}\\b|\\b([0-9a-fA-F]{1,4}:)+:[0-9a-fA-F:]*");
  for (const std::regex* each : {&uuid, &mac, &ipv4, &ipv6}) text = std::regex_replace(text, *each, kMask);
  for (std::size_t at = 0; host.size() > 2 && (at = text.find(host, at)) != std::string::npos;) {
    text.replace(at, host.size(), kMask);
    at += std::string_view(kMask).size();
  }
  return text;
}

}  // namespace

bool is_secret_variable(std::string_view name) {
  const std::string text = lower(name);
  for (const char* word : {"secret", "token", "api", "access", "pass", "key", "credential"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

std::string without_secrets(std::string_view text) {
  static const std::regex user("://[^/@\\s]*@");
  static const std::regex token("\\b(hf_|sk-|ghp_|glpat-|xox[abp]-)[A-Za-z0-9_-]{8,}");
  const std::string once = std::regex_replace(std::string(text), user, "://***@");
  return std::regex_replace(once, token, "***");
}

event::Fingerprint redacted(const event::Fingerprint& print) {
  const std::string host = print.text("os.hostname");
  event::Fingerprint out;
  for (event::FingerprintField field : print.fields()) {
    if (is_identity(field)) continue;
    if (is_free_text(field.key) && field.value.is_string()) {
      field.value = json::string(masked(std::string(field.value.as_string()), host));
    }
    if (field.status != event::FieldStatus::ok) field.source = masked(std::move(field.source), host);  // a tool's words
    out.set(std::move(field));
  }
  return out;
}

bool is_place_variable(std::string_view name) {
  for (const char* end : {"_PATH", "_HOME", "_DIR", "_CACHE", "_ROOT", "_PRELOAD", "_FILE", "_HOST_IP", "_ADDR"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

}  // namespace scoville::environment
