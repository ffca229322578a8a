#include "model/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace agneto::model {

namespace {

constexpr std::size_t longest_shown_value = 60;

// What a value is, in the words of the type grammar: `string "x"`, `integer 3`, `null`.
std::string found(const Json& value) {
  if (value.is_null()) return "null";
  return fmt::format("{} {}", to_text(type_of(value).kind),
                     shortened(agneto::to_text(value), longest_shown_value));
}

// JSON numbers that count as integers: also 3.0, which is what Lua's 6 / 2 gives.
bool is_integer(const Json& value) {
  if (value.is_number_integer()) return true;
  if (!value.is_number_float()) return false;
  const double number = value.get<double>();
  return std::trunc(number) == number && std::abs(number) < 9007199254740992.0;
}

bool is_of_kind(const Type& type, const Json& value) {
  switch (type.kind) {
    case Type::Kind::any:
      return true;
    case Type::Kind::integer:
      return is_integer(value);
    case Type::Kind::number:
      return value.is_number();
    case Type::Kind::choice:
      return value.is_string() &&
             std::find(type.choices.begin(), type.choices.end(),
                       value.get_ref<const std::string&>()) != type.choices.end();
    default:
      return type_of(value).kind == type.kind;
  }
}

std::optional<std::string> mismatch(const std::vector<Field>& fields, const Json& value) {
  for (const Field& field : fields) {
    const auto given = value.find(field.name);
    if (auto why = mismatch(field.type, given == value.end() ? Json() : *given)) {
      return fmt::format("field '{}': {}", field.name, *why);
    }
  }
  for (const auto& [name, of_name] : value.items()) {
    if (std::ranges::find(fields, name, &Field::name) == fields.end()) {
      return fmt::format("there is no field '{}'", name);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_text(Type::Kind kind) {
  return kind == Type::Kind::choice ? "enum" : kind_names[static_cast<std::size_t>(kind)];
}

Type type_of(const Json& value) {
  Type type;
  if (value.is_string()) type.kind = Type::Kind::string;
  if (value.is_boolean()) type.kind = Type::Kind::boolean;
  if (value.is_array()) type.kind = Type::Kind::list;
  if (value.is_object()) type.kind = Type::Kind::map;
  if (value.is_number()) type.kind = Type::Kind::integer;
  if (value.is_number_float()) type.kind = Type::Kind::number;
  return type;
}

std::string to_text(const Type& type) {
  std::string text;
  if (type.kind == Type::Kind::list && type.element) {
    text = "[" + to_text(*type.element) + "]";
  } else if (type.kind == Type::Kind::choice) {
    text = "enum [" + join(type.choices, ", ") + "]";
  } else if (type.fields) {
    std::vector<std::string> fields;
    for (const Field& field : *type.fields) {
      fields.push_back(field.name + ": " + to_text(field.type));
    }
    text = "{" + join(fields, ", ") + "}";
  } else {
    text = to_text(type.kind);
  }
  return type.optional ? text + "?" : text;
}

std::optional<std::string> mismatch(const Type& type, const Json& value) {
  if (value.is_null() && (type.optional || type.kind == Type::Kind::any)) return std::nullopt;
  if (!is_of_kind(type, value)) return "expected " + to_text(type) + ", found " + found(value);
  if (type.kind == Type::Kind::list && type.element) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (auto why = mismatch(*type.element, value[i])) {
        return "item " + std::to_string(i + 1) + ": " + *why;
      }
    }
  }
  return type.fields ? mismatch(*type.fields, value) : std::nullopt;
}

Json schema(const std::vector<Field>& fields) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : fields) {
    properties[field.name] = schema(field);
    required.push_back(field.name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json schema(const Field& field) {
  Json result = schema(field.type);
  if (!field.description.empty()) result["description"] = field.description;
  return result;
}

Json schema(const Type& type) {
  Json result = Json::object();
  if (type.kind == Type::Kind::any) return result;
  std::string name(to_text(type.kind));
  if (type.kind == Type::Kind::list) {
    name = "array";
    result["items"] = type.element ? schema(*type.element) : Json::object();
  } else if (type.kind == Type::Kind::map) {
    name = "object";
    if (type.fields) result.update(schema(*type.fields));
  } else if (type.kind == Type::Kind::choice) {
    name = "string";
    result["enum"] = type.choices;
    if (type.optional) result["enum"].push_back(nullptr);
  }
  result["type"] = type.optional ? Json::array({name, "null"}) : Json(name);
  return result;
}

void settle(const Type& type, Json& value) {
  if (type.kind == Type::Kind::list && value.is_object() && value.empty()) value = Json::array();
  if (type.kind == Type::Kind::map && value.is_array() && value.empty()) value = Json::object();
  if (type.kind == Type::Kind::integer && value.is_number_float() && is_integer(value)) {
    value = static_cast<std::int64_t>(value.get<double>());
  }
  if (type.kind == Type::Kind::list && type.element && value.is_array()) {
    for (Json& item : value) settle(*type.element, item);
  }
  if (!type.fields || !value.is_object()) return;
  for (const Field& field : *type.fields) {
    // Who leaves out what may be left out gives null.
    Json& of_field = value[field.name];
    settle(field.type, of_field);
  }
}

std::optional<Json> from_argument(const Type& type, const std::string& text) {
  std::optional<Json> value;
  switch (type.kind) {
    case Type::Kind::string:
    case Type::Kind::choice:
      value = text;
      break;
    case Type::Kind::integer:
      if (const auto number = parse_number<std::int64_t>(text)) value = *number;
      break;
    case Type::Kind::number:
      if (const auto number = parse_number<double>(text)) value = *number;
      break;
    case Type::Kind::boolean:
      if (text == "true" || text == "false") value = text == "true";
      break;
    case Type::Kind::any:
    case Type::Kind::list:
    case Type::Kind::map:
      if (Json::accept(text)) {
        value = Json::parse(text);
      } else if (type.kind == Type::Kind::any) {
        value = text;
      }
      break;
  }
  if (!value || mismatch(type, *value)) return std::nullopt;
  return value;
}

Json example(const Type& type, const std::string& text) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::choice:
      return type.choices.front();
    case Kind::integer:
    case Kind::number:
      return 1;
    case Kind::boolean:
      return false;
    case Kind::list:
      return Json::array();
    case Kind::map: {
      Json map = Json::object();
      if (!type.fields) return map;
      for (const Field& field : *type.fields) map[field.name] = example(field.type, text);
      return map;
    }
    case Kind::string:
    case Kind::any:
      break;
  }
  return text;
}

}  // namespace agneto::model
