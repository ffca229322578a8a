#include "model/types.h"

#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

using testing::Eq;
using testing::Optional;

// A type as it is written in a workflow.
Type type(const std::string& text) {
  const LoadResult result = load_text("agneto: 1\nname: flow\ninputs:\n  x: " + text +
                                      "\ninitial: A\nstates: {A: {final: true}}\n");
  EXPECT_EQ(result.messages(), "");
  return result.loaded.draft->main().inputs.at(0).type;
}

TEST(Types, AreWrittenAsTheyAreShown) {
  for (const std::string text : {"string", "integer?", "number", "boolean", "list", "map?", "any",
                                 "'[string]'", "'[[integer?]]?'", "enum [a, b c]", "enum [a]?"}) {
    std::string shown = text;
    std::erase(shown, '\'');
    EXPECT_EQ(to_text(type(text)), shown);
  }
}

TEST(Types, HaveOtherSpellings) {
  EXPECT_EQ(to_text(type("[string]")), "[string]");
  EXPECT_EQ(to_text(type("[[integer]]")), "[[integer]]");
  EXPECT_EQ(to_text(type("{enum: [a, b]}")), "enum [a, b]");
  EXPECT_EQ(to_text(type("[{enum: [a, b]}]")), "[enum [a, b]]");
  EXPECT_EQ(to_text(type("'enum [\"a\", b]'")), "enum [a, b]");
}

TEST(Types, SayWhyAValueDoesNotFit) {
  EXPECT_EQ(mismatch(type("string"), "x"), std::nullopt);
  EXPECT_THAT(mismatch(type("integer"), "x"), Optional(Eq("expected integer, found string \"x\"")));
  EXPECT_THAT(mismatch(type("integer"), 1.5), Optional(Eq("expected integer, found number 1.5")));
  EXPECT_EQ(mismatch(type("integer"), 3.0), std::nullopt);
  EXPECT_EQ(mismatch(type("number"), 3), std::nullopt);
  EXPECT_THAT(mismatch(type("boolean"), nullptr), Optional(Eq("expected boolean, found null")));
  EXPECT_EQ(mismatch(type("boolean?"), nullptr), std::nullopt);
  EXPECT_EQ(mismatch(type("any"), nullptr), std::nullopt);
  EXPECT_THAT(mismatch(type("map"), Json::array({1})),
              Optional(Eq("expected map, found list [1]")));
  EXPECT_THAT(mismatch(type("'enum [a, b]'"), "c"),
              Optional(Eq("expected enum [a, b], found string \"c\"")));
  EXPECT_THAT(mismatch(type("[string]"), Json::array({"a", 2})),
              Optional(Eq("item 2: expected string, found integer 2")));
  EXPECT_THAT(
      mismatch(type("string"), Json::array({std::string(100, 'x')})),
      Optional(Eq("expected string, found list [\"" + std::string(58, 'x') + "… (44 bytes more)")));
}

TEST(Types, SettleWhatLuaCannotTellApart) {
  Json value = Json::object();
  settle(type("list"), value);
  EXPECT_EQ(value, Json::array());
  settle(type("map"), value);
  EXPECT_EQ(value, Json::object());
  value = Json::array({Json::object(), Json::array({2.0})});
  settle(type("[[integer]]"), value);
  EXPECT_EQ(value.dump(), "[[],[2]]");
  value = {{"kept", 1}};
  settle(type("list"), value);
  EXPECT_EQ(value, Json({{"kept", 1}}));
}

TEST(Types, ReadArguments) {
  EXPECT_EQ(from_argument(type("string"), "3"), Json("3"));
  EXPECT_EQ(from_argument(type("integer"), "-3"), Json(-3));
  EXPECT_EQ(from_argument(type("integer"), "3x"), std::nullopt);
  EXPECT_EQ(from_argument(type("number"), "2.5"), Json(2.5));
  EXPECT_EQ(from_argument(type("boolean"), "true"), Json(true));
  EXPECT_EQ(from_argument(type("boolean"), "yes"), std::nullopt);
  EXPECT_EQ(from_argument(type("[integer]"), "[1, 2]"), Json({1, 2}));
  EXPECT_EQ(from_argument(type("[integer]"), "[1, \"a\"]"), std::nullopt);
  EXPECT_EQ(from_argument(type("map"), "not json"), std::nullopt);
  EXPECT_EQ(from_argument(type("any"), "not json"), Json("not json"));
  EXPECT_EQ(from_argument(type("any"), "{\"a\": 1}"), Json({{"a", 1}}));
  EXPECT_EQ(from_argument(type("'enum [a, b]'"), "b"), Json("b"));
  EXPECT_EQ(from_argument(type("'enum [a, b]'"), "c"), std::nullopt);
}

TEST(Types, HaveSchemas) {
  EXPECT_EQ(schema(type("string?")), Json({{"type", {"string", "null"}}}));
  EXPECT_EQ(schema(type("any")), Json::object());
  EXPECT_EQ(schema(type("[integer]")), Json({{"type", "array"}, {"items", {{"type", "integer"}}}}));
  EXPECT_EQ(schema(type("'enum [a, b]?'")),
            Json({{"type", {"string", "null"}}, {"enum", {"a", "b", nullptr}}}));
}

}  // namespace
}  // namespace agneto::model
