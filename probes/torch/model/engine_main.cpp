#include "model/engine_main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "about.hpp"
#include "devices.hpp"
#include "explain.hpp"
#include "model/engine.hpp"
#include "model/engine_lines.hpp"
#include "model/tokenizer_file.hpp"

namespace scoville::torch_probe::model {
namespace {

constexpr const char* kUsage =
    "usage: scoville-torch engine [--model PRESET|FOLDER] [--device D] [--load LIB]… [--dtype fp32|bf16|fp16] "
    "[--threads N]\n"
    "                             [--max-batch N] [--context N] [--prefill N] [--seed S]\n";

struct EngineOptions {
  ModelOptions model;
  std::string device = "cpu";
  std::int64_t threads = 0, context = 0;
  EngineLimits limits;
};

std::int64_t number_of(const std::string& flag, const std::string& value, std::int64_t least) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (fault != std::errc() || end != value.data() + value.size() || number < least || number > 1 << 30) {
    throw std::invalid_argument(fmt::format("{} {}: expected a whole number from {} to 2^30", flag, value, least));
  }
  return number;
}

void take_flag(const std::string& flag, const std::string& value, EngineOptions& to) {
  if (flag == "--model") {
    to.model.model = value;
  } else if (flag == "--device") {
    to.device = value;
  } else if (flag == "--load") {
    load_backend(value);
  } else if (flag == "--dtype") {
    const auto dtype = dtype_named(value);
    if (!dtype) throw std::invalid_argument(dtype.error().message);
    to.model.dtype = *dtype;
  } else if (flag == "--threads") {
    to.threads = number_of(flag, value, 0);
  } else if (flag == "--max-batch") {
    to.limits.max_batch = number_of(flag, value, 1);
  } else if (flag == "--context") {
    to.context = number_of(flag, value, 2);
  } else if (flag == "--prefill") {
    to.limits.prefill_tokens = number_of(flag, value, 1);
  } else if (flag == "--seed") {
    to.model.seed = static_cast<std::uint64_t>(number_of(flag, value, 0));
  } else {
    throw std::invalid_argument(fmt::format("{}: no such flag\n{}", flag, kUsage));
  }
}

EngineOptions options_from(int count, char** words) {
  EngineOptions options;
  for (int i = 1; i < count; i += 2) {
    if (i + 1 >= count) throw std::invalid_argument(fmt::format("{}: a value is missing\n{}", words[i], kUsage));
    take_flag(words[i], words[i + 1], options);
  }
  return options;
}

/// Lines of standard input, read by a thread of their own so that they come in while the device works.
class Inbox {
 public:
  void read_all() {
    std::string line;
    while (std::getline(std::cin, line)) put(std::move(line));
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_one();
  }
  /// All lines that came since; waits for one where `waits`. Empty where there will be none any more.
  std::optional<std::vector<std::string>> take(bool waits) {
    std::unique_lock lock(mutex_);
    if (waits) changed_.wait(lock, [&] { return !lines_.empty() || is_over_; });
    if (lines_.empty() && is_over_) return std::nullopt;
    return std::exchange(lines_, {});
  }

 private:
  void put(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_one();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  bool is_over_ = false;
};

/// Collects the lines of a step: one write for all of them.
class Outbox final : public EngineSink {
 public:
  /// What libraries print goes to standard error from here on.
  Outbox() : out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) { dup2(STDERR_FILENO, STDOUT_FILENO); }

  void add(std::string_view line) { text_ += line; }
  void token(std::uint64_t id, const TokenMade& made) override { add(token_line(id, made)); }
  void ended(std::uint64_t id, const char* how, const std::string& text, std::int64_t prompt_tokens,
             std::int64_t completion_tokens) override {
    add(done_line(id, how, text, prompt_tokens, completion_tokens));
  }
  bool is_read() const { return is_read_; }
  void flush() override {
    std::string_view left = text_;
    while (!left.empty()) {
      const ssize_t written = write(out_, left.data(), left.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) is_read_ = false;
      if (written <= 0) break;
      left.remove_prefix(static_cast<std::size_t>(written));
    }
    text_.clear();
  }

 private:
  int out_;
  bool is_read_ = true;
  std::string text_;
};

std::string ready_line(const Transformer& model, const Tokenizer& tokenizer, const EngineOptions& options) {
  const Config& config = model.config();
  const auto caveat = tokenizer.caveat();
  return json::serialize(json::object{
             {"ready",
              {{"model", config.name},
               {"parameters", config.parameters()},
               {"vocab", config.vocab},
               {"context", options.limits.context},
               {"max_batch", options.limits.max_batch},
               {"kv_bytes", KvCache::bytes(config, options.limits.max_batch, options.limits.context, model.dtype())},
               {"device", model.device().str()},
               {"dtype", c10::toString(model.dtype())},
               {"weights", model.source().kind()},
               {"tokenizer", tokenizer.kind()},
               {"caveat", caveat.empty() ? json::value() : json::value(caveat)},
               {"torch", TORCH_VERSION},
               {"threads", at::get_num_threads()}}}}) +
         "\n";
}

void answer(const std::string& line, Engine& engine, const Tokenizer& tokenizer, std::int64_t vocab, Outbox& out) {
  Asked asked = read_line(line, tokenizer, engine.limits().context, vocab);
  if (auto* request = std::get_if<Generate>(&asked)) {
    out.add(accepted_line(request->id, request->prompt.size()));
    engine.submit(std::move(*request));
  } else if (const auto* cancel = std::get_if<Cancel>(&asked)) {
    engine.cancel(cancel->id);
  } else if (const auto* text = std::get_if<Tokenize>(&asked)) {
    out.add(ids_line(*text));
  } else {
    out.add(error_line(std::get<Refused>(asked)));
  }
}

int serve(Transformer& model, const Tokenizer& tokenizer, const EngineOptions& options) {
  Outbox out;
  Engine engine(model, tokenizer, options.limits, out);
  Inbox inbox;
  std::thread(&Inbox::read_all, &inbox).detach();  // it may wait for a line for ever
  out.add(ready_line(model, tokenizer, options));
  out.flush();
  while (out.is_read()) {
    const auto lines = inbox.take(engine.is_idle());
    if (!lines && engine.is_idle()) return 0;
    if (lines) {
      for (const std::string& line : *lines) {
        if (!line.empty()) answer(line, engine, tokenizer, model.config().vocab, out);
      }
    }
    out.flush();
    if (!engine.is_idle()) engine.step();
  }
  return 0;
}

/// Unless told otherwise one core is left to whoever asks: a client on the same machine would else wait for ours.
void set_threads(std::int64_t threads) {
  use_threads(static_cast<int>(threads));
  if (threads == 0 && at::get_num_threads() > 1) use_threads(at::get_num_threads() - 1);
}

/// Threads of libgomp wait for each other by spinning, for milliseconds: where anything else runs on their cores, a
/// token takes seconds. It reads how long before main(), so the program starts itself again. A setting of the user's
/// stays.
void spin_briefly(char** words) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", words);
}

int run(int count, char** words) {
  for (const std::string& failure : load_own_backends()) std::cerr << failure << "\n";
  EngineOptions options = options_from(count, words);
  set_threads(options.threads);
  auto model = make_transformer(options.model, device_named(options.device));
  if (!model) throw std::invalid_argument(model.error().message);
  auto tokenizer = tokenizer_for(options.model.model, model->source().kind() == "seeded", model->config().bos);
  if (!tokenizer) throw std::invalid_argument(tokenizer.error().message);
  constexpr std::int64_t kContext = 2048;
  options.limits.context = std::min(options.context > 0 ? options.context : kContext, model->config().max_positions);
  return serve(*model, **tokenizer, options);
}

}  // namespace

int engine_main(int count, char** words) {
  spin_briefly(words - 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 1;
  try {
    status = run(count, words);
  } catch (const std::invalid_argument& wrong) {
    std::cerr << "scoville-torch engine: " << wrong.what() << "\n";
  } catch (const std::exception& failure) {
    const probe::Fault fault = explain(failure);
    std::cerr << "scoville-torch engine: " << probe::name_of(fault.reason) << ": " << fault.message << "\n";
  }
  std::cerr.flush();
  std::_Exit(status);  // the reading thread stands in getline
}

}  // namespace scoville::torch_probe::model
