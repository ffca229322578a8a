// What is wrong in a file, said whole: where, what, and what to do.
#include <gtest/gtest.h>

#include "parsing.h"

namespace agneto::yaml {
namespace {

struct Finding {
  const char* name;
  bool tree;  // the rest of the file could be read all the same
  const char* source;
  const char* message;
};

class FindingTest : public ::testing::TestWithParam<Finding> {};

TEST_P(FindingTest, SaysWhereAndWhatAndWhatToDo) {
  const Parsed file(GetParam().source);
  EXPECT_EQ(file.errors(), GetParam().message);
  EXPECT_EQ(file.root != nullptr, GetParam().tree);
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, FindingTest,
    ::testing::Values(
        Finding{"ANoBreakSpaceBehindAColon", false, "run:\xC2\xA0{argv: [make]}\n",
                "a.yaml:1:5: error: a no-break space, which YAML takes for a letter [E101/yaml]\n"
                "run:\xC2\xA0{argv: [make]}\n"
                "    ^\n"
                "  help: write a blank\n"},
        Finding{"ANoBreakSpaceThatIndents", false, "a:\n\xC2\xA0 b: 1\n  c: 2\n",
                "a.yaml:2:1: error: a no-break space, which YAML takes for a letter [E101/yaml]\n"
                "\xC2\xA0 b: 1\n"
                "^\n"
                "  help: write a blank\n"},
        Finding{"ANoBreakSpaceInBraces", true, "on: {ok:\xC2\xA0 B, failed: B}\n",
                "a.yaml:1:9: error: a no-break space, which YAML takes for a letter [E101/yaml]\n"
                "on: {ok:\xC2\xA0 B, failed: B}\n"
                "        ^\n"
                "  help: write a blank\n"},
        Finding{"ALineThatEndsItsBlock", false, "a:\n  entry: |\n    x = 1\n   y = 2\n  b: 1\n",
                "a.yaml:4:4: error: this line is indented less than the block above it, and ends "
                "that [E101/yaml]\n"
                "   y = 2\n"
                "   ^~~~~\n"
                "  help: indent it as the lines above\n"
                "a.yaml:2:3: note: the block begins here\n"
                "  entry: |\n"
                "  ^~~~~~~~\n"},
        Finding{"ALineThatEndsMoreThanItsBlock", false,
                "a:\n  entry: |\n    x = 1\n y = 2\n  b: 1\n",
                "a.yaml:4:2: error: this line is indented less than the block above it, and ends "
                "that [E101/yaml]\n"
                " y = 2\n"
                " ^~~~~\n"
                "  help: indent it as the lines above\n"
                "a.yaml:2:3: note: the block begins here\n"
                "  entry: |\n"
                "  ^~~~~~~~\n"},
        Finding{"ALineThatEndsItsBlockAsAKeyWould", false,
                "a:\n  entry: |\n    x = 1\n  y = 2\n  b: 1\n",
                "a.yaml:4:3: error: this line is indented less than the block above it, and ends "
                "that [E101/yaml]\n"
                "  y = 2\n"
                "  ^~~~~\n"
                "  help: indent it as the lines above\n"
                "a.yaml:2:3: note: the block begins here\n"
                "  entry: |\n"
                "  ^~~~~~~~\n"},
        Finding{"AMapKeyTwice", true,
                "a: 1\n"
                "b: 2\n"
                "\"a\": 3\n"
                "a: 4\n",
                "a.yaml:3:1: error: duplicate key 'a' [E110/duplicate-key]\n"
                "\"a\": 3\n"
                "^~~\n"
                "  help: remove one of the two, or rename it\n"
                "a.yaml:1:1: note: first defined here\n"
                "a: 1\n"
                "^\n"
                "a.yaml:4:1: error: duplicate key 'a' [E110/duplicate-key]\n"
                "a: 4\n"
                "^\n"
                "  help: remove one of the two, or rename it\n"
                "a.yaml:1:1: note: first defined here\n"
                "a: 1\n"
                "^\n"},
        Finding{"AKeyOfALargeMapTwice", true,
                "{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1,\n"
                "m: 1, n: 1, o: 1, p: 1, q: 1, r: 1, s: 1, t: 1,\n"
                "s: 2,\n"
                "b: 2}\n",
                "a.yaml:3:1: error: duplicate key 's' [E110/duplicate-key]\n"
                "s: 2,\n"
                "^\n"
                "  help: remove one of the two, or rename it\n"
                "a.yaml:2:37: note: first defined here\n"
                "m: 1, n: 1, o: 1, p: 1, q: 1, r: 1, s: 1, t: 1,\n"
                "                                    ^\n"
                "a.yaml:4:1: error: duplicate key 'b' [E110/duplicate-key]\n"
                "b: 2}\n"
                "^\n"
                "  help: remove one of the two, or rename it\n"
                "a.yaml:1:8: note: first defined here\n"
                "{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1,\n"
                "       ^\n"},
        Finding{"DuplicateKeysInEveryMap", true, "{x: 1, x: 2}",
                "a.yaml:1:8: error: duplicate key 'x' [E110/duplicate-key]\n"
                "{x: 1, x: 2}\n"
                "       ^\n"
                "  help: remove one of the two, or rename it\n"
                "a.yaml:1:2: note: first defined here\n"
                "{x: 1, x: 2}\n"
                " ^\n"},
        Finding{"AliasesAndAnchors", true,
                "a: &x 1\n"
                "b: *x\n",
                "a.yaml:1:4: error: anchors ('&x') are not supported [E108/yaml-alias]\n"
                "a: &x 1\n"
                "   ^~\n"
                "  help: write the value out; quote a text that begins with '&'\n"
                "a.yaml:2:4: error: aliases ('*x') are not supported [E108/yaml-alias]\n"
                "b: *x\n"
                "   ^~\n"
                "  help: write the value out; quote a text that begins with '*'\n"},
        Finding{"MergeKey", true,
                "base: {x: 1}\n"
                "derived:\n"
                "  <<: base\n"
                "  y: 2\n",
                "a.yaml:3:3: error: merge keys ('<<') are not supported [E108/yaml-alias]\n"
                "  <<: base\n"
                "  ^~\n"
                "  help: write the keys out\n"},
        Finding{"Tags", true,
                "a: !foo bar\n"
                "b: !!int 3\n"
                "c: ! x\n",
                "a.yaml:1:4: error: tags ('!foo') are not supported [E107/yaml-tag]\n"
                "a: !foo bar\n"
                "   ^~~~\n"
                "  help: leave the tag out; quote a text that begins with '!'\n"
                "a.yaml:2:4: error: tags ('!!int') are not supported [E107/yaml-tag]\n"
                "b: !!int 3\n"
                "   ^~~~~\n"
                "  help: leave the tag out; quote a text that begins with '!'\n"
                "a.yaml:3:4: error: tags ('!') are not supported [E107/yaml-tag]\n"
                "c: ! x\n"
                "   ^\n"
                "  help: leave the tag out; quote a text that begins with '!'\n"},
        Finding{
            "AnUndefinedAlias", false,
            "on:\n"
            "  *any: DONE\n",
            "a.yaml:2:3: error: '*' begins an alias, and aliases are not supported [E101/yaml]\n"
            "  *any: DONE\n"
            "  ^\n"
            "  help: write 'any' for every event; quote a text that begins with '*'\n"},
        Finding{
            "AStarAlone", false,
            "on:\n"
            "  *: DONE\n",
            "a.yaml:2:3: error: '*' begins an alias, and aliases are not supported [E101/yaml]\n"
            "  *: DONE\n"
            "  ^\n"
            "  help: write 'any' for every event; quote a text that begins with '*'\n"},
        Finding{
            "AnAnchorAlone", false, "a: & b\n",
            "a.yaml:1:5: error: '&' begins an anchor, and anchors are not supported [E101/yaml]\n"
            "a: & b\n"
            "    ^\n"
            "  help: quote a text that begins with '&'\n"},
        Finding{"SeveralDocuments", true,
                "a: 1\n"
                "---\n"
                "b: 1\n",
                "a.yaml:2:1: error: a second document begins here [E104/yaml-documents]\n"
                "---\n"
                "^~~\n"
                "  help: a file holds one document; move this one to a file of its own\n"},
        Finding{"ASecondDocumentBehindItsEnd", true,
                "a: 1\n"
                "...\n"
                "b: 1\n",
                "a.yaml:3:1: error: this does not belong to the value above it [E101/yaml]\n"
                "b: 1\n"
                "^~~~\n"
                "  help: check its indentation and the quotes before it\n"},
        Finding{"ListBehindMap", true,
                "- a\n"
                "b: c\n",
                "a.yaml:2:1: error: this does not belong to the value above it [E101/yaml]\n"
                "b: c\n"
                "^~~~\n"
                "  help: check its indentation and the quotes before it\n"},
        Finding{"ATabBeforeAKey", false,
                "a:\n"
                "\tb: 1\n",
                "a.yaml:2:1: error: a tab cannot indent YAML [E106/yaml-tab]\n"
                "\tb: 1\n"
                "^\n"
                "  help: indent with spaces\n"},
        Finding{"ATabBelowSpaces", false,
                "a:\n"
                "  b: 1\n"
                "\tc: 2\n",
                "a.yaml:3:1: error: a tab cannot indent YAML [E106/yaml-tab]\n"
                "\tc: 2\n"
                "^\n"
                "  help: indent with spaces\n"},
        Finding{"ATabInABlock", false,
                "a: |\n"
                "\tx = 1\n",
                "a.yaml:2:1: error: a tab cannot indent YAML [E106/yaml-tab]\n"
                "\tx = 1\n"
                "^\n"
                "  help: indent with spaces\n"},
        Finding{"AListAsKey", true,
                "? [a]\n"
                ": 1\n"
                "b: 2\n",
                "a.yaml:1:3: error: a list cannot be a key [E109/yaml-key]\n"
                "? [a]\n"
                "  ^~~\n"},
        Finding{"AMapAsKey", true, "{a: b}: c\n",
                "a.yaml:1:1: error: a map cannot be a key [E109/yaml-key]\n"
                "{a: b}: c\n"
                "^~~~~~\n"},
        Finding{"ATemplateWithoutQuotes", true,
                "question: {{ctx.label}}\n"
                "list: [{{a}}, {b: {{c}}}]\n",
                "a.yaml:1:11: error: a text with '{{' must be quoted [E109/yaml-key]\n"
                "question: {{ctx.label}}\n"
                "          ^\n"
                "  help: without quotes, '{' begins a map\n"
                "a.yaml:2:8: error: a text with '{{' must be quoted [E109/yaml-key]\n"
                "list: [{{a}}, {b: {{c}}}]\n"
                "       ^\n"
                "  help: without quotes, '{' begins a map\n"
                "a.yaml:2:19: error: a text with '{{' must be quoted [E109/yaml-key]\n"
                "list: [{{a}}, {b: {{c}}}]\n"
                "                  ^\n"
                "  help: without quotes, '{' begins a map\n"},
        Finding{"AKeyMissing", true,
                ": 1\n"
                "a: 2\n",
                "a.yaml:1:1: error: a key is missing here [E109/yaml-key]\n"
                ": 1\n"
                "^\n"},
        Finding{"CommentSwallowsAValue", true,
                "guard: #ctx.items > 0\n"
                "next: 1\n",
                "a.yaml:1:8: error: '#' begins a comment here, so that the value is empty "
                "[E112/comment-cuts-value]\n"
                "guard: #ctx.items > 0\n"
                "       ^~~~~~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"CommentCutsAValue", true, "do: ctx.n + #ctx.items\n",
                "a.yaml:1:13: error: '#' begins a comment here, so that the value is only 'ctx.n "
                "+' [E112/comment-cuts-value]\n"
                "do: ctx.n + #ctx.items\n"
                "            ^~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"CommentSwallowsAListItem", true,
                "- #ctx.items\n"
                "- 2\n",
                "a.yaml:1:3: error: '#' begins a comment here, so that the value is empty "
                "[E112/comment-cuts-value]\n"
                "- #ctx.items\n"
                "  ^~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"CommentSwallowsABracket", false,
                "on: {OK: {guard: #ctx.items > 0, target: DONE}}\n"
                "x: 1\n",
                "a.yaml:1:18: error: '#' begins a comment here, which hides the '}' "
                "[E112/comment-cuts-value]\n"
                "on: {OK: {guard: #ctx.items > 0, target: DONE}}\n"
                "                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"FlowKeyWithoutValue", true, "options: {OK: Yes, merge it, NO: No}\n",
                "a.yaml:1:20: error: 'merge it' is a key without a value "
                "[E111/flow-key-without-value]\n"
                "options: {OK: Yes, merge it, NO: No}\n"
                "                   ^~~~~~~~\n"
                "  help: a comma ends a value inside { }; quote it: OK: 'Yes, merge it'\n"},
        Finding{"FlowKeysAlone", true, "options: {OK}\n",
                "a.yaml:1:11: error: 'OK' is a key without a value [E111/flow-key-without-value]\n"
                "options: {OK}\n"
                "          ^~\n"
                "  help: write 'OK: VALUE'\n"},
        Finding{"UnclosedBrace", false, "a: {b: 1\n",
                "a.yaml:1:4: error: this '{' is never closed [E101/yaml]\n"
                "a: {b: 1\n"
                "   ^\n"
                "  help: close it with '}'\n"},
        Finding{"UnclosedBraceAndMore", false,
                "a: {b: 1\n"
                "c: 2\n",
                "a.yaml:2:2: error: expected ',' or '}' here [E101/yaml]\n"
                "c: 2\n"
                " ^\n"
                "  help: close the map with '}'; quote a text that holds brackets\n"
                "a.yaml:1:4: note: in the '{' that begins here\n"
                "a: {b: 1\n"
                "   ^\n"},
        Finding{"UnclosedList", false,
                "a: [b, c\n"
                "d: 2\n",
                "a.yaml:2:2: error: expected ',' or ']' here [E101/yaml]\n"
                "d: 2\n"
                " ^\n"
                "  help: close the list with ']'; quote a text that holds brackets\n"
                "a.yaml:1:4: note: in the '[' that begins here\n"
                "a: [b, c\n"
                "   ^\n"},
        Finding{
            "UnclosedQuote", false,
            "a: \"b\n"
            "c: 2\n",
            "a.yaml:1:4: error: this quote is never closed [E101/yaml]\n"
            "a: \"b\n"
            "   ^\n"
            "  help: close it; put a text that holds such a quote in the other kind of quotes\n"},
        Finding{
            "UnclosedSingleQuote", false,
            "a: 'it''s\n"
            "c: 2\n",
            "a.yaml:1:4: error: this quote is never closed [E101/yaml]\n"
            "a: 'it''s\n"
            "   ^\n"
            "  help: close it; put a text that holds such a quote in the other kind of quotes\n"},
        Finding{
            "UnclosedQuoteInFlow", false,
            "a: {b: 'x, c: 3}\n"
            "d: 3\n",
            "a.yaml:1:8: error: this quote is never closed [E101/yaml]\n"
            "a: {b: 'x, c: 3}\n"
            "       ^\n"
            "  help: close it; put a text that holds such a quote in the other kind of quotes\n"},
        Finding{"QuoteOverADocumentMark", false,
                "a: \"x\n"
                "---\n"
                "b\"\n",
                "a.yaml:2:1: error: a quoted text cannot hold this line [E101/yaml]\n"
                "---\n"
                "^\n"
                "  help: close the quote before it\n"},
        Finding{"TextBehindAQuote", false, "question: \"Merge\" now?\n",
                "a.yaml:1:19: error: text behind a closing quote [E101/yaml]\n"
                "question: \"Merge\" now?\n"
                "                  ^~~~\n"
                "  help: quote the whole of it: '\"Merge\" now?'\n"},
        Finding{"TextBehindAQuoteInFlow", false, "a: ['x' y]\n",
                "a.yaml:1:9: error: text behind a closing quote [E101/yaml]\n"
                "a: ['x' y]\n"
                "        ^\n"
                "  help: quote the whole of it: \"'x' y\"\n"},
        Finding{"QuotesInQuotesOfTheSameKind", false, "entry: \"ctx.s = \"hello\"\"\n",
                "a.yaml:1:18: error: text behind a closing quote [E101/yaml]\n"
                "entry: \"ctx.s = \"hello\"\"\n"
                "                 ^~~~~~~\n"
                "  help: quote the whole of it: 'ctx.s = \"hello\"'\n"},
        Finding{"ColonInAValueInBraces", false, "a: {question: Is it: good?, b: 1}\n",
                "a.yaml:1:15: error: a value without quotes cannot hold ': ' [E101/yaml]\n"
                "a: {question: Is it: good?, b: 1}\n"
                "              ^~~~~~~~~~~~\n"
                "  help: quote the whole of it: 'Is it: good?'\n"},
        Finding{"SemicolonBetweenEntries", false, "a: {ok: B; error: C}\n",
                "a.yaml:1:10: error: ';' separates nothing inside brackets [E101/yaml]\n"
                "a: {ok: B; error: C}\n"
                "         ^\n"
                "  help: write ','\n"},
        Finding{"ColonInAValue", false, "question: Really: yes?\n",
                "a.yaml:1:17: error: a value without quotes cannot hold ': ' [E101/yaml]\n"
                "question: Really: yes?\n"
                "                ^\n"
                "  help: quote it, or write it behind '|' on a line of its own\n"},
        Finding{"KeyWithoutColon", false,
                "a: 1\n"
                "b\n"
                "c: 2\n",
                "a.yaml:2:1: error: expected ':' behind this key [E101/yaml]\n"
                "b\n"
                "^\n"
                "  help: write 'KEY: VALUE', or indent a text that goes on from the line above\n"},
        Finding{"TooFarIn", false,
                "a: 1\n"
                "  b: 2\n",
                "a.yaml:2:4: error: a key cannot stand here [E101/yaml]\n"
                "  b: 2\n"
                "   ^\n"
                "  help: check the indentation of this line\n"},
        Finding{"MapInAList", false,
                "a:\n"
                "  - b\n"
                "  c: 3\n",
                "a.yaml:3:3: error: this does not belong to the map above it [E101/yaml]\n"
                "  c: 3\n"
                "  ^\n"
                "  help: check its indentation, and that its key ends in ':'\n"},
        Finding{"ListOnTheLine", false, "a: - b\n",
                "a.yaml:1:4: error: '-' cannot begin a list item here [E101/yaml]\n"
                "a: - b\n"
                "   ^\n"
                "  help: begin the list on a line of its own, or write it as [a, b]\n"},
        Finding{"BlockWithText", false, "a: | foo\n",
                "a.yaml:1:6: error: only a line end may stand behind '|' or '>' [E101/yaml]\n"
                "a: | foo\n"
                "     ^\n"
                "  help: begin the text on the next line, indented\n"},
        Finding{"BadStart", false, "a: @x\n",
                "a.yaml:1:4: error: a value cannot begin like this [E101/yaml]\n"
                "a: @x\n"
                "   ^\n"
                "  help: quote it\n"},
        Finding{"BadStartBacktick", false, "a: `x`\n",
                "a.yaml:1:4: error: a value cannot begin like this [E101/yaml]\n"
                "a: `x`\n"
                "   ^\n"
                "  help: quote it\n"},
        Finding{
            "BlockInFlow", false, "a: {b: |}\n",
            "a.yaml:1:8: error: no block of lines ('|') can stand inside brackets [E101/yaml]\n"
            "a: {b: |}\n"
            "       ^\n"
            "  help: write what is around it without braces, a key a line; or quote the text\n"},
        Finding{"BracketsTooMany", false, "a: {b: c}}\n",
                "a.yaml:1:10: error: nothing is open that this could close [E101/yaml]\n"
                "a: {b: c}}\n"
                "         ^\n"
                "  help: quote a text that holds brackets\n"},
        Finding{"QuestionMarkInFlow", false, "options: {OK: Really?}\n",
                "a.yaml:1:21: error: a text with '?' must be quoted inside brackets [E101/yaml]\n"
                "options: {OK: Really?}\n"
                "                    ^\n"
                "  help: put the whole text into quotes\n"},
        Finding{"QuestionMarkInFlow2", false, "options: {OK: Really? , NO: no}\n",
                "a.yaml:1:21: error: a text with '?' must be quoted inside brackets [E101/yaml]\n"
                "options: {OK: Really? , NO: no}\n"
                "                    ^\n"
                "  help: put the whole text into quotes\n"},
        Finding{
            "BadEscape", false, "a: \"\\d+\"\n",
            "a.yaml:1:7: error: this is no escape sequence [E101/yaml]\n"
            "a: \"\\d+\"\n"
            "      ^\n"
            "  help: write '\\\\' for a backslash, or use single quotes, which have no escapes\n"},
        Finding{"BadHex", false, "a: \"\\xzz\"\n",
                "a.yaml:1:9: error: this is no hexadecimal number [E101/yaml]\n"
                "a: \"\\xzz\"\n"
                "        ^\n"
                "  help: '\\x' takes two digits, '\\u' four, '\\U' eight\n"},
        Finding{"BadUnicode", false, "a: \"\\ud800\"\n",
                "a.yaml:1:11: error: this escape sequence names no character [E101/yaml]\n"
                "a: \"\\ud800\"\n"
                "          ^\n"
                "  help: write the character itself\n"},
        Finding{"NotUtf8", false, "a: caf\351\n",
                "a.yaml:1:7: error: the byte 0xE9 is not UTF-8 text [E102/yaml-encoding]\n"
                "a: caf\357\277\275\n"
                "      ^\n"
                "  help: save the file as UTF-8\n"},
        Finding{"Utf16", false, "\377\376a",
                "a.yaml:1:1: error: the byte 0xFF is not UTF-8 text [E102/yaml-encoding]\n"
                "\357\277\275\357\277\275a\n"
                "^\n"
                "  help: save the file as UTF-8\n"},
        Finding{"Control", false, "a: \033[31m\n",
                "a.yaml:1:4: error: the control character U+001B cannot stand in YAML "
                "[E102/yaml-encoding]\n"
                "a: [31m\n"
                "   ^\n"
                "  help: write \"\\x1b\" in double quotes\n"},
        Finding{"LoneReturn", false, "a: 1\rb: 2\r",
                "a.yaml:1:5: error: a carriage return alone ends no line [E102/yaml-encoding]\n"
                "a: 1b: 2\n"
                "    ^\n"
                "  help: end lines in LF or CRLF\n"},
        Finding{"Empty", false, "", "a.yaml:1:1: error: the file is empty [E103/yaml-empty]\n"},
        Finding{"OnlyComments", false,
                "# nothing\n"
                "\n",
                "a.yaml:1:1: error: the file is empty [E103/yaml-empty]\n"
                "# nothing\n"
                "^\n"},
        Finding{"ZeroIndent", false,
                "a: |0\n"
                "  x\n",
                "a.yaml:1:6: error: a block of text cannot have an indentation of 0 [E101/yaml]\n"
                "a: |0\n"
                "     ^\n"
                "  help: leave the number out\n"},
        Finding{"MultiAnchor", false, "a: &a &b c\n",
                "a.yaml:1:7: error: not valid YAML: cannot assign multiple anchors to the same "
                "node [E101/yaml]\n"
                "a: &a &b c\n"
                "      ^\n"},
        Finding{"CommentSwallowsABracketAtTheEnd", false,
                "on: {OK: {guard: #ctx.items > 0, target: DONE}}\n",
                "a.yaml:1:18: error: '#' begins a comment here, so that the value is empty "
                "[E112/comment-cuts-value]\n"
                "on: {OK: {guard: #ctx.items > 0, target: DONE}}\n"
                "                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"CommentSwallowsABracketOfTheRoot", false,
                "{a: n + #ctx.items}\n"
                "x: 1\n",
                "a.yaml:1:9: error: '#' begins a comment here, so that the value is only 'n +' "
                "[E112/comment-cuts-value]\n"
                "{a: n + #ctx.items}\n"
                "        ^~~~~~~~~~~\n"
                "  help: quote the value or write it behind '|'; a real comment needs a space "
                "behind its '#'\n"},
        Finding{"NotAComment", false,
                "a: [b #1\n"
                "c: 2\n",
                "a.yaml:2:1: error: expected ',' or ']' here [E101/yaml]\n"
                "c: 2\n"
                "^\n"
                "  help: close the list with ']'; quote a text that holds brackets\n"
                "a.yaml:1:4: note: in the '[' that begins here\n"
                "a: [b #1\n"
                "   ^\n"},
        Finding{"TrapsAreNoTraps", true,
                "a: x # ctx.n\n"
                "b: # ctx\n"
                "c: y ##x\n"
                "d: #1 is no code\n"
                "list: #the list\n"
                "  - \"#a\" #!\n"
                "  - b#c #-\n",
                ""}),
    [](const auto& finding) { return std::string(finding.param.name); });

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

// Its message without the line, which is long.
std::string first_line(const Parsed& file) {
  return file.errors().substr(0, file.errors().find('\n'));
}

TEST(NestingTest, SoManyLevelsAreEnough) {
  const Parsed good(repeated("[", max_depth) + repeated("]", max_depth) + "\n");
  EXPECT_TRUE(good.root);
  EXPECT_EQ(good.errors(), "");
}

TEST(NestingTest, TenThousandLevelsAreOneError) {
  const std::string message = "error: nested more than 256 levels deep [E105/yaml-depth]";
  const Parsed flow("a: " + repeated("[", 10'000) + repeated("]", 10'000) + "\n");
  EXPECT_EQ(first_line(flow), "a.yaml:1:259: " + message);
  const Parsed maps("a:\n  " + repeated("{a: ", 10'000) + "1" + repeated("}", 10'000) + "\n");
  EXPECT_EQ(first_line(maps), "a.yaml:2:1023: " + message);
  const Parsed lists(repeated("- ", 10'000) + "x\n");
  EXPECT_EQ(first_line(lists), "a.yaml:1:513: " + message);
  const Parsed keys(repeated("? ", 10'000) + "x\n");
  EXPECT_EQ(first_line(keys), "a.yaml:1:513: " + message);
  std::string indented;
  for (int i = 0; i < 10'000; ++i) {
    indented.append(static_cast<std::size_t>(i), ' ') += "a:\n";
  }
  const Parsed block(indented);
  EXPECT_EQ(first_line(block), "a.yaml:257:257: " + message);
  for (const Parsed* file : {&flow, &maps, &lists, &keys, &block}) {
    EXPECT_EQ(file->diagnostics.error_count(), 1U);
    EXPECT_FALSE(file->root);
  }
}

TEST(NestingTest, TenThousandBracketsThatNothingCloses) {
  for (const char* opening : {"[", "{", "{a: ", "[{a: [", "- [", "{a:\n"}) {
    const Parsed file(repeated(opening, 10'000));
    EXPECT_EQ(file.diagnostics.error_count(), 1U) << opening;
    EXPECT_FALSE(file.root) << opening;
  }
}

TEST(NestingTest, AnAliasBombIsRefusedWithoutGoingOff) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 50; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
            repeated("*a" + std::to_string(i - 1) + " , ", 9) + "]\n";
  }
  const Parsed file(bomb);
  EXPECT_EQ(file.diagnostics.error_count(), 50U + 49U * 9U);
  EXPECT_EQ(first_line(file),
            "a.yaml:1:5: error: anchors ('&a0') are not supported [E108/yaml-alias]");
}

}  // namespace
}  // namespace agneto::yaml
