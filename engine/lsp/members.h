// Members of messages, which may have any shape.
#pragma once

#include <string>

#include "base/json.h"

namespace agneto::lsp {

// The member at a path like "/general/positionEncodings"; null where there is none.
inline Json at(const Json& object, const char* path) {
  const Json::json_pointer pointer(path);
  return object.is_structured() && object.contains(pointer) ? object.at(pointer) : Json();
}

inline bool is_set(const Json& object, const char* path) {
  const Json value = at(object, path);
  return value.is_boolean() && value.get<bool>();
}

inline std::string text_at(const Json& object, const char* path) {
  const Json value = at(object, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace agneto::lsp
