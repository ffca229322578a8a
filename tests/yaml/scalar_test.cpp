#include "yaml/scalar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "parsing.h"

namespace agneto::yaml {
namespace {

Json value_of(const std::string& scalar) {
  Parsed file("k: " + scalar + "\n");
  EXPECT_TRUE(file.root) << scalar;
  const Json value = to_json(*file.root->find("k"), file.diagnostics);
  EXPECT_EQ(file.errors(), "");
  return value;
}

std::string error_of(const std::string& scalar) {
  Parsed file("k: " + scalar + "\n");
  EXPECT_TRUE(file.root) << scalar;
  to_json(*file.root, file.diagnostics);
  return file.errors();
}

TEST(ToJsonTest, FollowsTheCoreSchema) {
  EXPECT_EQ(value_of(""), nullptr);
  EXPECT_EQ(value_of("~"), nullptr);
  EXPECT_EQ(value_of("null"), nullptr);
  EXPECT_EQ(value_of("true"), true);
  EXPECT_EQ(value_of("False"), false);
  EXPECT_EQ(value_of("TRUE"), true);
  EXPECT_EQ(value_of("tRUE"), "tRUE");
  EXPECT_EQ(value_of("0"), 0);
  EXPECT_EQ(value_of("-42"), -42);
  EXPECT_EQ(value_of("+7"), 7);
  EXPECT_EQ(value_of("0x1F"), 31);
  EXPECT_EQ(value_of("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(value_of("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(value_of("1.5"), 1.5);
  EXPECT_EQ(value_of("-.5"), -0.5);
  EXPECT_EQ(value_of("+1."), 1.0);
  EXPECT_EQ(value_of("1.5e+3"), 1500.0);
  EXPECT_EQ(value_of("2.0").dump(), "2.0");
  EXPECT_EQ(value_of("2").dump(), "2");
  EXPECT_EQ(value_of("10m"), "10m");
  EXPECT_EQ(value_of("1.2.3"), "1.2.3");
}

TEST(ToJsonTest, QuotedAndBlockScalarsAreText) {
  EXPECT_EQ(value_of("'1'"), "1");
  EXPECT_EQ(value_of("\"true\""), "true");
  EXPECT_EQ(value_of("'null'"), "null");
  EXPECT_EQ(value_of("'yes'"), "yes");
  EXPECT_EQ(value_of("|-\n  1"), "1");
  EXPECT_EQ(value_of("''"), "");
}

TEST(ToJsonTest, ReadsCollections) {
  EXPECT_EQ(value_of("{a: [1, {b: x}], on: [], off: {}}"),
            Json::parse(R"({"a": [1, {"b": "x"}], "on": [], "off": {}})"));
}

TEST(ToJsonTest, SaysWhatJsonCannotHold) {
  EXPECT_EQ(error_of("9223372036854775808"),
            "a.yaml:1:4: error: the number 9223372036854775808 does not fit into 64 bits "
            "[E114/number-too-large]\n"
            "k: 9223372036854775808\n"
            "   ^~~~~~~~~~~~~~~~~~~\n"
            "  help: quote it to make it a text\n");
  EXPECT_EQ(error_of(".inf"),
            "a.yaml:1:4: error: the number .inf cannot be stored [E114/number-too-large]\n"
            "k: .inf\n"
            "   ^~~~\n"
            "  help: quote it to make it a text\n");
  EXPECT_EQ(error_of("[1.0e+999, .nan]"),
            "a.yaml:1:5: error: the number 1.0e+999 cannot be stored [E114/number-too-large]\n"
            "k: [1.0e+999, .nan]\n"
            "    ^~~~~~~~\n"
            "  help: quote it to make it a text\n"
            "a.yaml:1:15: error: the number .nan cannot be stored [E114/number-too-large]\n"
            "k: [1.0e+999, .nan]\n"
            "              ^~~~\n"
            "  help: quote it to make it a text\n");
}

TEST(AmbiguousTest, NamesWhatReadersDisagreeAbout) {
  for (const char* text : {"yes",
                           "Yes",
                           "YES",
                           "no",
                           "No",
                           "NO",
                           "on",
                           "On",
                           "ON",
                           "off",
                           "Off",
                           "OFF",
                           "y",
                           "Y",
                           "n",
                           "N",
                           "1e3",
                           "1E3",
                           "-1e3",
                           "1.5e3",
                           "1e+3",
                           "0o17",
                           "010",
                           "-010",
                           "+07",
                           "0b11",
                           "1_000",
                           "1_000.5",
                           "-0x1F",
                           "0x_F",
                           "12:30",
                           "1:20:30.5",
                           "-1:30",
                           "2026-01-31",
                           "2026-1-3",
                           "2026-01-31T12:00:00Z",
                           "2026-01-31 12:00:00"}) {
    const Parsed file(fmt::format("k: {}\n", text));
    ASSERT_TRUE(file.root) << text;
    EXPECT_TRUE(ambiguous(*file.root->find("k"))) << text;
  }
}

TEST(AmbiguousTest, AllElseIsClear) {
  for (const char* text :
       {"true",   "False",   "null",     "~",     "yesterday", "yEs",         "oN",
        "0",      "10",      "-5",       "0x1F",  "1.5",       "0.5",         ".5",
        "1.5e+3", "1.5E-3",  "00:1x",    "1:b",   "v1_0",      "1_x",         "0x",
        "0xg",    "0b",      "0o8",      "0o",    "2026-01",   "2026-01-31x", "20260131",
        "10m",    "ctx.n",   "1-2-3",    "_1",    "e3",        ".",           "+",
        "'yes'",  "\"1e3\"", "|-\n  on", "[yes]", "{yes: no}"}) {
    const Parsed file(fmt::format("k: {}\n", text));
    ASSERT_TRUE(file.root) << text;
    EXPECT_FALSE(ambiguous(*file.root->find("k"))) << text;
  }
}

TEST(AmbiguousTest, IsReportedWhereItIsAValueAndNotWhereItIsAKey) {
  EXPECT_EQ(error_of("{on: off, 1e3: [y]}"),
            "a.yaml:1:9: error: 'off' is read differently by different readers of YAML "
            "[E113/ambiguous-scalar]\n"
            "k: {on: off, 1e3: [y]}\n"
            "        ^~~\n"
            "  help: quote it if it is a text ('off'), else write true, false or a decimal number\n"
            "a.yaml:1:20: error: 'y' is read differently by different readers of YAML "
            "[E113/ambiguous-scalar]\n"
            "k: {on: off, 1e3: [y]}\n"
            "                   ^\n"
            "  help: quote it if it is a text ('y'), else write true, false or a decimal number\n");
}

}  // namespace
}  // namespace agneto::yaml
