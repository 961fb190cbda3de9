#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "wire/event_loop.hpp"
#include "wire/fd.hpp"

namespace scoville::endpoint {

/// The process that computes (docs/formats/engine.md): lines to it, lines from it, by the server's event loop.
///
/// starting → ready (its first line) → ended (its output is closed). It does not outlive this.
class EngineChild final : public wire::Ready {
 public:
  /// Each line of its output, as an object; after the last one `ended`.
  struct Told {
    std::function<void(const json::object&)> line;
    std::function<void()> ended;
  };

  EngineChild(wire::EventLoop& loop, Told told) : loop_(loop), told_(std::move(told)) {}
  ~EngineChild() override;

  Status start(const std::string& program, const std::vector<std::string>& arguments);
  /// What it does not take at once waits here. Nothing happens once it has ended.
  void send(const json::object& line);

  bool has_ended() const { return !from_; }
  /// How it ended: "exit status 1", "signal 9". Waits for it.
  std::string end_words();

 private:
  void on_ready(std::uint32_t events) override;
  void read_some();
  void write_some();
  void take_lines();
  void end();

  wire::EventLoop& loop_;
  Told told_;
  std::optional<Child> child_;
  wire::Fd to_, from_;
  std::string unread_, pending_;
  bool watches_writing_ = false;
};

}  // namespace scoville::endpoint
