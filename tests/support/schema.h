// As much of JSON Schema (draft 7) as the schemas here use.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "base/json.h"

namespace agneto::testing {

class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}

  // "calls[0].agent: is missing"; none: the value is as the schema says.
  std::vector<std::string> faults(const Json& value) const {
    std::vector<std::string> found;
    check(value, root_, "", found);
    return found;
  }

 private:
  using Faults = std::vector<std::string>;

  void check(const Json& value, const Json& schema, const std::string& at, Faults& faults) const {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"].get<std::string>().substr(14);  // #/definitions/
      return check(value, root_.at("definitions").at(name), at, faults);
    }
    const auto wrong = [&](const std::string& what) { faults.push_back(at + ": " + what); };
    if (schema.contains("const") && value != schema["const"]) wrong("is " + value.dump());
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
      wrong("is " + value.dump());
    }
    if (schema.contains("type") && !has_type(value, schema["type"])) {
      return wrong("has another type: " + value.dump());
    }
    if (schema.contains("pattern") && value.is_string() &&
        !std::regex_search(value.get<std::string>(),
                           std::regex(schema["pattern"].get<std::string>()))) {
      wrong("does not match: " + value.dump());
    }
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        check(value[i], schema["items"], at + "[" + std::to_string(i) + "]", faults);
      }
    }
    if (value.is_object()) members(value, schema, at, faults);
  }

  void members(const Json& value, const Json& schema, const std::string& at, Faults& faults) const {
    const Json properties = schema.value("properties", Json::object());
    for (const std::string name : schema.value("required", Json::array())) {
      if (!value.contains(name)) faults.push_back(at + "." + name + ": is missing");
    }
    for (const auto& [name, member] : value.items()) {
      const std::string inside = at + "." + name;
      const Json others = schema.value("additionalProperties", Json(true));
      if (properties.contains(name)) {
        check(member, properties[name], inside, faults);
      } else if (others.is_object()) {
        check(member, others, inside, faults);
      } else if (others == false) {
        faults.push_back(inside + ": is not in the schema");
      }
    }
  }

  static bool has_type(const Json& value, const Json& type) {
    if (type.is_array()) {
      return std::any_of(type.begin(), type.end(),
                         [&](const Json& each) { return has_type(value, each); });
    }
    const std::string name = type;
    return (name == "object" && value.is_object()) || (name == "array" && value.is_array()) ||
           (name == "string" && value.is_string()) || (name == "boolean" && value.is_boolean()) ||
           (name == "null" && value.is_null()) ||
           (name == "integer" && value.is_number_integer()) ||
           (name == "number" && value.is_number());
  }

  Json root_;
};

}  // namespace agneto::testing
