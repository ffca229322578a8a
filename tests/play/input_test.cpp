#include "play/input.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace agneto::play {
namespace {

std::string input_error(std::string_view line) {
  try {
    parse_input(line);
  } catch (const Error& error) {
    return error.what() + ("\n" + error.help());
  }
  return "";
}

constexpr const char* forms =
    "\nwrite an event's name, {\"event\": NAME, \"data\": …, \"from\": PATH} or {\"advance\": "
    "\"5s\"}";

TEST(Input, IsAName) {
  const auto input = parse_input("  done.state.A \r");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->event, "done.state.A");
  EXPECT_EQ(input->data, Json());
  EXPECT_EQ(input->from, "");
  EXPECT_FALSE(input->advance);
}

TEST(Input, IsAnEventAsJson) {
  const auto input = parse_input(R"json({"event": "OK", "data": {"n": 1}, "from": "A#1"})json");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->event, "OK");
  EXPECT_EQ(input->data, (Json{{"n", 1}}));
  EXPECT_EQ(input->from, "A#1");
}

TEST(Input, MovesTheClock) {
  EXPECT_EQ(parse_input(R"({"advance": "1h30m"})")->advance, Millis(5'400'000));
  EXPECT_EQ(parse_input(R"({"advance": 1500})")->advance, Millis(1500));
  EXPECT_EQ(parse_input(R"({"advance": 0})")->advance, Millis(0));
}

TEST(Input, IsNothingForBlankLinesAndComments) {
  EXPECT_FALSE(parse_input(""));
  EXPECT_FALSE(parse_input(" \t\r"));
  EXPECT_FALSE(parse_input("  # go"));
}

TEST(Input, ThatCannotBeReadSaysWhy) {
  EXPECT_EQ(input_error("go on"), std::string("'go on' is no event's name") + forms);
  EXPECT_EQ(input_error("[1]"), std::string("'[1]' is no event's name") + forms);
  EXPECT_EQ(input_error("{\"event\": }"),
            std::string("unreadable JSON at column 11: syntax error while parsing value - "
                        "unexpected '}'; expected '[', '{', or a literal") +
                forms);
  EXPECT_EQ(input_error("{}"), std::string("the input names no event") + forms);
  EXPECT_EQ(input_error(R"({"event": 3})"), std::string("'event' is 3, not a text") + forms);
  EXPECT_EQ(input_error(R"({"event": "e", "from": ""})"),
            std::string("'from' is \"\", not a text") + forms);
  EXPECT_EQ(input_error(R"({"event": "e", "form": "A"})"),
            "an input has no 'form'\ndid you mean 'from'?");
  EXPECT_EQ(input_error(R"({"event": "e", "advance": "1s"})"),
            "'advance' stands alone\ngive the event in its own line");
}

TEST(Input, ADurationIsWithinReason) {
  const std::string help =
      "\nwrite one such as \"1500ms\", \"5s\" or \"1h30m\", or a number of milliseconds";
  EXPECT_EQ(input_error(R"({"advance": "soon"})"),
            "'advance' is \"soon\", which is no duration" + help);
  EXPECT_EQ(input_error(R"({"advance": -1})"), "'advance' is -1, which is no duration" + help);
  EXPECT_EQ(input_error(R"({"advance": 1e300})"),
            "'advance' is 1e+300, which is no duration" + help);
  EXPECT_EQ(input_error(R"({"advance": null})"), "'advance' is null, which is no duration" + help);
}

TEST(Input, ANumberIsWithinReason) {
  EXPECT_EQ(input_error(R"({"event": "e", "data": 1e999})"),
            "the JSON has a number that is too large\nwrite it as a text");
}

TEST(Input, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(parse_input("\xef\xbb\xbfgo")->event, "go");
}

TEST(Input, IsNotNestedBeyondReason) {
  EXPECT_EQ(input_error(R"({"event": "e", "data": )" + std::string(100'000, '[')),
            "the JSON is nested deeper than 100 levels\n");
}

TEST(Input, WritesTheLineThatReadsAsIt) {
  for (const std::string line :
       {"go", R"({"data":[1,null],"event":"go"})", R"({"event":"go","from":"A#1"})",
        R"({"event":"#go"})", R"({"event":"two words"})", R"({"advance":"1d2h3m4s5ms"})",
        R"({"advance":"0ms"})"}) {
    EXPECT_EQ(to_line(*parse_input(line)), line);
  }
}

}  // namespace
}  // namespace agneto::play
