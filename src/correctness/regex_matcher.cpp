#include "correctness/regex_matcher.hpp"

#include <boost/regex.hpp>

#include "text/catalogue.hpp"

namespace scoville::correctness {
namespace {

constexpr std::size_t kLongestAnswer = std::size_t{16} << 10;

class Regex final : public Matcher {
 public:
  explicit Regex(std::vector<boost::regex> patterns) : patterns_(std::move(patterns)) {}

  Match match(std::string_view answer) const override {
    if (answer.size() > kLongestAnswer) answer.remove_prefix(answer.size() - kLongestAnswer);
    try {
      for (const boost::regex& each : patterns_) {
        if (boost::regex_search(answer.begin(), answer.end(), each)) return Match::right;
      }
    } catch (const std::runtime_error&) {  // the library's own limit on steps
      return Match::too_complex;
    }
    return Match::wrong;
  }

 private:
  std::vector<boost::regex> patterns_;
};

}  // namespace

Result<std::unique_ptr<Matcher>> make_regex_matcher(const std::vector<std::string>& patterns) {
  std::vector<boost::regex> made;
  for (const std::string& each : patterns) {
    try {
      made.emplace_back(each, boost::regex::perl);
    } catch (const std::runtime_error& fault) {
      return Error{ErrorCode::invalid_argument, text::say(text::Msg::task_expects_regex, fault.what())};
    }
  }
  return std::unique_ptr<Matcher>(std::make_unique<Regex>(std::move(made)));
}

}  // namespace scoville::correctness
