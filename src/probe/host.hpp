#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>

#include "base/json.hpp"
#include "probe/reason.hpp"

namespace scoville::probe {

/// What a probe says while it answers one question: lines on its standard output.
class Speaker {
 public:
  Speaker(int descriptor, json::value id) : descriptor_(descriptor), id_(std::move(id)) {}

  /// `done` of `of` parts; `note` says what comes next. Also tells whoever waits that we are alive.
  void progress(std::size_t done, std::size_t of, const std::string& note = "");
  /// A finding that stays even if a later one crashes. The result does not repeat it.
  void row(json::object row);
  void result(json::object result);
  void error(const Fault& fault);

 private:
  void line(std::string_view key, json::value value);
  int descriptor_;
  json::value id_;
};

/// One question, as it was asked.
struct Question {
  std::string ask;
  std::string device;
  json::object params;

  // Throw std::invalid_argument, which becomes bad_request, where the value is of another kind.
  std::string text(std::string_view key, std::string fallback = "") const;
  double number(std::string_view key, double fallback) const;
  bool flag(std::string_view key, bool fallback) const;
};

using Answer = std::variant<json::object, Fault>;

/// The probe's side of the protocol (docs/formats/probe.md): reads requests, one JSON object a line, and has each
/// answered. Whatever a handler or a library prints to standard output goes to standard error instead.
///
/// An exception in a handler is an answer: std::bad_alloc is `oom`, std::invalid_argument `bad_request`, anything else
/// what `explain` makes of it.
class Host {
 public:
  using Handler = std::function<Answer(const Question&, Speaker&)>;
  using Explain = std::function<Fault(const std::exception&)>;

  Host();
  /// `describe` answers with this and the names of all questions.
  void describe(std::function<json::object()> with) { describe_ = std::move(with); }
  void on(const std::string& ask, Handler handler) { handlers_[ask] = std::move(handler); }
  void explain(Explain explain) { explain_ = std::move(explain); }

  /// Until the end of standard input. Returns the exit status.
  int serve();

 private:
  void answer(const std::string& line);
  void answer(const Question& question, Speaker& speaker);

  int out_;
  std::function<json::object()> describe_;
  std::map<std::string, Handler> handlers_;
  Explain explain_;
};

}  // namespace scoville::probe
