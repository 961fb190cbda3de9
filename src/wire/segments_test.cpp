#include "wire/segments.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <string>

#include "wire/fd.hpp"

namespace scoville::wire {
namespace {

/// Two ends of one TCP connection over loopback, both blocking.
struct Pair {
  Fd ours, theirs;

  Pair() {
    const Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    REQUIRE(bind(listener.get(), address, size) == 0);
    REQUIRE(listen(listener.get(), 1) == 0);
    REQUIRE(getsockname(listener.get(), address, &size) == 0);
    ours = Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(connect(ours.get(), address, size) == 0);
    theirs = Fd(accept(listener.get(), nullptr, nullptr));
    const int on = 1;
    setsockopt(theirs.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  /// One segment; back when so many bytes wait at our end.
  void send(const std::string& bytes, int waiting) {
    REQUIRE(::send(theirs.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    for (int have = 0; have < waiting;) REQUIRE(ioctl(ours.get(), FIONREAD, &have) == 0);
  }
  std::string read(std::size_t most = 100) {
    std::string bytes(most, '\0');
    bytes.resize(static_cast<std::size_t>(recv(ours.get(), bytes.data(), most, 0)));
    return bytes;
  }
};

/// Whether this kernel counts data segments at all; where it does not, every answer is no.
bool kernel_counts() {
  Pair pair;
  SegmentCount count;
  count.restart(pair.ours.get());
  return !count.is_lost();
}

}  // namespace

TEST_CASE("a read of one segment is one, however many reads there were before it") {
  if (!kernel_counts()) return;
  Pair pair;
  SegmentCount count;
  count.restart(pair.ours.get());
  for (int i = 0; i < 3; ++i) {
    pair.send("two events", 10);
    CHECK(pair.read() == "two events");
    count.count_read(false);
    CHECK(count.is_one_each(pair.ours.get()));
    CHECK(count.is_one_each(pair.ours.get()));
  }
  CHECK_FALSE(count.is_lost());
}

TEST_CASE("a read that two segments were merged into is not one, nor is any after it until the count begins anew") {
  if (!kernel_counts()) return;
  Pair pair;
  SegmentCount count;
  count.restart(pair.ours.get());
  pair.send("one", 3);
  pair.send("two", 6);
  CHECK(pair.read() == "onetwo");
  count.count_read(false);
  CHECK_FALSE(count.is_one_each(pair.ours.get()));
  CHECK(count.is_lost());
  pair.send("three", 5);
  pair.read();
  count.count_read(false);
  CHECK_FALSE(count.is_one_each(pair.ours.get()));
  count.restart(pair.ours.get());
  pair.send("four", 4);
  pair.read();
  count.count_read(false);
  CHECK(count.is_one_each(pair.ours.get()));
}

TEST_CASE("a segment that still waits makes the answer no") {
  if (!kernel_counts()) return;
  Pair pair;
  SegmentCount count;
  count.restart(pair.ours.get());
  pair.send("one", 3);
  pair.read();
  count.count_read(false);
  pair.send("two", 3);
  CHECK_FALSE(count.is_one_each(pair.ours.get()));
}

TEST_CASE("a count does not begin on a socket that is not drained, where the next merge would look like one segment") {
  Pair pair;
  SegmentCount count;
  pair.send("left", 4);
  count.restart(pair.ours.get());
  CHECK(count.is_lost());
  pair.send("over", 8);
  pair.read();
  count.count_read(false);
  CHECK_FALSE(count.is_one_each(pair.ours.get()));
}

TEST_CASE("a read without room for all may cut a segment in two, and ends the count") {
  Pair pair;
  SegmentCount count;
  count.restart(pair.ours.get());
  pair.send("four", 4);
  CHECK(pair.read(2) == "fo");
  count.count_read(true);
  CHECK(count.is_lost());
  CHECK_FALSE(count.is_one_each(pair.ours.get()));
}

TEST_CASE("what is no TCP socket has no segments") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const Fd one(ends[0]), other(ends[1]);
  SegmentCount count;
  count.restart(one.get());
  CHECK(count.is_lost());
}

}  // namespace scoville::wire
