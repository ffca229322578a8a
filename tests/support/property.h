// Properties of RapidCheck as tests of GoogleTest.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

namespace agneto {

// Tries that many cases, the same ones every time. RapidCheck's own environment variable replaces
// both: RC_PARAMS="max_success=10000" tries so many new ones, and what it prints of a failure tries
// that one again.
template <typename Property>
void check_property(int cases, const Property& property) {
  rc::detail::TestParams params{.seed = 1, .maxSuccess = cases};
  if (std::getenv("RC_PARAMS")) params = rc::detail::configuration().testParams;
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "." + test->name();
  metadata.description = metadata.id;
  const auto result = rc::detail::checkTestable(property, metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  FAIL() << message.str();
}

}  // namespace agneto
