#include "evaluate/templates.hpp"

#include <doctest/doctest.h>

#include "evaluate/steps.hpp"

namespace scoville::evaluate {

TEST_CASE("everybody's plan can be read in both languages, asks for the same, and leaves no place open") {
  for (std::size_t who = 0; who < names_of_who().size(); ++who) {
    CAPTURE(names_of_who()[who]);
    std::string keys[2];
    for (const text::Language language : {text::Language::english, text::Language::chinese}) {
      const std::string yaml = plan_template(static_cast<Who>(who), language, "http://one:1", "http://two:2");
      CHECK(yaml.find("{baseline}") == std::string::npos);
      CHECK(yaml.find("{candidate}") == std::string::npos);
      const Result<config::Node> root = config::Node::parse(yaml, "plan.yaml");
      REQUIRE(root.ok());
      const Plan plan = read_plan(*root);
      const Status status = root->finish();
      CHECK_MESSAGE(status.ok(), (status.ok() ? "" : status.error().message));
      CHECK(static_cast<std::size_t>(plan.who) == who);
      CHECK_FALSE(make_agenda(plan).steps.empty());
      keys[language == text::Language::chinese] = make_agenda(plan).key;
    }
    CHECK(keys[0] == keys[1]);
  }
}

}  // namespace scoville::evaluate
