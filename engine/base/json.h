// JSON values: what crosses every border of the engine (event data, inputs, outputs, journal).
// Objects are ordered by key, so that equal values have equal text.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

// Compiled once, in json.cpp, and not by everybody who includes this.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::detail::serializer<nlohmann::json>;

namespace agneto {

using Json = nlohmann::json;

// One line; bytes that are not UTF-8 are replaced, never thrown about.
std::string to_text(const Json& value);

// About as many bytes as its text has; far cheaper than to make that.
std::size_t size_of(const Json& value);

// The member of an object that may leave it out; null, which has no items, where it does.
inline const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

}  // namespace agneto
