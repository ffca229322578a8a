// Members of an object that are left out where they are empty.
#pragma once

#include "base/json.h"

namespace agneto {

// Null where it was left out: that has no items.
inline const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

}  // namespace agneto
