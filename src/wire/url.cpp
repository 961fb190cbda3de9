#include "wire/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

using text::Msg;
using text::say;

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

Error bad(std::string_view text, std::string reason) {
  return {ErrorCode::invalid_argument, say(Msg::url_bad, text, reason)};
}

bool is_version_segment(std::string_view segment) {
  return segment.size() >= 2 && segment[0] == 'v' && std::isdigit(static_cast<unsigned char>(segment[1])) &&
         std::all_of(segment.begin() + 1, segment.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

std::string_view last_segment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Result<Url> parse_unix(std::string_view whole, std::string_view rest) {
  Url url;
  url.host = "localhost";
  url.port = 80;
  const std::size_t colon = rest.find(":/");
  url.unix_path = std::string(rest.substr(0, colon));
  if (colon != std::string_view::npos) url.path = std::string(rest.substr(colon + 1));
  if (url.unix_path.size() < 2 || url.unix_path[0] != '/') return bad(whole, say(Msg::url_unix_form));
  if (url.unix_path.size() > 107) return bad(whole, say(Msg::url_unix_long));
  return url;
}

}  // namespace

std::string Url::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (is_tls ? 443 : 80) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::to_string() const {
  if (!unix_path.empty()) return fmt::format("unix://{}{}{}", unix_path, path.empty() ? "" : ":", path);
  return fmt::format("{}://{}{}", is_tls ? "https" : "http", authority(), path);
}

Url Url::with_path(std::string new_path) const {
  Url copy = *this;
  copy.path = std::move(new_path);
  return copy;
}

Result<Url> parse_url(std::string_view text) {
  std::string_view rest = text;
  if (take_prefix(rest, "http+unix://") || take_prefix(rest, "unix://")) return parse_unix(text, rest);
  Url url;
  if (take_prefix(rest, "https://")) {
    url.is_tls = true;
  } else if (!take_prefix(rest, "http://") && rest.find("://") != std::string_view::npos) {
    return bad(text, say(Msg::url_scheme));
  }
  url.port = url.is_tls ? 443 : 80;
  for (const char c : rest) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) return bad(text, say(Msg::url_blank));
  }
  const std::size_t slash = rest.find_first_of("/?#");
  std::string_view authority = rest.substr(0, slash);
  if (slash != std::string_view::npos) url.path = std::string(rest.substr(slash, rest.find('#') - slash));
  if (!url.path.empty() && url.path[0] != '/') url.path.insert(0, 1, '/');
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    return bad(text, say(Msg::url_userinfo));  // a key in a URL ends up in reports
  }
  std::string_view port;
  if (take_prefix(authority, "[")) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return bad(text, say(Msg::url_bracket));
    url.host = std::string(authority.substr(0, close));
    port = authority.substr(close + 1);
  } else {
    const std::size_t colon = authority.find(':');
    url.host = std::string(authority.substr(0, colon));
    port = colon == std::string_view::npos ? std::string_view() : authority.substr(colon);
    if (port.find(':', 1) != std::string_view::npos) return bad(text, say(Msg::url_bracket));
  }
  if (url.host.empty()) return bad(text, say(Msg::url_host));
  if (!port.empty()) {
    unsigned number = 0;
    const char* last = port.data() + port.size();
    const auto [end, error] = std::from_chars(port.data() + 1, last, number);
    if (port[0] != ':' || error != std::errc() || end != last || number == 0 || number > 65535) {
      return bad(text, say(Msg::url_port));
    }
    url.port = static_cast<std::uint16_t>(number);
  }
  return url;
}

Result<Url> resolve_location(const Url& base, std::string_view location) {
  if (location.find("://") != std::string_view::npos) return parse_url(location);
  if (location.starts_with("//")) return parse_url((base.is_tls ? "https:" : "http:") + std::string(location));
  if (location.starts_with("/")) return base.with_path(std::string(location));
  if (location.empty()) return bad(location, say(Msg::url_host));
  return base.with_path(base.path.substr(0, base.path.rfind('/') + 1) + std::string(location));
}

Url join_api_path(const Url& base, std::string_view api_path) {
  std::string stem = base.path;
  std::string query;
  if (const std::size_t mark = stem.find('?'); mark != std::string::npos) {
    query = stem.substr(mark);
    stem.resize(mark);
  }
  while (stem.ends_with('/')) stem.pop_back();
  std::string_view path = api_path;
  const std::string_view first = path.substr(1, path.find('/', 1) - 1);  // "v1" of "/v1/chat/completions"
  const std::string_view behind_version = is_version_segment(first) ? path.substr(1 + first.size()) : path;
  if (stem.ends_with(behind_version)) return base.with_path(stem + query);
  if (is_version_segment(last_segment(stem))) {
    if (is_version_segment(first)) {
      path = behind_version;
    } else if (last_segment(stem) == "v1") {
      stem.resize(stem.rfind('/'));  // /v1 belongs to the OpenAI dialects alone
    }
  }
  return base.with_path(stem + std::string(path) + query);
}

}  // namespace scoville::wire
