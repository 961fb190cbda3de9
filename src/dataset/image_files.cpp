#include "dataset/image_files.hpp"

#include <openssl/evp.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/json.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

std::string_view media_type_of(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
  return "";
}

Status take_images(JsonlRow& row, const std::string& folder) {
  std::vector<std::string> urls;
  for (const std::string& file : row.image_files) {
    Result<std::string> url = image_url_of((std::filesystem::path(folder) / file).string());
    if (!url) return url.error();
    urls.push_back(std::move(*url));
  }
  row.messages_json = '[' + message_with_images(row.text, urls) + ']';
  row.text.clear();
  return Done{};
}

}  // namespace

std::string data_url(std::string_view media_type, std::string_view bytes) {
  std::string url = "data:" + std::string(media_type) + ";base64,";
  const std::size_t head = url.size();
  const std::size_t length = (bytes.size() + 2) / 3 * 4;
  url.resize(head + length + 1);  // EVP_EncodeBlock writes a zero at the end
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(url.data() + head),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  url.resize(head + length);
  return url;
}

Result<std::string> image_url_of(const std::string& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return std::move(bytes.error()).within(say(Msg::image_unreadable, path));
  const std::string_view type = media_type_of(*bytes);
  if (type.empty()) return Error{ErrorCode::invalid_argument, say(Msg::image_unknown, path)};
  return data_url(type, *bytes);
}

std::string message_with_images(std::string_view text, const std::vector<std::string>& urls) {
  std::size_t size = text.size() + text.size() / 8 + 256;
  for (const std::string& url : urls) size += url.size() + 64;
  std::string message;
  message.reserve(size);
  message = R"({"role":"user","content":[{"type":"text","text":)";
  message += json::serialize(json::string(text));
  message += '}';
  for (const std::string& url : urls) {
    ((message += R"(,{"type":"image_url","image_url":{"url":")") += url) += "\"}}";  // base64 needs no escape
  }
  return message += "]}";
}

void take_images(JsonlRows& rows, const std::string& folder) {
  std::vector<JsonlRow> kept;
  kept.reserve(rows.rows.size());
  for (JsonlRow& row : rows.rows) {
    if (Status taken = row.image_files.empty() ? Status(Done{}) : take_images(row, folder); !taken) {
      rows.bad.push_back({row.line, std::nullopt, std::move(taken.error().message)});
    } else {
      kept.push_back(std::move(row));
    }
  }
  rows.rows = std::move(kept);
}

}  // namespace scoville::dataset
