// The types that inputs, context, verdict fields and outputs are declared with.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace agneto::model {

struct Field;

struct Type {
  enum class Kind { string, integer, number, boolean, list, map, any, choice };
  Kind kind = Kind::any;
  bool optional = false;                             // `?`: null is allowed
  std::shared_ptr<const Type> element;               // list: of what; null for any
  std::shared_ptr<const std::vector<Field>> fields;  // map: exactly these; null for any
  std::vector<std::string> choices;                  // choice
};

struct Field {
  std::string name;
  Type type;
  std::string description = {};
};

// The names of kinds, in the order of Type::Kind. `enum` is missing: it is written with its
// choices.
inline constexpr std::string_view kind_names[] = {"string", "integer", "number", "boolean",
                                                  "list",   "map",     "any"};
std::string_view to_text(Type::Kind kind);

// The type that a value has by itself; `any` where it is null.
Type type_of(const Json& value);

// Writes a type as a workflow does: "string?", "[integer]", "enum [a, b]", "{line: integer}".
std::string to_text(const Type& type);

// Why `value` is not of `type`, as "expected integer, found string \"x\""; nothing if it is. A
// number without a fraction, such as Lua's 6 / 2, is an integer.
std::optional<std::string> mismatch(const Type& type, const Json& value);

// The JSON Schema of a type, of a field with its description, of a map of just these fields.
Json schema(const Type& type);
Json schema(const Field& field);
Json schema(const std::vector<Field>& fields);

// Lua knows one empty table, no null in a table, and gives 3.0 for 6 / 2: turns {} into [] and
// back, a field that is not there into null, and 3.0 into 3, as the type says.
void settle(const Type& type, Json& value);

// Text from a command line as a value of the type ("3" -> 3 for an integer; JSON for lists and
// maps; for `any` JSON or else the text itself). Nothing where it does not fit.
std::optional<Json> from_argument(const Type& type, const std::string& text);

// A value of the type, made up where something must be given.
Json example(const Type& type, const std::string& text = "x");

}  // namespace agneto::model
