#include "serve/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"

namespace agneto::serve {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

TEST(BodyTest, IsReadKeyByKey) {
  Body body(
      R"({"task": "say", "priority": 3, "auto_merge": true, "inputs": {"a": "x", "b": 2, "c": null},
                "model": null, "flags": ["one", "two"]})");
  EXPECT_EQ(body.text("task"), "say");
  EXPECT_EQ(body.text("model"), std::nullopt);
  EXPECT_EQ(body.text("base"), std::nullopt);
  EXPECT_EQ(body.number("priority"), 3);
  EXPECT_TRUE(body.flag("auto_merge", false));
  EXPECT_TRUE(body.flag("interactive", true));
  EXPECT_EQ(body.texts("inputs"), (std::map<std::string, std::string>{{"a", "x"}, {"b", "2"}}));
  EXPECT_THAT(body.list("flags"), ElementsAre("one", "two"));
  EXPECT_EQ(error_of([&] { body.end(); }), "");
}

TEST(BodyTest, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { Body("[1]"); }),
            "the request's body is no JSON object\nsend one such as {\"task\": \"…\"}");
  EXPECT_EQ(error_of([] { Body("{\"a\": "); }),
            "the request's body is no JSON object\nsend one such as {\"task\": \"…\"}");
  EXPECT_EQ(error_of([] { Body(R"({"task": "a", "task": "b"})"); }),
            "the request's body says 'task' twice\nsay it once");
  EXPECT_EQ(error_of([] { Body(R"({"inputs": {"a": 1, "a": 1}})"); }),
            "the request's body says 'a' twice\nsay it once");
  EXPECT_EQ(
      error_of([] { Body(R"({"task": "x", "inputs": [{"b": {"c": 1, "d": 1, "\u0063": 1}}]})"); }),
      "the request's body says 'c' twice\nsay it once");
  EXPECT_EQ(error_of([] { Body(R"({"a": {"a": [{"a": 1}, {"a": 1}]}, "b": {"a": 1}})"); }), "");
  EXPECT_EQ(error_of([] { Body(R"({"inputs": {"a": ["b\u0000"]}})"); }),
            "a text in the request has a NUL character\nleave it out");
  EXPECT_EQ(error_of([] { Body(R"({"a": "\\u0000"})"); }), "");
  Body body(R"({"task": 1, "priority": 1.5, "auto_merge": "yes", "inputs": [], "tsk": 1})");
  EXPECT_EQ(error_of([&] { body.text("task"); }), "'task' is no text");
  EXPECT_EQ(error_of([&] { body.number("priority"); }), "'priority' is no whole number");
  EXPECT_EQ(error_of([&] { body.flag("auto_merge", true); }),
            "'auto_merge' is neither true nor false");
  EXPECT_EQ(error_of([&] { body.texts("inputs"); }), "'inputs' is no object");
  EXPECT_EQ(error_of([&] { body.list("task"); }), "'task' is no list of texts");
  EXPECT_EQ(error_of([&] { body.end(); }), "unknown key 'tsk'\ndid you mean 'task'?");
}

TEST(BodyTest, AnEmptyOneIsAnEmptyObject) {
  Body body(" \n");
  EXPECT_EQ(body.text("task"), std::nullopt);
  EXPECT_EQ(error_of([&] { body.end(); }), "");
}

TEST(QueryTest, IsDecoded) {
  EXPECT_EQ(decoded("a%20b+c%2f%C3%A4", true), "a b c/ä");
  EXPECT_EQ(decoded("a+b", false), "a+b");
  EXPECT_EQ(decoded("100%", true), "100%");
  EXPECT_EQ(decoded("%4", true), "%4");
  EXPECT_EQ(decoded("%zz", true), "%zz");
}

TEST(QueryTest, HasNumbersAndLists) {
  HttpRequest request;
  request.query = {{"limit", "5"}, {"status", "queued,parked"}, {"after", "-1"}, {"text", "a+b"}};
  EXPECT_EQ(number_in(request, "limit", 1, 50), 5);
  EXPECT_EQ(number_in(request, "before", 1, 50), 50);
  EXPECT_EQ(error_of([&] { number_in(request, "after", 0, 0); }),
            "'after' is no whole number from 0 on");
  EXPECT_THAT(texts_in(request, "status"), ElementsAre("queued", "parked"));
  EXPECT_THAT(texts_in(request, "none"), ElementsAre());
  EXPECT_EQ(text_in(request, "text"), "a b");
}

}  // namespace
}  // namespace agneto::serve
