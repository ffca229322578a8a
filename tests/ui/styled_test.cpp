#include "ui/styled.h"

#include <gmock/gmock.h>

namespace agneto::ui {
namespace {

std::vector<std::string> plain_lines(const std::vector<Styled>& lines) {
  std::vector<std::string> texts;
  for (const auto& line : lines) texts.push_back(line.render(false));
  return texts;
}

using Lines = std::vector<std::string>;

TEST(StyledTest, OnlyItsOwnEscapesReachTheTerminal) {
  Styled text(Color::red, "a\x1b[2Jb\x1b]0;title\x07 c\rd\x7f\te");
  text.add(Color::none, "\xFF!");
  EXPECT_EQ(text.render(true), "\x1b[31mab cd    e\x1b[0m\xEF\xBF\xBD!");
  EXPECT_EQ(text.render(false), "ab cd    e\xEF\xBF\xBD!");
}

TEST(StyledTest, JoinsLinesIntoOne) {
  EXPECT_EQ(Styled("  one \n\n   two\nthree\n").joined().render(false), "  one two three");
  EXPECT_EQ((Styled(Color::red, "one\n") + Styled(Color::green, "\n two")).joined().render(false),
            "one two");
}

TEST(StyledTest, FitsByColumnsNotBytes) {
  EXPECT_EQ(Styled("日本語").fitted(6).render(false), "日本語");
  EXPECT_EQ(Styled("日本語").fitted(5).render(false), "日本…");
  EXPECT_EQ(Styled("日本語").fitted(4).render(false), "日…");
  EXPECT_EQ((Styled(Color::red, "ab") + Styled(Color::green, "cd")).fitted(3).render(true),
            "\x1b[31mab\x1b[0m\x1b[32m…\x1b[0m");
  EXPECT_EQ(Styled("abc").fitted(0).render(false), "");
}

TEST(StyledTest, WrapsAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(plain_lines(Styled("one two three four").wrapped(9, 2)),
            (Lines{"one two", "  three", "  four"}));
  EXPECT_EQ(plain_lines(Styled("one\n\ntwo").wrapped(20, 2)), (Lines{"one", "", "  two"}));
  EXPECT_EQ(plain_lines(Styled("").wrapped(20, 2)), Lines{""});
}

TEST(StyledTest, WrapsAWordThatIsTooLong) {
  EXPECT_EQ(plain_lines(Styled("abcdefghij").wrapped(4, 1)), (Lines{"abcd", " efg", " hij"}));
  EXPECT_EQ(plain_lines(Styled("日本語").wrapped(4, 0)), (Lines{"日本", "語"}));
  EXPECT_EQ(plain_lines(Styled("  abcdef").wrapped(6, 2)), (Lines{"  abcd", "  ef"}));
}

TEST(StyledTest, WrappedTextKeepsItsColours) {
  auto lines = (Styled("see ") + Styled(Color::green, "one two")).wrapped(8, 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].render(true), "see \x1b[32mone\x1b[0m");
  EXPECT_EQ(lines[1].render(true), "  \x1b[32mtwo\x1b[0m");
}

}  // namespace
}  // namespace agneto::ui
