#include "cli/arguments.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace agneto::cli {
namespace {

TEST(Inputs, AreNamesAndValues) {
  EXPECT_EQ(parse_inputs({"a=1", "b=x=y", "c=", "a=2"}),
            (std::map<std::string, std::string>{{"a", "2"}, {"b", "x=y"}, {"c", ""}}));
}

TEST(Inputs, WithoutAValueAreRefused) {
  try {
    parse_inputs({"a"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--input 'a' has no value");
    EXPECT_EQ(error.help(), "write --input NAME=VALUE");
  }
}

}  // namespace
}  // namespace agneto::cli
