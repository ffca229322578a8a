#include "base/text.h"

#include <gtest/gtest.h>

namespace agneto {
namespace {

using namespace std::chrono_literals;

TEST(ClosestTest, FindsSlipsOfTheHand) {
  const std::vector<std::string> names = {"PLANNING", "PLAN_REVIEW", "CODE_REVIEW", "on"};
  EXPECT_EQ(closest("PLAN_REVEIW", names), "PLAN_REVIEW");  // swapped
  EXPECT_EQ(closest("PLANING", names), "PLANNING");         // left out
  EXPECT_EQ(closest("planning", names), "PLANNING");        // case
  EXPECT_EQ(closest("onn", names), "on");
  EXPECT_EQ(closest("DEPLOYING", names), "");
  EXPECT_EQ(closest("xy", names), "");
  EXPECT_EQ(closest("ab", {"xb", "cd"}), "xb");
  EXPECT_EQ(closest("a", {"b"}), "");  // all of it would be wrong
  EXPECT_EQ(closest("", names), "");
}

TEST(Text, OneCandidateAloneIsNear) {
  EXPECT_EQ(only_near("DNOE", {"WORKING", "DONE"}), "DONE");
  EXPECT_EQ(only_near("DNOE", {"DONE", "WORKING", "DONE"}), "DONE");
  EXPECT_EQ(only_near("DON", {"DONE", "DONT"}), "");
  EXPECT_EQ(only_near("DON", {"WORKING"}), "");
}

TEST(ClosestTest, TakesTheNearest) {
  EXPECT_EQ(closest("retries", {"retires_x", "retrie", "retries_"}), "retrie");
}

TEST(SuggestionTest, NamesTheNearestOrAll) {
  EXPECT_EQ(suggestion("gaurd", {"guard", "target"}, "keys"), "did you mean 'guard'?");
  EXPECT_EQ(suggestion("colour", {"guard", "target"}, "keys"), "known keys: guard, target");
  EXPECT_EQ(suggestion("colour", {}, "keys"), "");
}

TEST(SuggestionTest, NamesTwelveAtMost) {
  std::vector<std::string> names;
  for (char c = 'a'; c < 'a' + 12; ++c) {
    names.emplace_back(3, c);
  }
  EXPECT_EQ(suggestion("colour", names, "keys"),
            "known keys: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, jjj, kkk, lll");
  names.emplace_back("mmm");
  EXPECT_EQ(suggestion("colour", names, "keys"),
            "known keys: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, jjj, kkk, lll, mmm")
      << "dots would be as long";
  names.emplace_back("nnn");
  EXPECT_EQ(suggestion("colour", names, "keys"),
            "known keys: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, jjj, kkk, lll, …");
}

TEST(DurationTest, ReadsUnitsAndTheirSums) {
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("24h"), 24h);
  EXPECT_EQ(parse_duration("2d"), 48h);
  EXPECT_EQ(parse_duration("1h30m"), 90min);
  EXPECT_EQ(parse_duration("1d2h3m4s5ms"), 26h + 3min + 4s + 5ms);
  EXPECT_EQ(parse_duration("0s"), 0s);
  EXPECT_EQ(parse_duration("36525d"), 24h * 36525);
}

TEST(DurationTest, RefusesAllElse) {
  for (const char* text :
       {"", "10", "s", "1 s", " 1s", "1s ", "-1s", "+1s", "1.5s", "1w", "1S", "30m1h", "1m1m",
        "1h30", "36526d", "99999999999999999999s", "36525d1ms", "9223372036854775807d", "1sm"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(DurationTest, WritesForPeople) {
  EXPECT_EQ(format_duration(0ms), "0ms");
  EXPECT_EQ(format_duration(120ms), "120ms");
  EXPECT_EQ(format_duration(999ms), "999ms");
  EXPECT_EQ(format_duration(3s), "3s");
  EXPECT_EQ(format_duration(3449ms), "3.4s");
  EXPECT_EQ(format_duration(59'999ms), "59.9s");
  EXPECT_EQ(format_duration(60s), "1m");
  EXPECT_EQ(format_duration(62min), "1h 2m");
  EXPECT_EQ(format_duration(605s), "10m 5s");
  EXPECT_EQ(format_duration(51h), "2d 3h");
  EXPECT_EQ(format_duration(48h + 59min), "2d");
  EXPECT_EQ(format_duration(-5s), "0ms");
}

TEST(Utf8Test, KeepsWhatIsValid) {
  const std::string text = "aü日😀\xF4\x8F\xBF\xBF";
  EXPECT_EQ(valid_utf8(text), text);
}

TEST(Utf8Test, ReplacesWhatIsNot) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(valid_utf8("\xC3"), mark);                                   // cut off
  EXPECT_EQ(valid_utf8("\xE6\x97z"), mark + "z");                        // cut off, then more
  EXPECT_EQ(valid_utf8("\xC0\xAF"), mark + mark);                        // overlong
  EXPECT_EQ(valid_utf8("\xE0\x80\xAF"), mark + mark + mark);             // overlong
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), mark + mark + mark);             // a surrogate
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark);  // too large
  EXPECT_EQ(valid_utf8("\x80"), mark);
}

TEST(PrintableTest, RemovesWhatMovesTheCursor) {
  EXPECT_EQ(printable("a\tb\nc\r\nd"), "a\tb\nc\nd");
  EXPECT_EQ(printable(std::string("a\0b\a\b\x7f", 6)), "ab");
  EXPECT_EQ(printable("\x1b[1;31mred\x1b[0m"), "red");
  EXPECT_EQ(printable("\x1b]0;title\ax"), "x");
  EXPECT_EQ(printable("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(printable("\x1b(Bx\x1b"
                      "7y\x1b"),
            "xy");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31mb"),
            "a31mb");  // a CSI of one character
  EXPECT_EQ(printable("a\x9B"
                      "b"),
            "ab");  // and of one byte
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "evil"),
            "evil");  // right to left
  EXPECT_EQ(printable("naïve 日本 😀"), "naïve 日本 😀");
}

TEST(PrintableTest, AnUnfinishedSequenceHidesItsLineAtMost) {
  EXPECT_EQ(printable("\x1b]0;title\nnext"), "\nnext");
  EXPECT_EQ(printable("\x1b[31\nnext"), "\nnext");
  EXPECT_EQ(printable("\x1b\x1b[31mx"), "x");
}

TEST(ShortenedTest, CutsAtACharacterAndSaysHowMuch) {
  EXPECT_EQ(shortened("hello", 5), "hello");
  EXPECT_EQ(shortened("hello!", 5), "hello… (1 bytes more)");
  EXPECT_EQ(shortened("üüü", 3), "ü… (4 bytes more)");
  EXPECT_EQ(shortened("abc", 0), "… (3 bytes more)");
  EXPECT_EQ(shortened(std::string(10, '\x80'), 5).size(),
            std::string("\x80\x80… (8 bytes more)").size());
}

TEST(DisplayWidthTest, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("naïve"), 5U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("😀"), 2U);
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);
}

TEST(SplitLinesTest, LastLineEndStartsNoLine) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ(split_lines(""), Lines{});
  EXPECT_EQ(split_lines("a"), Lines{"a"});
  EXPECT_EQ(split_lines("a\n"), Lines{"a"});
  EXPECT_EQ(split_lines("a\r\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(split_lines("\n"), Lines{""});
}

TEST(TextTest, TrimsAndJoins) {
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(join({"a", "", "b"}, "/"), "a//b");
  EXPECT_EQ(join({}, "/"), "");
}

TEST(TextTest, StartsWithWord) {
  EXPECT_TRUE(starts_with_word("error", "error"));
  EXPECT_TRUE(starts_with_word("error.timeout", "error"));
  EXPECT_FALSE(starts_with_word("errors", "error"));
  EXPECT_FALSE(starts_with_word("err", "error"));
  EXPECT_FALSE(starts_with_word("error_x", "error"));
}

// The examples of FIPS 180-4, and the lengths at which the padding changes.
TEST(Sha256Test, AgreesWithTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, AgreesAtThePaddingsEdges) {
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(63, 'a')),
            "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_EQ(sha256(std::string(65, 'a')),
            "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0");
  EXPECT_EQ(sha256(std::string(119, 'a')),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  EXPECT_EQ(sha256(std::string(120, 'a')),
            "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c");
}

}  // namespace
}  // namespace agneto
