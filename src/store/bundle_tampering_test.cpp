// What is done to a bundle between its export and its import, by accident or on purpose: each is refused, with the part
// named, and no store is touched by it. Long, because each way to damage one is a case beside the others, on the same
// few helpers.
#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <functional>

#include "record/bytes.hpp"
#include "store/made_store.hpp"

using namespace scoville;
using namespace scoville::store;

namespace {

/// One bundle of one run, and what it is made of.
struct Made {
  MadeFolder folder;
  std::string path = folder.file("x.scov"), other = folder.file("y.scov");
  Unpacked parts;

  Made() {
    RunStore from = made_store(folder.file("a.db"));
    made_run(from, "r1");
    const std::vector<std::string> ids{"r1"};
    REQUIRE(export_bundle(from, ids, path).ok());
    parts = unpacked(path);
  }
  std::string& text(const std::string& name) {
    return std::find_if(parts.begin(), parts.end(), [&](const auto& each) { return each.first == name; })->second;
  }
  std::string fault_of_parts() const {
    pack(other, parts);
    return fault_of(other);
  }
  std::string fault_of_fitting() const {
    pack_fitting(other, parts);
    return fault_of(other);
  }
};

/// An archive with one more entry after its manifest, made by libarchive itself.
void pack_with(const std::string& path, const Unpacked& parts, const std::function<void(archive_entry*)>& shape) {
  std::string tar(1 << 20, '\0');
  std::size_t used = 0;
  archive* const out = archive_write_new();
  archive_write_set_format_pax(out);
  archive_write_open_memory(out, tar.data(), tar.size(), &used);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, parts[i].first.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(parts[i].second.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (i == 1) shape(entry);
    REQUIRE(archive_write_header(out, entry) == ARCHIVE_OK);
    archive_write_data(out, parts[i].second.data(), parts[i].second.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  auto file = NewFile::create(path);
  ZstdWriter zstd(*file);
  REQUIRE(zstd.write(tar.substr(0, used)).ok());
  REQUIRE(zstd.finish().ok());
  REQUIRE(file->publish(NewFile::Existing::replaced).ok());
}

/// Where each part ends in the file that pack() makes.
std::vector<std::size_t> ends_of(const std::string& path, const Unpacked& parts) {
  auto file = NewFile::create(path);
  ZstdWriter zstd(*file);
  TarWriter tar(zstd);
  std::vector<std::size_t> out;
  for (const auto& [name, text] : parts) {
    REQUIRE(tar.begin(name, static_cast<std::int64_t>(text.size()), {}).ok());
    REQUIRE(tar.add(text).ok());
    REQUIRE(tar.end().ok());
    out.push_back(std::filesystem::file_size(file->beside()));
  }
  return out;
}

/// As `zstd` would make them of so many zeros: about a thousandth of it.
std::string packed_zeros(std::size_t size) {
  const std::string zeros(size, '\0');
  std::string out(ZSTD_compressBound(size), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), zeros.data(), size, 1));
  return out;
}

}  // namespace

TEST_CASE("a bundle taken apart and put together again is a bundle") {
  const Made made;
  CHECK(made.fault_of_parts().empty());
  CHECK(made.fault_of_fitting().empty());
}

TEST_CASE("any one byte of the file changed is refused, or means the same; nearly always its part is named") {
  const Made made;
  pack(made.path, made.parts);
  const std::string good = read_file(made.path).value();
  const std::vector<std::size_t> ends = ends_of(made.other, made.parts);
  std::size_t named = 0, harmless = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    REQUIRE(write_file(made.other, bad).ok());
    const std::string fault = fault_of(made.other);
    if (fault.empty()) {  // a bit that zstd does not use
      ++harmless;
      CHECK_MESSAGE(unpacked(made.other) == made.parts, "byte ", i);
    }
    if (i < ends[0]) continue;  // what a changed manifest says may be another part's fault
    const auto part = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin());
    named += part == made.parts.size() ? says(fault, "after its last part")
                                       : says(fault, "part " + made.parts[part].first + ":");
  }
  CHECK(named > (good.size() - ends[0]) * 9 / 10);
  CHECK(harmless < good.size() / 50);
}

TEST_CASE("a file cut off anywhere is refused; what was being read is named") {
  const Made made;
  const std::string good = read_file(made.path).value();
  for (std::size_t size = 0; size < good.size(); ++size) {
    REQUIRE(write_file(made.other, good.substr(0, size)).ok());
    const std::string fault = fault_of(made.other);
    CHECK_MESSAGE(!fault.empty(), "size ", size);
    if (size > 20) CHECK_MESSAGE((says(fault, "part ") || says(fault, "after its last part")), fault);
  }
  REQUIRE(write_file(made.other, good + "x").ok());
  CHECK(says(fault_of(made.other), "something follows"));
}

TEST_CASE("a part that was changed is named, whichever it is") {
  const Made made;
  for (std::size_t i = 1; i < made.parts.size(); ++i) {
    Unpacked parts = made.parts;
    std::string& text = parts[i].second;
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
    pack(made.other, parts);
    const std::string fault = fault_of(made.other);
    CHECK_MESSAGE(says(fault, "part " + parts[i].first + ": its SHA-256"), fault);
    text.pop_back();
    pack(made.other, parts);
    CHECK(says(fault_of(made.other), "part " + parts[i].first + ": it is not of the size"));
  }
}

TEST_CASE("a part that is missing, added, there twice, renamed or out of its order is named") {
  const Made made;
  for (std::size_t i = 1; i < made.parts.size(); ++i) {
    const std::string name = "part " + made.parts[i].first;
    Unpacked parts = made.parts;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    pack(made.other, parts);
    CHECK(says(fault_of(made.other), name + ": it is missing"));

    parts = made.parts;
    parts.push_back(made.parts[i]);
    pack(made.other, parts);
    CHECK(says(fault_of(made.other), name + ": it is there twice"));

    parts = made.parts;
    parts[i].first += "x";
    pack(made.other, parts);
    CHECK(says(fault_of(made.other), name + "x: no bundle has such a part"));
  }
  Unpacked parts = made.parts;
  parts.push_back({"more.txt", "x"});
  pack(made.other, parts);
  CHECK(says(fault_of(made.other), "part more.txt: no bundle has"));
  parts = made.parts;
  std::swap(parts[1], parts[2]);
  pack(made.other, parts);
  CHECK(says(fault_of(made.other), "part " + made.parts[1].first + ": it is missing"));
  pack_fitting(made.other, parts);
  CHECK(says(fault_of(made.other), "out of its order"));
  parts = made.parts;
  parts.push_back(parts[0]);
  pack(made.other, parts);
  CHECK(says(fault_of(made.other), "part manifest.json: it is there twice"));
}

TEST_CASE("names that lead elsewhere are no parts, with a manifest that fits or without") {
  const Made made;
  for (const char* name :
       {"../x", "/etc/passwd", "runs/../../x", "runs/r1/../../../x", "runs//plan.json",
        "runs/r1/documents/../plan.json", "runs/r1/documents/.json", "runs/r1/documents/a/b.json", "runs/.r/plan.json",
        "runs/r1/", "runs/r1", "runs/r1/documents/origin.json", "", "runs/r1\\plan.json", "./runs/r1/plan.json"}) {
    Unpacked parts = made.parts;
    parts.push_back({name, "{}"});
    if (*name) {
      pack(made.other, parts);
      CHECK_MESSAGE(says(fault_of(made.other), "no bundle has such a part"), name);
    }
    json::value manifest = json::parse(parts[0].second);
    manifest.as_object()["parts"].as_array().push_back({{"path", name}, {"bytes", 2}, {"sha256", sha256("{}")}});
    parts = made.parts;
    parts[0].second = pretty(manifest);
    pack(made.other, parts);
    CHECK_MESSAGE(says(fault_of(made.other), "no bundle has such a part"), name);
  }
}

TEST_CASE("links, folders, devices and files with holes are no parts") {
  const Made made;
  const std::vector<std::function<void(archive_entry*)>> shapes{
      [](archive_entry* entry) {
        archive_entry_set_filetype(entry, AE_IFLNK);
        archive_entry_set_symlink(entry, "/etc/passwd");
      },
      [](archive_entry* entry) { archive_entry_set_hardlink(entry, "manifest.json"); },
      [](archive_entry* entry) { archive_entry_set_filetype(entry, AE_IFCHR); },
      [](archive_entry* entry) { archive_entry_set_filetype(entry, AE_IFIFO); },
      [](archive_entry* entry) { archive_entry_sparse_add_entry(entry, 4, 4); }};
  for (const auto& shape : shapes) {
    pack_with(made.other, made.parts, shape);
    const std::string fault = fault_of(made.other);
    CHECK_MESSAGE(says(fault, "part runs/r1/documents/manifest.json: it is no plain file"), fault);
  }
  pack_with(made.other, made.parts, [](archive_entry* entry) { archive_entry_set_filetype(entry, AE_IFDIR); });
  CHECK_FALSE(fault_of(made.other).empty());  // libarchive ends its name with a slash
  pack_with(made.other, made.parts, [](archive_entry*) {});
  CHECK(fault_of(made.other).empty());  // and without any of it, it is a bundle
}

TEST_CASE("what was hidden behind the end of the archive is found") {
  const Made made;
  auto in = ZstdReader::open(made.path, std::uint64_t{1} << 30);
  std::string tar;
  for (auto piece = (*in)->read(); piece.ok() && !piece->empty(); piece = (*in)->read()) tar += *piece;
  for (const std::size_t zeros : {0, 10'000, 1'000'000}) {
    auto file = NewFile::create(made.other);
    ZstdWriter zstd(*file);
    REQUIRE(zstd.write(tar).ok());
    REQUIRE(zstd.write(std::string(zeros, '\0')).ok());
    REQUIRE(zstd.write("#!/bin/sh").ok());
    REQUIRE(zstd.finish().ok());
    REQUIRE(file->publish(NewFile::Existing::replaced).ok());
    CHECK(says(fault_of(made.other), "something follows"));
  }
}

TEST_CASE("what is no bundle is told so") {
  const MadeFolder folder;
  const std::string path = folder.file("x");
  for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'x'), packed_zeros(100'000)}) {
    REQUIRE(write_file(path, text).ok());
    CHECK(says(fault_of(path), "not a bundle"));
  }
  pack(path, {{"readme.txt", "x"}});
  CHECK(says(fault_of(path), "not a bundle"));
  CHECK(says(fault_of(folder.path()), "no regular file"));
  CHECK(says(fault_of("/dev/zero"), "no regular file"));
  CHECK(says(fault_of(folder.file("none")), "No such file"));
}

TEST_CASE("a manifest that does not fit is refused before anything after it is read") {
  const Made made;
  const auto with = [&](const std::function<void(json::object&)>& change) {
    json::value manifest = json::parse(made.parts[0].second);
    change(manifest.as_object());
    Unpacked parts = made.parts;
    parts[0].second = pretty(manifest);
    pack(made.other, parts);
    return fault_of(made.other);
  };
  const auto run = [](json::object& manifest) -> json::object& { return manifest["runs"].as_array()[0].as_object(); };
  const auto part = [](json::object& manifest) -> json::object& { return manifest["parts"].as_array()[0].as_object(); };
  CHECK(with([](json::object&) {}).empty());
  CHECK(says(with([](json::object& m) { m["schema"] = "scoville.bundle/2"; }), "scoville.bundle/2"));
  CHECK(says(with([](json::object& m) { m.erase("schema"); }), "schema"));
  CHECK(says(with([](json::object& m) { m["runs"] = json::array(); }), "runs"));
  CHECK(says(with([](json::object& m) { m["parts"] = 5; }), "parts"));
  CHECK(says(with([&](json::object& m) { run(m)["status"] = "running"; }), "status"));
  CHECK(says(with([&](json::object& m) { run(m)["status"] = "well"; }), "status"));
  CHECK(says(with([&](json::object& m) { run(m)["id"] = "../r1"; }), "id"));
  CHECK(says(with([&](json::object& m) { run(m)["id"] = "r2"; }), "order"));
  CHECK(says(with([&](json::object& m) { run(m)["set"] = "s9"; }), "set"));
  CHECK(says(with([&](json::object& m) { run(m)["tag"] = "\x1b[2J"; }), "tag"));
  CHECK(says(with([&](json::object& m) { run(m)["requests"] = -1; }), "holds"));
  CHECK(says(with([&](json::object& m) { m["runs"].as_array().push_back(run(m)); }), "id"));
  CHECK(says(with([&](json::object& m) { run(m)["holds"].as_object()["requests"] = 5; }), "run r1"));
  CHECK(says(with([&](json::object& m) { part(m)["sha256"] = "xyz"; }), "SHA-256"));
  CHECK(says(with([&](json::object& m) { part(m)["bytes"] = -1; }), "size"));
  CHECK(says(with([&](json::object& m) { part(m)["bytes"] = std::int64_t{1} << 40; }), "larger than"));
  CHECK(says(with([&](json::object& m) { m["parts"].as_array().push_back(part(m)); }), "order"));
  Unpacked parts = made.parts;
  parts[0].second = "{";
  pack(made.other, parts);
  CHECK(says(fault_of(made.other), "manifest.json"));
  parts[0].second = std::string(20 << 20, ' ');
  pack(made.other, parts);
  CHECK(says(fault_of(made.other), "manifest.json: it is larger"));
}

TEST_CASE("parts whose hashes fit and whose contents do not are refused") {
  const std::string blocks = "runs/r1/blocks.bin", answers = "runs/r1/answers.jsonl";
  const auto with = [](const std::string& name, const std::function<void(std::string&)>& change) {
    Made made;
    change(made.text(name));
    const std::string fault = made.fault_of_fitting();
    CHECK_MESSAGE(says(fault, "part " + name), fault);
    return fault;
  };
  CHECK(says(with(blocks, [](std::string& text) { text[1] = 9; }), "as many requests"));  // of the first block
  CHECK(says(with(blocks, [](std::string& text) { text[2] = 9; }), "as many requests"));  // its events
  CHECK(says(with(blocks, [](std::string& text) { text[10] ^= 1; }), "cannot be read"));  // within its heads
  CHECK(says(with(blocks, [](std::string& text) { text.pop_back(); }), "ends within"));
  CHECK(says(with(blocks, [](std::string& text) { text += text; }), "cannot be read"));  // numbers that come again
  CHECK(says(with(answers, [](std::string& text) { text.pop_back(); }), "ends within"));
  CHECK(says(with(answers, [](std::string& text) { text += text; }), "cannot be read"));
  CHECK(says(with(answers, [](std::string& text) { text.insert(text.find("\"body\""), " "); }), "cannot be read"));
  CHECK(says(with(answers, [](std::string& text) { text.insert(text.find("}\n"), ",\"x\":1"); }), "cannot be read"));
  CHECK(says(with("runs/r1/documents/outcome.json", [](std::string& text) { text += "}"; }), "not JSON"));
  CHECK(says(with("runs/r1/plan.json", [](std::string& text) { text.replace(text.find("2.5"), 3, "250"); }),
             "own manifest"));
  CHECK(says(with("runs/r1/fingerprint.json", [](std::string& text) { text = "{}"; }), "own manifest"));
}

TEST_CASE("a run without its own manifest is refused, and so is one with a block too few") {
  Made made;
  Unpacked parts = made.parts;
  std::erase_if(parts, [](const auto& each) { return each.first.ends_with("/manifest.json"); });
  std::erase_if(parts, [](const auto& each) {
    return each.first.ends_with("plan.json") || each.first.ends_with("fingerprint.json");
  });
  pack_fitting(made.other, parts);
  CHECK(says(fault_of(made.other), "documents/manifest.json"));
  parts = made.parts;
  std::erase_if(parts, [](const auto& each) { return each.first.ends_with("blocks.bin"); });
  pack_fitting(made.other, parts);
  CHECK(says(fault_of(made.other), "run r1: its parts do not hold as many"));
}

TEST_CASE("limits hold against a bundle that unpacks to more, and against one that lies about it") {
  Made made;
  BundleLimits small;
  small.unpacked = 500;
  CHECK(says(fault_of(made.path, small), "--max-bytes"));

  // A document of 40 MB of zeros is 40 kB in the file; as it is named, it is within every limit.
  made.text("runs/r1/documents/outcome.json") = std::string(40 << 20, ' ') + "{}";
  pack_fitting(made.other, made.parts);
  CHECK(std::filesystem::file_size(made.other) < 100'000);
  CHECK(fault_of(made.other).empty());
  small.unpacked = 10 << 20;
  CHECK(says(fault_of(made.other, small), "--max-bytes"));
  small = {};
  small.document = 1 << 20;
  CHECK(says(fault_of(made.other, small), "outcome.json: it is larger"));
  small = {};
  small.parts = 3;
  CHECK(says(fault_of(made.other, small), "more than 3 parts"));

  // Zeros that no manifest names are not unpacked to their end.
  BundleLimits tight;
  tight.unpacked = tight.manifest = 1 << 20;
  tight.parts = 10;
  auto in = ZstdReader::open(made.path, std::uint64_t{1} << 30);
  std::string tar;
  for (auto piece = (*in)->read(); piece.ok() && !piece->empty(); piece = (*in)->read()) tar += *piece;
  auto file = NewFile::create(made.other);
  ZstdWriter zstd(*file);
  REQUIRE(zstd.write(tar).ok());
  REQUIRE(zstd.write(std::string(8 << 20, '\0')).ok());
  REQUIRE(zstd.finish().ok());
  REQUIRE(file->publish(NewFile::Existing::replaced).ok());
  CHECK(says(fault_of(made.other, tight), "unpacks to more"));
}

TEST_CASE("a block that would unpack to more than any block does is not unpacked") {
  Made made;
  record::ByteWriter frame;
  for (const std::uint64_t number : {1, 3, 3}) frame.number(number);
  frame.text(packed_zeros(std::size_t{300} << 20));
  frame.text(made_block(0, 3).tokens);
  made.text("runs/r1/blocks.bin") = frame.bytes();
  CHECK(says(made.fault_of_fitting(), "blocks.bin: it is larger"));

  record::ByteWriter many;  // each is allowed, all together are not
  for (std::uint64_t i = 1; i <= 3; ++i) {
    for (const std::uint64_t number : {i, std::uint64_t{0}, std::uint64_t{0}}) many.number(number);
    many.text(packed_zeros(1 << 20));
    many.text(packed_zeros(1 << 20));
  }
  made.text("runs/r1/blocks.bin") = many.bytes();
  pack_fitting(made.other, made.parts);
  BundleLimits small;
  small.unpacked = 1 << 20;
  CHECK(says(fault_of(made.other, small), "--max-bytes"));
}

TEST_CASE("a refused bundle leaves the store as it was") {
  Made made;
  RunStore to = made_store(made.folder.file("b.db"));
  made_run(to, "mine");
  const auto before = to.runs()->size();
  made.text("runs/r1/answers.jsonl")[5] ^= 1;  // the last part: all before it is good
  pack(made.other, made.parts);
  CHECK_FALSE(import_bundle(to, made.other).ok());
  CHECK(to.runs()->size() == before);
  CHECK_FALSE(to.find("r1").ok());
}

TEST_CASE("a bundle that is changed between its check and its import is refused") {
  Made made;
  const auto verified = verify_bundle(made.path);
  REQUIRE(verified.ok());
  RunStore to = made_store(made.folder.file("b.db"));
  const std::string good = read_file(made.path).value();
  made.text("runs/r1/documents/outcome.json") = "{\"end_ns\":6}";
  pack_fitting(made.path, made.parts);
  auto refused = import_bundle(to, *verified);
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "changed while"));
  pack(made.path, made.parts);  // the old manifest and the new document
  refused = import_bundle(to, *verified);
  REQUIRE_FALSE(refused.ok());
  CHECK(says(refused.error().message, "outcome.json"));
  CHECK(to.runs()->empty());
  REQUIRE(write_file(made.path, good).ok());
  CHECK(import_bundle(to, *verified)->imported.size() == 1);
}
