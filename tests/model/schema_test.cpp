// Writes the JSON Schema of workflow files, for editors, from the key table, and compares it with
// the file that is installed.
#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.h"
#include "base/json.h"
#include "model/keys.h"
#include "support/paths.h"

namespace agneto::model {
namespace {

using Form = Shape::Form;

constexpr std::string_view name_pattern = "^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)*$";
constexpr std::string_view state_pattern = "^[A-Za-z_][A-Za-z0-9_-]*$";
constexpr std::string_view duration_pattern = "^([0-9]+(ms|s|m|h|d))+$";

Json text_like(std::string_view pattern) {
  return {{"type", "string"}, {"pattern", pattern}};
}

// A file is a whole machine, or what it changes in another: there each key may be left out, or be
// null.
enum class Of { whole, changes };

Json reference(ConstructId id, Of of) {
  const std::string prefix = of == Of::changes ? "changes_of_" : "";
  return {{"$ref", "#/definitions/" + prefix + std::string(construct(id).id)}};
}

Json any_of(const std::vector<Shape>& shapes, Of of);

Json map_type(const char* key, Json value) {
  return {{"type", "object"},
          {"properties", {{key, std::move(value)}, {"optional", {{"type", "boolean"}}}}},
          {"required", {key}},
          {"additionalProperties", false}};
}

Json type_schema() {
  const Json choices = {{"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};
  return {{"anyOf",
           {{{"type", "string"}},
            {{"type", "array"},
             {"minItems", 1},
             {"maxItems", 1},
             {"items", {{"$ref", "#/definitions/type"}}}},
            map_type("enum", choices),
            map_type("fields", any_of({fields_shape()}, Of::whole))}}};
}

Json names_schema(const Shape& shape, Of of) {
  Json schema = {{"type", "object"}, {"additionalProperties", any_of(shape.elements, of)}};
  if (shape.key != Form::delay) {
    schema["propertyNames"] = {
        {"pattern", shape.key == Form::state ? state_pattern : name_pattern}};
  }
  if (!shape.empty_allowed) schema["minProperties"] = 1;
  return schema;
}

Json schema(const Shape& shape, Of of) {
  switch (shape.form) {
    case Form::expression:
    case Form::delay:
      return {{"type", {"string", "number", "boolean"}}};
    case Form::name:
    case Form::event:
      return text_like(name_pattern);
    case Form::state:
      return text_like(state_pattern);
    case Form::duration:
      return text_like(duration_pattern);
    case Form::boolean:
      return {{"type", "boolean"}};
    case Form::count:
      return {{"type", {"string", "integer"}}, {"minimum", 0}};
    case Form::integer:
      return {{"type", "integer"}, {"minimum", 0}};
    case Form::number:
      return {{"type", "number"}, {"minimum", 0}};
    case Form::choice:
      return {{"enum", shape.choices}};
    case Form::literal:
      return Json::object();
    case Form::type:
      return {{"$ref", "#/definitions/type"}};
    case Form::names:
      return names_schema(shape, of);
    case Form::object:
      return reference(shape.construct, of);
    case Form::list: {  // takes the place of the other file's
      Json list = {{"type", "array"}, {"items", any_of(shape.elements, Of::whole)}};
      if (!shape.empty_allowed) list["minItems"] = 1;
      return list;
    }
    default:
      return {{"type", "string"}};
  }
}

Json any_of(const std::vector<Shape>& shapes, Of of) {
  if (shapes.size() == 1 && of == Of::whole) return schema(shapes.front(), of);
  Json alternatives = Json::array();
  for (const Shape& shape : shapes) alternatives.push_back(schema(shape, of));
  if (of == Of::changes) alternatives.push_back({{"type", "null"}});
  return {{"anyOf", alternatives}};
}

// In draft 7 nothing counts beside a `$ref`, so that the description needs it one level down.
Json described(const Key& key, Of of) {
  Json value = any_of(key.shapes, of);
  if (value.contains("$ref")) value = {{"allOf", {value}}};
  value["description"] = key.description;
  return value;
}

Json object_schema(const Construct& construct, Of of) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Key& key : construct.keys) {
    properties[std::string(key.name)] = described(key, of);
    if (key.required && of == Of::whole) required.push_back(key.name);
  }
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

// Draft 7, which is what editors know. It says which keys there are and what they hold; what names
// refer to is beyond it.
Json workflow_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Agneto workflow"},
                 {"if", {{"required", {"extends"}}}},
                 {"then", reference(ConstructId::machine, Of::changes)},
                 {"else", reference(ConstructId::machine, Of::whole)}};
  for (int id = static_cast<int>(ConstructId::machine);
       id <= static_cast<int>(ConstructId::mcp_server); ++id) {
    const Construct& of = construct(static_cast<ConstructId>(id));
    schema["definitions"][std::string(of.id)] = object_schema(of, Of::whole);
    schema["definitions"]["changes_of_" + std::string(of.id)] = object_schema(of, Of::changes);
  }
  schema["definitions"]["type"] = type_schema();
  schema["definitions"]["changes_of_machine"]["required"] = {"agneto", "extends"};
  return schema;
}

std::string workflow_schema_text() {
  return workflow_schema().dump(2) + "\n";
}

// After a change of the key table: AGNETO_UPDATE=1 model_tests --gtest_filter='Schema.*'
TEST(Schema, FileIsWhatTheKeyTableSays) {
  const fs::path file = fs::path(AGNETO_SOURCE_DIR) / "schemas" / "workflow.schema.json";
  if (std::getenv("AGNETO_UPDATE")) write_file(file, workflow_schema_text());
  EXPECT_EQ(Disk().read(file), workflow_schema_text());
}

TEST(Schema, RefusesUnknownKeysAndNamesTheRequired) {
  const Json schema = workflow_schema();
  const Json& machine = schema["definitions"]["machine"];
  EXPECT_EQ(machine["additionalProperties"], false);
  EXPECT_EQ(machine["required"], Json({"agneto", "name", "initial", "states"}));
  const Json& transition = schema["definitions"]["event_transition"];
  EXPECT_EQ(transition["required"], Json({"event"}));
  EXPECT_EQ(
      transition["properties"]["internal"],
      Json({{"type", "boolean"},
            {"description", "Does not leave the compound source, as every target is inside it"}}));
}

TEST(Schema, WhatAFileChangesIsRequiredNowhere) {
  const Json schema = workflow_schema();
  const Json& changes = schema["definitions"]["changes_of_machine"];
  EXPECT_EQ(changes["additionalProperties"], false);
  EXPECT_EQ(changes["required"], Json({"agneto", "extends"}));
  EXPECT_FALSE(schema["definitions"]["changes_of_event_transition"].contains("required"));
  EXPECT_EQ(changes["properties"]["limits"]["anyOf"],
            Json({{{"$ref", "#/definitions/changes_of_limits"}}, {{"type", "null"}}}));
}

}  // namespace
}  // namespace agneto::model
