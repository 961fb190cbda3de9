#include "relay/relay.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "testing/answers.hpp"
#include "testing/scripted_peer.hpp"

namespace scoville::relay {
namespace {

using testing::Answer;
using testing::ScriptedPeer;

/// A relay before that peer, in a thread of its own, for as long as this lives.
class Relayed {
 public:
  explicit Relayed(const ScriptedPeer& peer, std::size_t longest_look = 1u << 20) {
    auto target = wire::make_target(wire::parse_url(peer.url()).value(), {});
    REQUIRE(target);
    Relay::Options options;
    options.longest_look = longest_look;
    options.max_clients = 64;
    relay_ = std::make_unique<Relay>(*target, options, [this](Sighting seen) { add(std::move(seen)); });
    REQUIRE(relay_->open());
    thread_ = std::thread([this] { relay_->run(stop_, std::nullopt, [] {}); });
  }
  ~Relayed() { finish(); }

  void finish() {
    stop_ = true;
    relay_->wake();
    if (thread_.joinable()) thread_.join();
  }

  std::uint16_t port() const { return relay_->port(); }

  /// Waits until so many requests are over.
  std::vector<Sighting> sightings(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return seen_.size() >= count; });
    return seen_;
  }
  std::size_t seen_so_far() {
    const std::lock_guard lock(mutex_);
    return seen_.size();
  }

 private:
  void add(Sighting seen) {
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(std::move(seen));
    }
    came_.notify_all();
  }

  std::unique_ptr<Relay> relay_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Sighting> seen_;
};

/// A client that blocks.
class Client {
 public:
  explicit Client(const Relayed& relayed) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(relayed.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }

  void send(std::string_view bytes) {
    REQUIRE(::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  /// Reads until this text is there, or the end; returns all since the last call.
  std::string until(std::string_view text) {
    while (read_.find(text) == std::string::npos) {
      char block[4096];
      const ssize_t n = recv(fd_.get(), block, sizeof block, 0);
      if (n <= 0) break;
      read_.append(block, static_cast<std::size_t>(n));
    }
    return std::exchange(read_, {});
  }
  std::string until_the_end() { return until("\x01 never \x01"); }
  void close() { fd_.reset(); }

 private:
  wire::Fd fd_;
  std::string read_;
};

std::string post(std::string_view body) {
  return "POST /v1/chat/completions?key=k HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer k\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace

TEST_CASE("request and answer pass through, and the connection serves the next") {
  ScriptedPeer peer({{Answer{testing::http(200, "X-Own: 7\r\n", "hello")}, Answer{testing::http(404, "", "no")}}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send(post("abc"));
  const std::string answer = client.until("hello");
  CHECK(answer == "HTTP/1.1 200 Scripted\r\nX-Own: 7\r\nContent-Length: 5\r\n\r\nhello");
  client.send("GET /v1/models HTTP/1.1\r\n\r\n");
  CHECK(client.until("\r\n\r\nno").starts_with("HTTP/1.1 404 "));
  const auto seen = relayed.sightings(2);
  CHECK(seen[0].path == "/v1/chat/completions");  // the query, which may hold a key, is not kept
  CHECK(seen[0].body == "abc");
  CHECK(seen[0].answer == "hello");
  CHECK(seen[0].status == 200);
  CHECK(seen[0].failure.empty());
  CHECK(seen[1].method == "GET");
  const auto requests = peer.requests();
  REQUIRE(requests.size() == 2);
  CHECK(peer.connections() == 1);
  CHECK(requests[0].find("Authorization: Bearer k\r\n") != std::string::npos);
  CHECK(requests[0].find("Host: 127.0.0.1:") != std::string::npos);
  CHECK(requests[0].ends_with("\r\n\r\nabc"));
}

TEST_CASE("a stream passes on as it comes: its beginning is there while its end has not been sent") {
  Answer held{testing::open_stream({testing::delta("a")})};
  held.until_requests = 2;
  held.rest = testing::end_of_stream();
  ScriptedPeer peer({{held}, {Answer{testing::http(200, "", "ok")}}});
  Relayed relayed(peer);
  Client first(relayed), second(relayed);
  first.send(post("{}"));
  CHECK(first.until("\n\n").find("\"content\":\"a\"") != std::string::npos);
  second.send(post("{}"));  // lets the server go on
  CHECK(first.until("0\r\n\r\n").ends_with("0\r\n\r\n"));
  const auto seen = relayed.sightings(2);
  CHECK(seen[0].failure + seen[1].failure == "");
}

TEST_CASE("requests sent ahead are answered in their order") {
  ScriptedPeer peer({{Answer{testing::http(200, "", "one")}, Answer{testing::http(200, "", "two")}}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send(post("a") + post("b"));
  const std::string answers = client.until("two");
  CHECK(answers.find("one") < answers.find("two"));
  CHECK(relayed.sightings(2)[1].body == "b");
}

TEST_CASE("who waits before sending a body is told to go on") {
  ScriptedPeer peer({{Answer{testing::http(200, "", "ok")}}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send("POST /v1/x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  client.send("cde");
  client.until("ok");
  CHECK(relayed.sightings(1)[0].body == "abcde");
  const std::string request = peer.requests().at(0);
  CHECK(request.find("Expect") == std::string::npos);
  CHECK(request.ends_with("\r\n\r\nabcde"));
}

TEST_CASE("a client of HTTP/1.0 gets a stream without chunks, up to the end of its connection") {
  ScriptedPeer peer({{Answer{testing::open_stream({"x"}) + testing::end_of_stream()}}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send("POST /v1/x HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
  CHECK(client.until_the_end().ends_with("Connection: close\r\n\r\ndata: x\n\n"));
}

TEST_CASE("a server that is not there is told of with 502, in JSON") {
  ScriptedPeer peer({{Answer{testing::http(200, "", "ok")}}});
  Relayed relayed(peer);
  peer.die();
  Client client(relayed);
  client.send(post("{}"));
  const std::string answer = client.until_the_end();
  CHECK(answer.starts_with("HTTP/1.1 502 "));
  CHECK(answer.find("\"upstream_connect\"") != std::string::npos);
  const Sighting seen = relayed.sightings(1)[0];
  CHECK(seen.failure == "upstream_connect");
  CHECK(seen.status == 502);
}

TEST_CASE("an answer that the server breaks off is broken off here, too") {
  Answer half{testing::open_stream({testing::delta("a")})};
  half.then = Answer::Then::fin;
  ScriptedPeer peer({{half}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send(post("{}"));
  const std::string answer = client.until_the_end();
  CHECK(answer.find("\"content\":\"a\"") != std::string::npos);
  CHECK_FALSE(answer.ends_with(testing::end_of_stream()));
  CHECK(relayed.sightings(1)[0].failure == "upstream_closed");
}

TEST_CASE(
    "a server that leaves without a word answers the first request with 502, a later one as it would without us") {
  Answer nothing;
  nothing.then = Answer::Then::fin;
  ScriptedPeer peer({{nothing}, {Answer{testing::http(200, "", "ok")}, nothing}});
  Relayed relayed(peer);
  Client first(relayed);
  first.send(post("{}"));
  CHECK(first.until_the_end().starts_with("HTTP/1.1 502 "));
  Client second(relayed);
  second.send(post("{}"));
  second.until("ok");
  second.send(post("{}"));
  CHECK(second.until_the_end() == "");  // its own rule for a connection that has gone stale holds
  const auto seen = relayed.sightings(3);
  CHECK(seen[0].failure == "upstream_closed");
  CHECK(seen[2].failure == "stale_connection");
}

TEST_CASE("a client that leaves ends its request at the server") {
  Answer held{testing::open_stream({testing::delta("a")})};
  held.then = Answer::Then::hold;  // returns when we close
  ScriptedPeer peer({{held}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send(post("{}"));
  client.until("\n\n");
  client.close();
  CHECK(relayed.sightings(1)[0].failure == "client_closed");
}

TEST_CASE("what is no HTTP gets 400, a tunnel 501; neither reaches the server") {
  ScriptedPeer peer({{Answer{testing::http(200, "", "ok")}}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send("hello\r\n\r\n");
  CHECK(client.until_the_end().starts_with("HTTP/1.1 400 "));
  Client tunnel(relayed);
  tunnel.send("CONNECT a:1 HTTP/1.1\r\n\r\n");
  CHECK(tunnel.until_the_end().starts_with("HTTP/1.1 501 "));
  CHECK(peer.requests().empty());
}

TEST_CASE("what is longer than the longest look passes on unseen") {
  const std::string body(5000, 'x');
  ScriptedPeer peer({{Answer{testing::http(200, "", body)}}});
  Relayed relayed(peer, 4999);
  Client client(relayed);
  client.send(post(body));
  const std::string answer = client.until(body);
  CHECK(answer.ends_with(body));
  const Sighting seen = relayed.sightings(1)[0];
  CHECK_FALSE(seen.is_body_whole);
  CHECK_FALSE(seen.is_answer_whole);
  CHECK(seen.body.empty());
  CHECK(seen.request_bytes == 5000);
  CHECK(seen.answer_bytes == 5000);
}

TEST_CASE("what is under way when the recorder stops is told of") {
  Answer held{testing::open_stream({testing::delta("a")})};
  held.then = Answer::Then::hold;
  ScriptedPeer peer({{held}});
  Relayed relayed(peer);
  Client client(relayed);
  client.send(post("{}"));
  client.until("\n\n");
  CHECK(relayed.seen_so_far() == 0);
  relayed.finish();
  CHECK(relayed.sightings(1)[0].failure == "recorder_stopped");
}

}  // namespace scoville::relay
