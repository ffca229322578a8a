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

constexpr const char* finding =
    "{fields: {file: string, line: 'integer?', kind: {enum: [bug, style], optional: true}, "
    "related: [{fields: {note: {type: string, description: In a few words}}}]}}";

TEST(Types, MayHaveFields) {
  const Type read = type(finding);
  EXPECT_EQ(to_text(read),
            "{file: string, line: integer?, kind: enum [bug, style]?, related: [{note: string}]}");
  EXPECT_EQ(read.fields->back().type.element->fields->front().description, "In a few words");
  EXPECT_EQ(to_text(type("{fields: {a: any}, optional: true}")), "{a: any}?");

  const Json good = {{"file", "a.c"}, {"line", 3}, {"kind", nullptr}, {"related", Json::array()}};
  EXPECT_EQ(mismatch(read, good), std::nullopt);
  Json other = good;
  other.erase("file");
  EXPECT_THAT(mismatch(read, other), Optional(Eq("field 'file': expected string, found null")));
  other = good;
  other["row"] = 3;
  EXPECT_THAT(mismatch(read, other), Optional(Eq("there is no field 'row'")));
  other = good;
  other["related"] = {{{"note", 1}}};
  EXPECT_THAT(mismatch(read, other),
              Optional(Eq("field 'related': item 1: field 'note': expected string, found "
                          "integer 1")));

  Json from_lua = {{"file", "a.c"}, {"line", 3.0}, {"related", Json::object()}};
  settle(read, from_lua);
  EXPECT_EQ(from_lua, good);
  EXPECT_EQ(mismatch(read, example(read)), std::nullopt);
  EXPECT_EQ(schema(read)["additionalProperties"], false);
  EXPECT_EQ(schema(read)["required"], Json({"file", "line", "kind", "related"}));
  EXPECT_EQ(schema(read)["properties"]["related"]["items"]["properties"]["note"],
            Json({{"type", "string"}, {"description", "In a few words"}}));
}

TEST(TypesReported, WithFields) {
  EXPECT_EQ(load_text("agneto: 1\nname: flow\ninitial: A\ninputs:\n"
                      "  a: {fields: {x: strin}}\n"
                      "  b: {fields: {x: {type: string, default: y}}}\n"
                      "  c: {fields: [x]}\n"
                      "  d: {fields: {x: string}, description: a point}\n"
                      "  e: {enum: [a], optional: maybe}\n"
                      "states: {A: {final: true}}\n")
                .messages(),
            R"text(flow.yaml:5:19: error: there is no type 'strin' [E301/bad-type]
  a: {fields: {x: strin}}
                  ^~~~~
  help: did you mean 'string'?
flow.yaml:6:34: error: a field has no key 'default' [E121/unknown-key]
  b: {fields: {x: {type: string, default: y}}}
                                 ^~~~~~~
  help: known keys: type, description
flow.yaml:7:15: error: 'fields' must be a map by field, found a list [E124/wrong-kind]
  c: {fields: [x]}
              ^~~
  help: as in fields: {reason: string}
flow.yaml:8:6: error: beside 'fields', a type has nothing but 'optional: true' [E301/bad-type]
  d: {fields: {x: string}, description: a point}
     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: what describes a field stands around it: {type: {fields: {line: integer}}, description: TEXT}
flow.yaml:9:6: error: beside 'enum', a type has nothing but 'optional: true' [E301/bad-type]
  e: {enum: [a], optional: maybe}
     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: what describes a field stands around it: {type: {fields: {line: integer}}, description: TEXT}
)text");
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
