// Reads what a driver's function returned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "script/hooks.h"

namespace agneto::script {

// Throws HookError for what it does not know, and for values of other kinds.
class Fields {
 public:
  // `what`: "scripts/providers/x.lua: what 'command' returned", as messages begin.
  Fields(const Json& object, std::string what, std::vector<std::string> known)
      : object_(object), what_(std::move(what)) {
    if (object.is_array() && object.empty()) return;
    if (!object.is_object()) throw HookError(what_ + " must be a table with named fields");
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string near = closest(key, known);
      throw HookError(
          what_ + ": unknown field '" + key + "'; " +
          (near.empty() ? "known fields: " + join(known, ", ") : "did you mean '" + near + "'?"));
    }
  }

  // Null where there is none.
  const Json& find(const char* name) const { return member(object_, name); }

  std::optional<std::string> text(const char* name) const {
    const Json& value = find(name);
    if (value.is_null()) return std::nullopt;
    if (!value.is_string()) refuse(name, "a string", value);
    return value.get<std::string>();
  }
  bool flag(const char* name) const {
    const Json& value = find(name);
    if (!value.is_null() && !value.is_boolean()) refuse(name, "true or false", value);
    return value.is_boolean() && value.get<bool>();
  }
  std::optional<double> number(const char* name, const char* wanted = "a number") const {
    const Json& value = find(name);
    if (value.is_null()) return std::nullopt;
    if (!value.is_number()) refuse(name, wanted, value);
    return value.get<double>();
  }
  std::optional<std::int64_t> count(const char* name) const {
    const auto value = number(name);
    if (!value) return std::nullopt;
    constexpr double most = 1e12;  // of one call: those of all calls can be added up
    if (!(*value >= 0 && *value <= most)) refuse(name, "a number of tokens", find(name));
    return static_cast<std::int64_t>(*value);
  }
  std::vector<std::string> texts(const char* name) const {
    const Json& value = find(name);
    std::vector<std::string> result;
    if (value.is_null()) return result;
    const bool good = value.is_array() && std::all_of(value.begin(), value.end(),
                                                      [](auto& item) { return item.is_string(); });
    if (!good) refuse(name, "a list of strings", value);
    for (const auto& item : value) result.push_back(item.template get<std::string>());
    return result;
  }
  std::vector<std::pair<std::string, std::string>> named_texts(const char* name) const {
    const Json& value = find(name);
    std::vector<std::pair<std::string, std::string>> result;
    if (value.empty()) return result;
    if (!value.is_object()) refuse(name, "a table of strings by name", value);
    for (const auto& [key, item] : value.items()) {
      if (!item.is_string()) refuse((name + ("." + key)).c_str(), "a string", item);
      result.emplace_back(key, item.template get<std::string>());
    }
    return result;
  }

  [[noreturn]] void refuse(const char* name, const char* wanted, const Json& found) const {
    throw HookError(what_ + ": '" + name + "' must be " + wanted + ", not " +
                    shortened(to_text(found), 100));
  }

 private:
  const Json& object_;
  std::string what_;
};

}  // namespace agneto::script
