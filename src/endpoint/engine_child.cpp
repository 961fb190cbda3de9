#include "endpoint/engine_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace scoville::endpoint {

EngineChild::~EngineChild() { end(); }

Status EngineChild::start(const std::string& program, const std::vector<std::string>& arguments) {
  int to = -1, from = -1;
  auto child = Child::start_talking(program, arguments, to, from);
  if (!child) return std::move(child.error());
  child_.emplace(*std::move(child));
  to_ = wire::Fd(to);
  from_ = wire::Fd(from);
  for (const int fd : {to, from}) fcntl(fd, F_SETFL, O_NONBLOCK);
  return loop_.add(from, EPOLLIN, this);
}

void EngineChild::on_ready(std::uint32_t events) {
  if (events & EPOLLOUT) write_some();
  if (from_ && (events & ~static_cast<std::uint32_t>(EPOLLOUT))) read_some();
}

void EngineChild::read_some() {
  std::array<char, 65536> bytes;
  const ssize_t count = read(from_.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0) {
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
    return take_lines();
  }
  end();
  told_.ended();
}

void EngineChild::take_lines() {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    json::error_code wrong;
    const json::value line = json::parse({unread_.data() + begin, end - begin}, wrong);
    if (!wrong && line.is_object()) told_.line(line.as_object());
  }
  unread_.erase(0, begin);
}

void EngineChild::send(const json::object& line) {
  if (!to_) return;
  pending_ += compact(line) + "\n";
  if (!watches_writing_) write_some();
}

void EngineChild::write_some() {
  std::size_t written = 0;
  while (to_ && written < pending_.size()) {
    const ssize_t count = write(to_.get(), pending_.data() + written, pending_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) pending_.clear();  // it has ended: its output will tell
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  pending_.erase(0, written);
  const bool has_more = !pending_.empty();
  if (has_more == watches_writing_ || !to_) return;
  watches_writing_ = has_more;
  if (has_more) {
    watches_writing_ = loop_.add(to_.get(), EPOLLOUT, this).ok();
  } else {
    loop_.remove(to_.get(), this);
  }
}

void EngineChild::end() {
  if (watches_writing_) loop_.remove(to_.get(), this);
  if (from_) loop_.remove(from_.get(), this);
  watches_writing_ = false;
  to_.reset();
  from_.reset();
}

std::string EngineChild::end_words() {
  if (!child_) return "";
  child_->stop(std::chrono::seconds(2));  // its output is closed: mostly it has ended
  const int status = child_->status();
  return status > 128 ? fmt::format("signal {}", status - 128) : fmt::format("exit status {}", status);
}

}  // namespace scoville::endpoint
