#include "lsp/position.h"

#include <gmock/gmock.h>

#include "lsp/protocol.h"

namespace agneto::lsp {
namespace {

Json at(int line, int character) {
  return {{"line", line}, {"character", character}};
}

// a, ä (2 bytes), 😀 (4 bytes, 2 units), b; and lines that end in all three ways.
const std::string text =
    "a\xC3\xA4\xF0\x9F\x98\x80"
    "b\r\nc\rd\n";

TEST(Position, CountsUnitsOfUtf16) {
  const LineIndex lines(text, Encoding::utf16);
  const std::vector<std::size_t> offsets = {0, 1, 3, 3, 7, 8, 8};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(lines.offset(at(0, i)), offsets[i]) << i;
  EXPECT_EQ(lines.position(3), at(0, 2));
  EXPECT_EQ(lines.position(7), at(0, 4));
  EXPECT_EQ(lines.position(5), at(0, 2)) << "inside of a character";
}

TEST(Position, CountsBytesOfUtf8) {
  const LineIndex lines(text, Encoding::utf8);
  EXPECT_EQ(lines.offset(at(0, 7)), 7U);
  EXPECT_EQ(lines.offset(at(0, 2)), 1U) << "inside of a character";
  EXPECT_EQ(lines.position(7), at(0, 7));
}

TEST(Position, KnowsEveryEndOfALine) {
  const LineIndex lines(text, Encoding::utf16);
  EXPECT_EQ(lines.offset(at(1, 0)), 10U);
  EXPECT_EQ(lines.offset(at(1, 9)), 11U);
  EXPECT_EQ(lines.offset(at(2, 1)), 13U);
  EXPECT_EQ(lines.offset(at(3, 0)), 14U);
  EXPECT_EQ(lines.offset(at(9, 9)), 14U);
  EXPECT_EQ(lines.position(9), at(0, 5)) << "between \\r and \\n";
  EXPECT_EQ(lines.position(12), at(2, 0));
  EXPECT_EQ(lines.position(99), at(3, 0));
}

TEST(Position, AByteOrderMarkIsNoCharacter) {
  const LineIndex lines(
      "\xEF\xBB\xBF"
      "ab",
      Encoding::utf16);
  EXPECT_EQ(lines.offset(at(0, 1)), 4U);
  EXPECT_EQ(lines.position(0), at(0, 0));
  EXPECT_EQ(lines.position(4), at(0, 1));
}

TEST(Position, RefusesWhatIsNone) {
  const LineIndex lines(text, Encoding::utf16);
  for (const char* wrong :
       {"null", "7", "{}", R"({"line": -1, "character": 0})", R"({"line": 0, "character": 1.5})",
        R"({"line": "0", "character": 1})"}) {
    EXPECT_THROW(lines.offset(Json::parse(wrong)), InvalidParams) << wrong;
  }
}

TEST(Uri, IsAPathAndBack) {
  EXPECT_EQ(to_path("file:///home/ada/my%20flows/a%C3%A4.yaml"),
            "/home/ada/my flows/a\xC3\xA4.yaml");
  EXPECT_EQ(to_uri("/home/ada/my flows/a\xC3\xA4.yaml"),
            "file:///home/ada/my%20flows/a%C3%A4.yaml");
  EXPECT_EQ(to_path("file://localhost/a/./b/../c"), "/a/c");
  EXPECT_EQ(to_path("file:///a%zz%4"), "/a%zz%4");
  EXPECT_EQ(to_path("file:///a#b?c"), "/a");
  for (const char* other :
       {"untitled:Untitled-1", "file://server/share/a", "http://a/b", "", "file:a"}) {
    EXPECT_EQ(to_path(other), "") << other;
  }
}

}  // namespace
}  // namespace agneto::lsp
