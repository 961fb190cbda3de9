#include "relay/ledger.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "relay/answer_reader.hpp"
#include "text/catalogue.hpp"
#include "workload/access_log.hpp"

namespace scoville::relay {
namespace {

using text::Msg;
using text::say;

/// The class of what became of it. A client that leaves behind the end marker has its answer.
std::string failure_of(const Sighting& sighting, const AnswerFacts& facts) {
  if (sighting.failure == "client_closed" && facts.has_ended) return "";
  if (!sighting.failure.empty()) return sighting.failure;
  if (sighting.status >= 400) return "http_status";
  return facts.has_error ? "error_in_stream" : "";
}

workload::LoggedRequest row_of(const Sighting& sighting, const AnswerFacts& facts) {
  workload::LoggedRequest row;
  row.at = sighting.at;
  row.method = sighting.method;
  row.path = sighting.path;
  if (sighting.status != 0) row.status = sighting.status;
  row.failure = failure_of(sighting, facts);
  row.model = facts.model;
  row.input_tokens = facts.usage.input;
  row.output_tokens = facts.usage.output;
  row.cached_tokens = facts.usage.cached;
  if (facts.first_token) row.ttft = std::max(Nanos::zero(), *facts.first_token - sighting.asked);
  row.e2e = std::max(Nanos::zero(), sighting.ended - sighting.asked);
  row.chunks = facts.chunks;
  row.answer_chars = facts.chars;
  row.request_bytes = sighting.request_bytes;
  row.answer_bytes = sighting.answer_bytes;
  return row;
}

Error system_error(const std::string& path, int error) {
  return {ErrorCode::io, fmt::format("{}: {}", path, std::strerror(error))};
}

/// Whether the file begins as one of requests does; an empty one may be added to as well.
bool is_file_of_requests(int fd) {
  char begin[256];
  const ssize_t n = pread(fd, begin, sizeof begin, 0);
  if (n <= 0) return n == 0;
  const std::string expected = fmt::format("{{\"format\":\"{}\"", workload::kRequestsFormat);
  return std::string_view(begin, static_cast<std::size_t>(n)).starts_with(expected);
}

/// A line that was cut off when a recording died is ended, or the next would be glued to it.
bool ends_amid_a_line(int fd) {
  const off_t size = lseek(fd, 0, SEEK_END);
  char last = '\n';
  return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

json::object line_of(const Sighting& sighting, const workload::SaltedHash& hash, bool keeps_bodies) {
  const AnswerFacts facts = read_answer(sighting);
  workload::LoggedRequest row = row_of(sighting, facts);
  const auto body = sighting.is_body_whole ? workload::parse_object(sighting.body) : std::nullopt;
  auto request = body && sighting.method == "POST" ? workload::read_request(*body, hash) : std::nullopt;
  std::string session = sighting.session;
  if (request) {
    if (session.empty()) session = std::move(request->session);
    row.model = std::move(request->model);
    row.is_stream = request->is_stream;
    row.max_tokens = request->max_tokens;
    row.prompt = std::move(request->prompt);
  }
  if (row.prompt && !facts.content.empty()) row.answer_hash = workload::hash_of_answer(facts.content, hash);
  if (!session.empty()) row.session = fmt::format("{:016x}", hash.of(session));
  json::object line = workload::to_json(row);
  if (!keeps_bodies) return line;
  line["request"] = body ? json::value(*body) : json::value(nullptr);
  line["answer"] = facts.text.empty() ? json::value(nullptr) : json::value(facts.text);
  return line;
}

Result<std::unique_ptr<Ledger>> Ledger::open(const std::string& path, bool appends, workload::RecordingHead head) {
  const int mode = O_RDWR | O_APPEND | O_CLOEXEC | O_CREAT | (appends ? 0 : O_EXCL);
  wire::Fd file(::open(path.c_str(), mode, 0600));
  if (!file && errno == EEXIST) return Error{ErrorCode::invalid_argument, say(Msg::record_file_exists, path)};
  if (!file) return system_error(path, errno);
  if (!is_file_of_requests(file.get())) {
    return Error{ErrorCode::invalid_argument, say(Msg::record_file_foreign, path)};
  }
  if (ends_amid_a_line(file.get()) && write(file.get(), "\n", 1) != 1) return system_error(path, errno);
  std::unique_ptr<Ledger> ledger(new Ledger(std::move(file), head.keeps_bodies));
  if (Status written = ledger->write_line(workload::to_json(head)); !written) {
    return std::move(written.error()).within(path);
  }
  ledger->thread_ = std::thread([raw = ledger.get()] { raw->write_all(); });
  return ledger;
}

Ledger::~Ledger() {
  if (thread_.joinable()) finish();
}

void Ledger::put(Sighting sighting) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(sighting));
  }
  came_.notify_one();
}

Totals Ledger::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  came_.notify_one();
  thread_.join();
  return totals_;
}

void Ledger::write_all() {
  for (;;) {
    std::vector<Sighting> next;
    {
      std::unique_lock lock(mutex_);
      came_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      next.swap(waiting_);
    }
    for (const Sighting& each : next) write_one(each);
  }
}

void Ledger::write_one(const Sighting& sighting) {
  const json::object line = line_of(sighting, hash_, keeps_bodies_);
  count(line);
  if (const Status written = write_line(line); !written && totals_.lines_lost++ == 0) {
    totals_.first_loss = written.error().message;
  }
}

Status Ledger::write_line(const json::object& line) {
  const std::string text = compact(line) + "\n";
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t n = write(file_.get(), left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{ErrorCode::io, std::strerror(errno)};
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  return Done{};
}

void Ledger::count(const json::object& line) {
  ++totals_.requests;
  const json::value& failure = line.at("failure");
  if (failure.is_string()) {
    ++totals_.failed;
    ++totals_.failures[std::string(failure.as_string())];
  }
  totals_.input_tokens += workload::count_at(line, "input_tokens").value_or(0);
  const auto output = workload::count_at(line, "output_tokens");
  totals_.output_tokens += output.value_or(0);
  const bool is_for_text = line.contains("message_hashes") &&
                           workload::is_text_path(line.at("method").as_string(), line.at("path").as_string());
  totals_.unknown_usage += is_for_text && failure.is_null() && !output;
}

}  // namespace scoville::relay
