#include "base/source.h"

#include <gtest/gtest.h>

namespace agneto {
namespace {

void expect_at(const Source& source, std::size_t offset, int line, int column) {
  const Position position = source.position(offset);
  EXPECT_EQ(position.line, line) << "of offset " << offset;
  EXPECT_EQ(position.column, column) << "of offset " << offset;
}

TEST(SourceTest, CountsLinesAndColumnsFromOne) {
  const Source source("a.yaml", "one\ntwo\n\nfour");
  expect_at(source, 0, 1, 1);
  expect_at(source, 3, 1, 4);  // the line end belongs to its line
  expect_at(source, 4, 2, 1);
  expect_at(source, 8, 3, 1);
  expect_at(source, 13, 4, 5);
  expect_at(source, 999, 4, 5);
  EXPECT_EQ(source.line_count(), 4);
}

TEST(SourceTest, GivesLinesWithoutTheirEnds) {
  const Source source("a.yaml", "one\r\ntwo\n\nfour");
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "four");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(5), "");
}

TEST(SourceTest, FindsTheStartOfALine) {
  const Source source("a.yaml", "one\ntwo\n");
  EXPECT_EQ(source.line_start(1), 0U);
  EXPECT_EQ(source.line_start(2), 4U);
  EXPECT_EQ(source.line_start(3), 8U);
  EXPECT_EQ(source.line_start(9), 8U);
}

TEST(SourceTest, AnEmptyTextHasOneEmptyLine) {
  const Source source("a.yaml", "");
  expect_at(source, 0, 1, 1);
  EXPECT_EQ(source.line(1), "");
}

TEST(SourceTest, AByteOrderMarkTakesNoColumn) {
  const Source source("a.yaml", "\xEF\xBB\xBFkey: 1\n");
  EXPECT_EQ(source.line(1), "key: 1");
  expect_at(source, 3, 1, 1);
  expect_at(source, 0, 1, 1);
}

TEST(SpanTest, KnowsWhetherItIsAnywhere) {
  const Source source("a.yaml", "one\ntwo\n");
  EXPECT_FALSE(Span());
  EXPECT_EQ(Span().line(), 0);
  EXPECT_EQ((Span{&source, 5, 6}).line(), 2);
}

}  // namespace
}  // namespace agneto
