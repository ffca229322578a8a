// The tree: values, their styles and their places.
#include "yaml/tree.h"

#include <gtest/gtest.h>

#include "parsing.h"

namespace agneto::yaml {
namespace {

TEST(TreeTest, ReadsMapsListsAndScalars) {
  const Parsed file("name: triage\nstates: {A: [x, 'y'], B: {}}\nlist:\n- 1\n- two: 2\n");
  ASSERT_TRUE(file.root) << file.errors();
  EXPECT_EQ(file.errors(), "");
  EXPECT_EQ(file.root->kind, Kind::map);
  ASSERT_EQ(file.root->entries.size(), 3U);
  EXPECT_EQ(file.root->find("name")->text, "triage");
  const Node* states = file.root->find("states");
  ASSERT_EQ(states->entries.size(), 2U);
  EXPECT_EQ(states->entries[0].key.text, "A");
  EXPECT_EQ(states->entries[0].value.items[1].text, "y");
  EXPECT_EQ(states->entries[1].value.kind, Kind::map);
  const Node* list = file.root->find("list");
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(list->items[0].kind, Kind::scalar);
  EXPECT_EQ(list->items[1].find("two")->text, "2");
  EXPECT_EQ(file.root->find("none"), nullptr);
}

TEST(TreeTest, KeepsDocumentOrder) {
  const Parsed file("z: 1\na: 2\nm: 3\n");
  ASSERT_TRUE(file.root);
  std::string order;
  for (const Entry& entry : file.root->entries) {
    order += entry.key.text;
  }
  EXPECT_EQ(order, "zam");
}

struct ScalarCase {
  const char* source;  // of the value of `k`, whose key stands before it
  Style style;
  const char* bytes;
  const char* text;
};

class ScalarSpanTest : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(ScalarSpanTest, CoversTheValuesOwnBytes) {
  const ScalarCase& expected = GetParam();
  for (const bool windows : {false, true}) {
    std::string text = std::string("k: ") + expected.source + "\nnext: end\n";
    std::string bytes = expected.bytes;
    if (windows) {
      for (std::string* part : {&text, &bytes}) {
        for (std::size_t i = part->find('\n'); i != std::string::npos;
             i = part->find('\n', i + 2)) {
          part->insert(i, "\r");
        }
      }
    }
    const Parsed file(text);
    ASSERT_TRUE(file.root) << file.errors();
    EXPECT_EQ(file.errors(), "");
    const Node& node = *file.root->find("k");
    EXPECT_EQ(node.kind, Kind::scalar);
    EXPECT_EQ(node.style, expected.style);
    EXPECT_EQ(file.bytes(node.span), bytes);
    EXPECT_EQ(node.text, expected.text);
    EXPECT_EQ(file.bytes(file.root->entries.back().key.span), "next");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Styles, ScalarSpanTest,
    ::testing::Values(
        ScalarCase{"plain", Style::plain, "plain", "plain"},
        ScalarCase{"two  words   # comment", Style::plain, "two  words", "two  words"},
        ScalarCase{"a#b:c", Style::plain, "a#b:c", "a#b:c"},
        ScalarCase{"over\n  two\n\n  lines # c", Style::plain, "over\n  two\n\n  lines",
                   "over two\nlines"},
        ScalarCase{"naïve 日本", Style::plain, "naïve 日本", "naïve 日本"},
        ScalarCase{"'it''s' # c", Style::single_quoted, "'it''s'", "it's"},
        ScalarCase{"''", Style::single_quoted, "''", ""},
        ScalarCase{"''''", Style::single_quoted, "''''", "'"},
        ScalarCase{"\"a \\\" # b\\\\\" # c", Style::double_quoted, "\"a \\\" # b\\\\\"",
                   "a \" # b\\"},
        ScalarCase{"\"a\n  b\n\n  c\"", Style::double_quoted, "\"a\n  b\n\n  c\"", "a b\nc"},
        ScalarCase{"|\n  one\n\n    two\n  three\n", Style::literal, "|\n  one\n\n    two\n  three",
                   "one\n\n  two\nthree\n"},
        ScalarCase{"|- # c\n  one", Style::literal, "|- # c\n  one", "one"},
        ScalarCase{"|+\n  one\n\n", Style::literal, "|+\n  one", "one\n\n\n"},
        ScalarCase{"|2\n    one", Style::literal, "|2\n    one", "  one\n"},
        ScalarCase{"|\n\n  one # no comment", Style::literal, "|\n\n  one # no comment",
                   "\none # no comment\n"},
        ScalarCase{"|", Style::literal, "|", ""}, ScalarCase{"|- # c", Style::literal, "|-", ""},
        ScalarCase{">\n  one\n  two\n\n  three\n", Style::folded, ">\n  one\n  two\n\n  three",
                   "one two\nthree\n"},
        ScalarCase{">-\n\n\n", Style::folded, ">-", ""}));

TEST(TreeTest, SpansOfFlowCollectionsIncludeTheirBrackets) {
  const Parsed file("a: [x, [y], # c ]\n  {}  ]\nb: {p: {q: [ ]} , } # c\n");
  ASSERT_TRUE(file.root) << file.errors();
  const Node* a = file.root->find("a");
  EXPECT_EQ(file.bytes(a->span), "[x, [y], # c ]\n  {}  ]");
  EXPECT_EQ(file.bytes(a->items[1].span), "[y]");
  EXPECT_EQ(file.bytes(a->items[2].span), "{}");
  const Node* b = file.root->find("b");
  EXPECT_EQ(file.bytes(b->span), "{p: {q: [ ]} , }");
  EXPECT_EQ(file.bytes(b->find("p")->span), "{q: [ ]}");
}

TEST(TreeTest, SpansOfBlockCollectionsGoFromFirstToLastChild) {
  const Parsed file("a:\n  x: 1\n  y: '2' # c\n\n# c\nb:\n- one\n- two:  # c\n");
  ASSERT_TRUE(file.root) << file.errors();
  EXPECT_EQ(file.bytes(file.root->find("a")->span), "x: 1\n  y: '2'");
  EXPECT_EQ(file.bytes(file.root->find("b")->span), "- one\n- two:");
}

TEST(TreeTest, NullIsNothingOrAWord) {
  const Parsed file(
      "a:\nb: null\nc: ~ # c\nd: 'null'\ne: [null, Null, , x]\nnull: 1\nf: {g: , h: ~}\n");
  ASSERT_TRUE(file.root) << file.errors();
  EXPECT_EQ(file.errors(), "");
  const Node* a = file.root->find("a");
  EXPECT_EQ(a->kind, Kind::null);
  EXPECT_EQ(a->text, "");
  EXPECT_EQ(a->span.begin, 2U);
  EXPECT_EQ(a->span.end, 2U);
  EXPECT_EQ(file.bytes(file.root->find("b")->span), "null");
  EXPECT_EQ(file.root->find("c")->text, "~");
  EXPECT_EQ(file.root->find("d")->kind, Kind::scalar);
  const Node* e = file.root->find("e");
  ASSERT_EQ(e->items.size(), 4U);
  EXPECT_EQ(e->items[1].text, "Null");
  EXPECT_EQ(e->items[2].kind, Kind::null);
  EXPECT_EQ(e->items[2].text, "");
  EXPECT_EQ(file.root->find("f")->find("h")->text, "~");
}

TEST(TreeTest, AKeyNamedNullIsAKeyAndNotTheValueBeforeIt) {
  const Parsed file("a:\nnull: 1\nb:\n-\n- null\n- null: 2\n");
  ASSERT_TRUE(file.root) << file.errors();
  EXPECT_EQ(file.errors(), "");
  EXPECT_EQ(file.root->find("a")->text, "");
  EXPECT_EQ(file.root->find("null")->text, "1");
  EXPECT_EQ(file.root->entries[1].key.kind, Kind::scalar);
  const Node* b = file.root->find("b");
  ASSERT_EQ(b->items.size(), 3U);
  EXPECT_EQ(b->items[0].text, "");
  EXPECT_EQ(b->items[1].text, "null");
  EXPECT_EQ(b->items[2].find("null")->text, "2");
}

TEST(TreeTest, AByteOrderMarkShiftsNothing) {
  const Parsed file(
      "\xEF\xBB\xBF"
      "a: one\nb: [x]\n");
  ASSERT_TRUE(file.root) << file.errors();
  EXPECT_EQ(file.bytes(file.root->find("a")->span), "one");
  EXPECT_EQ(file.root->find("a")->span.position().column, 4);
  EXPECT_EQ(file.bytes(file.root->find("b")->span), "[x]");
}

TEST(TreeTest, ADocumentMayHaveItsMarkers) {
  const Parsed file("%YAML 1.2\n---\na: 1\n...\n");
  ASSERT_TRUE(file.root);
  EXPECT_EQ(file.errors(), "");
  EXPECT_EQ(file.root->find("a")->text, "1");
}

TEST(TreeTest, FoldedIsWhatLosesLineEnds) {
  const Parsed file(
      "plain: a b\nplain2: a\n  b\nquoted: \"a\\nb\"\nquoted2: \"a\n  b\"\nliteral: |\n  a\n  b\n"
      "folded: >\n  a\n  b\nfolded1: >\n  a\nlist: [a,\n  b]\n");
  ASSERT_TRUE(file.root) << file.errors();
  std::string folded;
  for (const Entry& entry : file.root->entries) {
    folded += entry.value.is_folded() ? entry.key.text + " " : "";
  }
  EXPECT_EQ(folded, "plain2 quoted2 folded ");
}

// The source lines of the text's lines, joined.
std::string lines_of(const std::string& value) {
  const Parsed file("# first\nk: " + value + "\nend: 1\n");
  EXPECT_TRUE(file.root) << file.errors();
  std::string lines;
  for (const int line : file.root->find("k")->lines()) {
    lines += std::to_string(line) + " ";
  }
  return lines;
}

TEST(TreeTest, KnowsTheSourceLineOfEachLineOfText) {
  EXPECT_EQ(lines_of("one line"), "2 ");
  EXPECT_EQ(lines_of("|-\n  one\n\n  two"), "3 4 5 ");
  EXPECT_EQ(lines_of("|-\n\n  one\n  two"), "3 4 5 ");
  EXPECT_EQ(lines_of(">-\n  one\n  joined\n\n  two\n\n\n  three"), "3 6 7 9 ");
  EXPECT_EQ(lines_of(">-\n  one\n   more\n  two"), "3 4 5 ");
  EXPECT_EQ(lines_of("one\n  joined\n\n  two\n\n\n  three"), "2 5 7 8 ");
  EXPECT_EQ(lines_of("'one\n  joined\n\n  two'"), "2 5 ");
  EXPECT_EQ(lines_of("\"one\\ntwo\\\\n\n  joined\\n three\n\n  four\""), "2 2 3 5 ");
  EXPECT_EQ(lines_of("\"one \\\n  joined\\n\n\n  two\""), "2 3 5 ");
}

}  // namespace
}  // namespace agneto::yaml
