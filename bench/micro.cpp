// ns per event of each step that a byte takes on its way into a record: SSE, HTTP, template or JSON, assembler.
//
// The events are those of the scripted endpoint, which are about as long as those of vLLM.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "load/assembler.hpp"
#include "load/delta_template.hpp"
#include "load/dialect.hpp"
#include "load/json_reader.hpp"
#include "wire/http_response.hpp"
#include "wire/sse.hpp"
#include "wire/stamp.hpp"

namespace scoville {
namespace {

using wire::ReadBuffer;

constexpr std::size_t kEvents = 100;

std::string event_json(std::size_t i) {
  return R"({"id":"chatcmpl-0","object":"chat.completion.chunk","created":1700000000,"model":"m",)"
         R"("choices":[{"index":0,)"
         R"("delta":{"content":" word)" +
         std::to_string(i) + R"("},"logprobs":null,"finish_reason":null}],"emit_ns":)" +
         std::to_string(4'000'000'000'000 + i * 10'000'000) + "}";
}

std::string chunked(const std::string& bytes) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}

/// kEvents events as the bytes of one read each, made by `wrap`, in a buffer such as a connection hands on.
class Reads {
 public:
  template <class Wrap>
  explicit Reads(Wrap&& wrap) {
    for (std::size_t i = 0; i < kEvents; ++i) texts_.push_back(wrap(event_json(i)));
  }

  /// Copies read `i` to where a recvmsg would have put it.
  std::string_view arrive(std::size_t i) {
    const std::string& text = texts_[i];
    std::memcpy(buffer_.data(), text.data(), text.size());
    return {buffer_.data(), text.size()};
  }
  char* data() { return buffer_.data(); }

 private:
  std::vector<std::string> texts_;
  ReadBuffer buffer_;
};

void per_event(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
}

void copy_alone(benchmark::State& state) {
  Reads reads([](const std::string& json) { return "data: " + json + "\n\n"; });
  for (auto _ : state) {
    for (std::size_t i = 0; i < kEvents; ++i) benchmark::DoNotOptimize(reads.arrive(i));
  }
  per_event(state);
}
BENCHMARK(copy_alone);

void sse_parser(benchmark::State& state) {
  Reads reads([](const std::string& json) { return "data: " + json + "\n\n"; });
  wire::SseParser parser;
  parser.reset(wire::SseParser::Mode::events);
  std::size_t frames = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kEvents; ++i) parser.feed(reads.arrive(i), [&](const wire::Frame&) { ++frames; });
  }
  benchmark::DoNotOptimize(frames);
  per_event(state);
}
BENCHMARK(sse_parser);

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

class Discard final : public wire::ResponseParser::Sink {
 public:
  void on_head(const wire::ResponseHead&) override {}
  void on_body(std::string_view bytes) override { size += bytes.size(); }
  std::size_t size = 0;
};

/// A parser that has read the head of a response without end.
wire::ResponseParser opened_parser(Reads& reads, wire::ResponseParser::Sink& sink) {
  wire::ResponseParser parser;
  std::memcpy(reads.data(), kHead.data(), kHead.size());
  parser.feed(reads.data(), kHead.size(), ReadBuffer::kHeadroom, sink);
  return parser;
}

void response_parser(benchmark::State& state) {
  Reads reads([](const std::string& json) { return chunked("data: " + json + "\n\n"); });
  Discard sink;
  wire::ResponseParser parser = opened_parser(reads, sink);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kEvents; ++i) {
      parser.feed(reads.data(), reads.arrive(i).size(), ReadBuffer::kHeadroom, sink);
    }
  }
  benchmark::DoNotOptimize(sink.size);
  per_event(state);
}
BENCHMARK(response_parser);

void delta_template(benchmark::State& state) {
  Reads reads([](const std::string& json) { return json; });
  load::DeltaTemplate known;
  known.learn(event_json(1), " word1", 4'000'010'000'000);
  std::size_t matched = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kEvents; ++i) {
      std::optional<std::int64_t> emit_ns;
      matched += known.match(reads.arrive(i), emit_ns).has_value();
    }
  }
  if (matched != static_cast<std::size_t>(state.iterations()) * kEvents) state.SkipWithError("a frame did not match");
  per_event(state);
}
BENCHMARK(delta_template);

void json_and_dialect(benchmark::State& state) {
  Reads reads([](const std::string& json) { return json; });
  const auto dialect = load::make_dialect(plan::Dialect::openai);
  load::JsonReader reader;
  load::Chunk chunk;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kEvents; ++i) {
      dialect->interpret(*reader.read(reads.arrive(i)), chunk);
      benchmark::DoNotOptimize(chunk.choices.data());
    }
  }
  per_event(state);
}
BENCHMARK(json_and_dialect);

/// What an Exchange does with the bytes of a read, without the connection.
class Path final : public wire::ResponseParser::Sink {
 public:
  Path() {
    assembler_.begin(record_, {});
    known_.learn(event_json(1), " word1", 4'000'010'000'000);
    sse_.reset(wire::SseParser::Mode::events);
  }

  void begin_request() {
    record_.tokens.clear();
    assembler_.begin(record_, {});
  }
  void next_read() { ++stamp_.read; }

  void on_head(const wire::ResponseHead&) override {}
  void on_body(std::string_view bytes) override {
    sse_.feed(bytes, [this](const wire::Frame& frame) { on_frame(frame.data); });
  }
  std::size_t events() const { return record_.tokens.size(); }

 private:
  void on_frame(std::string_view text) {
    std::optional<std::int64_t> emit_ns;
    const auto plain = known_.match(text, emit_ns);
    if (!plain) return;
    chunk_.clear();
    chunk_.emit_ns = emit_ns;
    load::ChoiceDelta& delta = chunk_.choices.emplace_back();
    delta.answer = *plain;
    delta.has_token = true;
    assembler_.on_chunk(chunk_, stamp_);
  }

  event::RequestRecord record_;
  load::Assembler assembler_;
  load::DeltaTemplate known_;
  load::Chunk chunk_;
  load::FrameStamp stamp_;
  wire::SseParser sse_;
};

void whole_path(benchmark::State& state) {
  Reads reads([](const std::string& json) { return chunked("data: " + json + "\n\n"); });
  Path path;
  wire::ResponseParser parser = opened_parser(reads, path);
  for (auto _ : state) {
    path.begin_request();
    for (std::size_t i = 0; i < kEvents; ++i) {
      path.next_read();
      parser.feed(reads.data(), reads.arrive(i).size(), ReadBuffer::kHeadroom, path);
    }
    if (path.events() != kEvents) state.SkipWithError("an event was lost");
  }
  per_event(state);
}
BENCHMARK(whole_path);

}  // namespace
}  // namespace scoville

BENCHMARK_MAIN();
