#include "numerics/safetensors.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>

#include "base/file.hpp"

namespace scoville::numerics {
namespace {

/// A path of this test process, removed at the end.
struct Place {
  std::string path = (std::filesystem::temp_directory_path() / ("scoville_st_" + std::to_string(getpid()))).string();
  ~Place() { std::filesystem::remove(path); }
};

std::string file_with(const std::string& header, const std::string& data, std::uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string fault_of(const std::string& content) {
  const Place place;
  REQUIRE(write_file(place.path, content));
  const auto opened = SafetensorsFile::open(place.path);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().message.find('\n') == std::string::npos);
  CHECK(opened.error().message.rfind(place.path + ": ", 0) == 0);
  return opened.error().message.substr(place.path.size() + 2);
}

std::string fault_of_header(const std::string& header, const std::string& data = "12345678") {
  return fault_of(file_with(header, data, header.size()));
}

TEST_CASE("a file laid out by hand is read: names, shapes, bytes, metadata") {
  const Place place;
  const std::string header =
      R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"BF16","shape":[1,2],"data_offsets":[8,12]},)"
      R"("__metadata__":{"format":"pt"}})";
  REQUIRE(write_file(place.path, file_with(header, std::string("\0\0\x80\x3f\0\0\0\x40wxyz", 12), header.size())));
  const auto file = SafetensorsFile::open(place.path);
  REQUIRE(file);
  REQUIRE(file->tensors().size() == 2);
  CHECK(file->tensors()[0].name == "a");
  CHECK(file->tensors()[0].shape == std::vector<std::int64_t>{1, 2});
  CHECK(file->metadata().at("format") == "pt");
  std::array<float, 2> values{};
  std::memcpy(values.data(), file->find("b")->bytes.data(), 8);
  CHECK(values == std::array<float, 2>{1.0f, 2.0f});  // 0x3f800000, 0x40000000
  CHECK(file->find("c") == nullptr);
}

TEST_CASE("what is written is read back, with data at a multiple of 8 bytes") {
  const Place place;
  const std::array<float, 3> values{1, -2, 0.5};
  const std::array tensors{StoredTensor{"x.y", "F32", {3}, std::as_bytes(std::span(values))},
                           StoredTensor{"none", "I64", {0, 4}, {}}};
  REQUIRE(write_safetensors(place.path, tensors, {{"made_by", "a test"}}));
  const auto bytes = read_file(place.path);
  REQUIRE(bytes);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes->data(), 8);
  CHECK(length % 8 == 0);
  CHECK(bytes->size() == 8 + length + 12);
  const auto file = SafetensorsFile::open(place.path);
  REQUIRE(file);
  REQUIRE(file->find("x.y"));
  CHECK(std::memcmp(file->find("x.y")->bytes.data(), values.data(), 12) == 0);
  CHECK(file->find("none")->bytes.empty());
  CHECK(file->metadata().at("made_by") == "a test");
}

TEST_CASE("a file that lies about itself is refused in one line") {
  CHECK(fault_of("short") == "no safetensors file: too short, or no regular file");
  CHECK(fault_of(file_with("{}", "", 3)) == "no safetensors file: it gives its header 3 bytes");
  CHECK(fault_of(file_with("{}", "", ~std::uint64_t{0})).find("18446744073709551615") != std::string::npos);
  CHECK(fault_of_header("[]") == "no safetensors file: its header is not a JSON object");
  CHECK(fault_of_header(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})") ==
        "tensor t ends at byte 12 of 8: the file is cut off");
  CHECK(fault_of_header(R"({"t":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})") ==
        "tensor t has 8 bytes, its shape asks for 12");
  CHECK(fault_of_header(R"({"t":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})") ==
        "tensor t has 8 bytes, its shape asks for more than there can be");
  CHECK(fault_of_header(R"({"t":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}})") == "tensor t: unknown dtype Q4");
  CHECK(fault_of_header(R"({"t":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})") ==
        "tensor t: shape: expected whole numbers");
  CHECK(fault_of_header(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})") ==
        "tensor t: data_offsets: expected [begin, end]");
}

}  // namespace
}  // namespace scoville::numerics
