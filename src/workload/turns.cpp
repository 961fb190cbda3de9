#include "workload/turns.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/rng.hpp"

namespace scoville::workload {
namespace {

/// Of so many requests that begin alike and are not continued is looked for the one whose answer comes back.
constexpr std::size_t kMostOpen = 4096;

/// A name for messages [0, count): of each number of them in turn.
class Beginnings {
 public:
  std::uint64_t with(std::uint64_t message) {
    const std::string_view bytes(reinterpret_cast<const char*>(&message), sizeof message);
    return so_far_ = hash_bytes(bytes, so_far_ ^ 0x9e3779b97f4a7c15ULL);
  }

 private:
  std::uint64_t so_far_ = 0xcbf29ce484222325ULL;
};

class Finder {
 public:
  explicit Finder(std::span<const LoggedRequest> requests)
      : requests_(requests), is_continued_(requests.size()), whole_(requests.size()) {}

  std::vector<Chain> find() {
    std::vector<std::size_t> chain_of(requests_.size());
    std::vector<Chain> chains;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const auto before = has_messages(i) ? by_messages(i) : std::nullopt;
      const auto earlier = before ? before : by_session(i);
      if (earlier) {
        close(*earlier);
        chain_of[i] = chain_of[*earlier];
      } else {
        chain_of[i] = chains.size();
        chains.emplace_back();
      }
      chains[chain_of[i]].push_back(i);
      if (!requests_[i].session.empty()) latest_of_session_[requests_[i].session] = i;
    }
    return chains;
  }

 private:
  bool has_messages(std::size_t i) const { return requests_[i].prompt && !requests_[i].prompt->message_hashes.empty(); }

  /// It is continued: nobody else is to look at it, however many others begin as it does.
  void close(std::size_t i) {
    is_continued_[i] = true;
    const auto known = has_messages(i) ? by_beginning_.find(whole_[i]) : by_beginning_.end();
    if (known == by_beginning_.end()) return;
    auto& open = known->second;
    open.erase(std::lower_bound(open.begin(), open.end(), i));
  }

  bool may_follow(std::size_t earlier, std::size_t later) const {
    const LoggedRequest &a = requests_[earlier], &b = requests_[later];
    if (is_continued_[earlier] || a.model != b.model) return false;
    if (!a.session.empty() && !b.session.empty() && a.session != b.session) return false;
    return !a.at || !b.at || *a.at + a.e2e.value_or(Nanos::zero()) <= *b.at;
  }

  /// Also makes the request known to those that come.
  std::optional<std::size_t> by_messages(std::size_t i) {
    const PromptShape& shape = *requests_[i].prompt;
    std::optional<std::size_t> found;
    Beginnings beginnings;
    std::uint64_t whole = 0;
    for (std::size_t k = 0; k < shape.message_hashes.size(); ++k) {
      whole = beginnings.with(shape.message_hashes[k]);
      const bool is_answered = k + 1 < shape.message_hashes.size() && shape.roles[k + 1] == 'a';
      const auto known = is_answered ? by_beginning_.find(whole) : by_beginning_.end();
      if (known == by_beginning_.end()) continue;
      if (const auto one = latest_of(known->second, shape.message_hashes[k + 1], i)) found = one;
    }
    by_beginning_[whole].push_back(i);
    whole_[i] = whole;
    return found;
  }

  /// Of those that may be continued the latest whose answer this is, or where none has it, the latest: clients trim.
  std::optional<std::size_t> latest_of(const std::vector<std::size_t>& open, std::uint64_t answer,
                                       std::size_t i) const {
    std::optional<std::size_t> found;
    const auto end = open.rbegin() + static_cast<std::ptrdiff_t>(std::min(open.size(), kMostOpen));
    for (auto each = open.rbegin(); each != end; ++each) {
      if (!may_follow(*each, i)) continue;
      if (requests_[*each].answer_hash == answer) return *each;
      if (!found) found = *each;
    }
    return found;
  }

  std::optional<std::size_t> by_session(std::size_t i) const {
    const LoggedRequest& later = requests_[i];
    const auto known = latest_of_session_.find(later.session);
    if (later.session.empty() || known == latest_of_session_.end()) return std::nullopt;
    const std::size_t before = known->second;
    if ((has_messages(i) && has_messages(before)) || !may_follow(before, i)) return std::nullopt;
    const LoggedRequest& earlier = requests_[before];
    if (later.input_tokens && earlier.input_tokens &&
        *later.input_tokens < *earlier.input_tokens + earlier.output_tokens.value_or(0)) {
      return std::nullopt;
    }
    return before;
  }

  std::span<const LoggedRequest> requests_;
  std::vector<bool> is_continued_;
  std::vector<std::uint64_t> whole_;                                          // of each request all its messages
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_beginning_;  // not continued yet, ascending
  std::map<std::string, std::size_t> latest_of_session_;
};

}  // namespace

std::vector<Chain> find_chains(std::span<const LoggedRequest> requests) { return Finder(requests).find(); }

}  // namespace scoville::workload
