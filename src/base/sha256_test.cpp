#include "base/sha256.hpp"

#include <doctest/doctest.h>

using namespace scoville;

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("bytes added in pieces give the digest of the whole") {
  Sha256 hash;
  hash.add("a");
  hash.add("bc");
  CHECK(hash.finish() == sha256("abc"));
}
