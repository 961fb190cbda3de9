#include "probe/host.hpp"
#include "base/json_text.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>
#include <stdexcept>

namespace scoville::probe {
namespace {

constexpr int kProtocol = 1;

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // whoever asked has gone
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void refuse(std::string_view key, const char* expected) {
  throw std::invalid_argument(std::string(key) + ": " + expected + " expected");
}

}  // namespace

void Speaker::line(std::string_view key, json::value value) {
  json::object object{{"id", id_}};
  object[key] = std::move(value);
  write_all(descriptor_, compact(object) + "\n");
}

void Speaker::progress(std::size_t done, std::size_t of, const std::string& note) {
  line("progress", {{"done", done}, {"of", of}, {"note", note}});
}
void Speaker::row(json::object row) { line("row", std::move(row)); }
void Speaker::result(json::object result) { line("result", std::move(result)); }
void Speaker::error(const Fault& fault) {
  line("error", {{"reason", std::string(name_of(fault.reason))}, {"message", fault.message}});
}

std::string Question::text(std::string_view key, std::string fallback) const {
  const json::value* value = params.if_contains(key);
  if (!value || value->is_null()) return fallback;
  if (!value->is_string()) refuse(key, "a string");
  return std::string(value->as_string());
}

double Question::number(std::string_view key, double fallback) const {
  const json::value* value = params.if_contains(key);
  if (!value || value->is_null()) return fallback;
  if (!value->is_number()) refuse(key, "a number");
  return value->to_number<double>();
}

bool Question::flag(std::string_view key, bool fallback) const {
  const json::value* value = params.if_contains(key);
  if (!value || value->is_null()) return fallback;
  if (!value->is_bool()) refuse(key, "true or false");
  return value->as_bool();
}

Host::Host() : out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  explain_ = [](const std::exception& failure) { return Fault{Reason::failed, failure.what()}; };
}

int Host::serve() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) answer(line);
  }
  return 0;
}

void Host::answer(const std::string& line) {
  boost::system::error_code failed;
  const json::value parsed = json::parse(line, failed);
  if (failed || !parsed.is_object()) {
    Speaker(out_, nullptr).error({Reason::bad_request, "a JSON object on one line expected"});
    return;
  }
  const json::object& request = parsed.as_object();
  const json::value* id = request.if_contains("id");
  Speaker speaker(out_, id ? *id : json::value());
  Question question{text_in(request, "ask"), text_in(request, "device"), {}};
  if (const json::value* params = request.if_contains("params"); params && params->is_object()) {
    question.params = params->as_object();
  }
  answer(question, speaker);
}

void Host::answer(const Question& question, Speaker& speaker) {
  try {
    if (question.ask == "describe") {
      json::object about = describe_ ? describe_() : json::object();
      about["protocol"] = kProtocol;
      json::array asks;
      for (const auto& [name, handler] : handlers_) asks.emplace_back(name);
      about["asks"] = std::move(asks);
      return speaker.result(std::move(about));
    }
    const auto found = handlers_.find(question.ask);
    if (found == handlers_.end()) {
      return speaker.error({Reason::not_implemented, "this probe does not answer \"" + question.ask + "\""});
    }
    Answer answer = found->second(question, speaker);
    if (auto* result = std::get_if<json::object>(&answer)) return speaker.result(std::move(*result));
    speaker.error(std::get<Fault>(answer));
  } catch (const std::bad_alloc&) {
    speaker.error({Reason::oom, "out of memory"});
  } catch (const std::invalid_argument& wrong) {
    speaker.error({Reason::bad_request, wrong.what()});
  } catch (const std::exception& failure) {
    speaker.error(explain_(failure));
  }
}

}  // namespace scoville::probe
