#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/json.hpp"
#include "dataset/fake_tokenizer.hpp"
#include "dataset/image_files.hpp"
#include "dataset/image_prompts.hpp"
#include "dataset/jsonl.hpp"
#include "dataset/synthetic.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {
namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The content of the chunk of this type; its CRC is checked.
std::string chunk(std::string_view png, std::string_view type) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t length = number_at(png, at);
    const std::string_view body = png.substr(at + 4, length + 4);
    CHECK(number_at(png, at + 8 + length) == crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
    if (body.starts_with(type)) return std::string(body.substr(4));
    at += length + 12;
  }
  FAIL("no chunk");
  return {};
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "scoville-image-test") {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("base64 pads as RFC 4648 has it") {
  CHECK(data_url("image/png", "f") == "data:image/png;base64,Zg==");
  CHECK(data_url("image/png", "foo") == "data:image/png;base64,Zm9v");
  CHECK(data_url("image/png", "foob") == "data:image/png;base64,Zm9vYg==");
}

TEST_CASE("a noise image is a PNG of its size, and no two numbers give the same") {
  const NoiseImages images(5, 3, 1);
  const std::string png = images.png(7);
  CHECK(png.starts_with("\x89PNG\r\n\x1a\n"));
  const std::string head = chunk(png, "IHDR");
  CHECK(number_at(head, 0) == 5);
  CHECK(number_at(head, 4) == 3);
  CHECK(head.substr(8) == std::string("\x08\x02\x00\x00\x00", 5));
  const std::string packed = chunk(png, "IDAT");
  std::string pixels(1000, '\0');
  uLongf size = pixels.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(pixels.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                     packed.size()) == Z_OK);
  CHECK(size == 3 * (1 + 5 * 3));
  CHECK(pixels[0] == 0);
  CHECK(pixels[16] == 0);
  CHECK(chunk(png, "IEND").empty());
  CHECK(images.png(7) == png);
  CHECK(images.png(8) != png);
}

TEST_CASE("images stand behind the text of a chat message, others for each request and for each salt") {
  FakeTokenizer tokenizer(24);
  auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  auto texts = SyntheticPrompts::create(*model, {});
  REQUIRE(texts.ok());
  const std::string text = texts->make(3).text;
  ImageOptions options;
  options.per_request = 2;
  options.width = options.height = 16;
  ImagePrompts prompts(std::make_unique<SyntheticPrompts>(std::move(*texts)), options, 1, 0);
  const Prompt prompt = prompts.make(3);
  CHECK(prompt.text.empty());
  CHECK(prompt.asked_prompt_tokens == 0);
  const json::value messages = json::parse(prompt.messages_json);
  const json::array& parts = messages.at(0).at("content").as_array();
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].at("text").as_string() == text);
  CHECK(parts[1].at("image_url").at("url").as_string().starts_with("data:image/png;base64,iVBORw0KGgo"));
  CHECK(parts[1] != parts[2]);
  CHECK(prompts.make(3).messages_json == prompt.messages_json);
  CHECK(prompts.make(4).hash != prompt.hash);
  const auto hash = prompts.dataset_hash();
  prompts.set_salt(9);
  CHECK(prompts.make(3).messages_json != prompt.messages_json);
  CHECK(prompts.dataset_hash() == hash);
  CHECK(prompts.describe().english.ends_with("; 2 noise images of 16x16 each"));
}

TEST_CASE("image_files are sent with the prompt; a relative path begins beside the file; what is none is named") {
  const Folder folder;
  REQUIRE(write_file(folder.file("a.png"), NoiseImages(2, 2, 1).png(1)).ok());
  REQUIRE(write_file(folder.file("b.jpg"), "\xff\xd8\xff\xe0 and so on").ok());
  REQUIRE(write_file(folder.file("c.txt"), "text").ok());
  JsonlRows rows = parse_jsonl(R"({"prompt":"what is it?","image_files":["a.png","b.jpg"],"output_tokens":5}
{"prompt":"x","image_files":["c.txt"]}
{"prompt":"x","image_files":["none.png"]}
{"prompt":"x","image_files":"a.png"}
{"prompt":"plain"}
{"content":[{"type":"text","text":"as it is"}]}
{"content":"text"})");
  take_images(rows, folder.file(""));
  REQUIRE(rows.rows.size() == 3);
  const json::value messages = json::parse(rows.rows[0].messages_json);
  const json::array& parts = messages.at(0).at("content").as_array();
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].at("text").as_string() == "what is it?");
  CHECK(parts[2].at("image_url").at("url").as_string().starts_with("data:image/jpeg;base64,/9j/"));
  CHECK(rows.rows[2].messages_json == R"([{"role":"user","content":[{"type":"text","text":"as it is"}]}])");
  REQUIRE(rows.bad.size() == 4);
  CHECK(rows.bad[0].line == 4);
  CHECK(rows.bad[0].reason == "\"image_files\" is not a list of paths");
  CHECK(rows.bad[1].reason == "\"content\" is not a list of parts");
  CHECK(rows.bad[2].reason == "image " + folder.file("c.txt") + " is no PNG, JPEG, WebP or GIF");
  CHECK(rows.bad[3].line == 3);

  JsonlOptions options;
  options.api = Api::completions;
  const auto plain = JsonlPrompts::create("f", rows, options);
  REQUIRE(plain.ok());
  CHECK(plain->size() == 2);
  CHECK(plain->make(1).text == "as it is");
  CHECK(plain->bad_lines().back().reason == "images need --dialect openai or openai-responses");
}

}  // namespace scoville::dataset
