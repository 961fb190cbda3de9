#include "portability/pattern.hpp"

#include <boost/regex.hpp>

namespace scoville::portability {

struct Pattern::Compiled {
  boost::regex regex;
};

Result<Pattern> Pattern::make(const std::string& perl) {
  try {
    Pattern out;
    out.compiled_ = std::make_shared<Compiled>(Compiled{boost::regex(perl, boost::regex::perl)});
    return out;
  } catch (const std::runtime_error& fault) {
    return Error{ErrorCode::invalid_argument, fault.what()};
  }
}

bool Pattern::find_all(std::string_view line, std::vector<Span>& into) const {
  try {
    const boost::cregex_iterator last;
    for (boost::cregex_iterator each(line.data(), line.data() + line.size(), compiled_->regex); each != last; ++each) {
      const auto begin = static_cast<std::size_t>(each->position());
      if (each->length() > 0) into.push_back({begin, begin + static_cast<std::size_t>(each->length())});
    }
    return true;
  } catch (const std::runtime_error&) {  // the library's own limit on steps
    return false;
  }
}

}  // namespace scoville::portability
