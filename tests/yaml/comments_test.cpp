#include <gmock/gmock.h>

#include "parsing.h"
#include "yaml/tree.h"

namespace agneto::yaml {
namespace {

std::vector<std::string> comments_of(const std::string& text) {
  const Parsed file(text);
  std::vector<std::string> result;
  for (const Span& span : comments(file.source)) result.push_back(file.bytes(span));
  return result;
}

TEST(CommentsTest, StandAloneOrBehindAValue) {
  EXPECT_THAT(comments_of("# one\na: 1 # two\r\nb:  # three\n  - c\t# four\n\n  # five"),
              testing::ElementsAre("# one", "# two", "# three", "# four", "# five"));
}

TEST(CommentsTest, AreNoTextsWithAHash) {
  EXPECT_THAT(comments_of("a: x#y\nb: '# no'\n\"c # no\": {d: \"no # no\"} # yes\n"
                          "e: |\n  # no\n  no # no\nf: > # also\n  # no\n# last\n"),
              testing::ElementsAre("# yes", "# also", "# last"));
}

TEST(CommentsTest, OfWhatIsNotYamlAreNone) {
  EXPECT_THAT(comments_of("# one\na: [1\n"), testing::IsEmpty());
}

}  // namespace
}  // namespace agneto::yaml
