// Does a tree have the shape that the key table (keys.h) says?
#pragma once

#include "base/diagnostic.h"
#include "model/keys.h"
#include "yaml/tree.h"

namespace agneto::model {

// Reports, all of them: unknown and missing keys, values of the wrong kind, names and durations
// that break their grammar, scalars that must be quoted, and Lua that YAML would spoil. What reads
// the tree afterwards skips what has the wrong shape, and says nothing about it. Types and literals
// are checked by what reads them.
void check_shape(const yaml::Node& root, ConstructId id, Diagnostics& diagnostics);

// The same of the value of one key of that construct, which may be written in another file.
void check_value(std::string_view key, const yaml::Node& value, ConstructId id,
                 Diagnostics& diagnostics);

// Has the map this key, or an unknown one in its place: a slip of the hand, or another tool's word
// for it? Of that one alone it is said what is wrong.
bool has_or_means(const yaml::Node& map, const Construct& construct, std::string_view key);

// A type that is written as a map: {enum: [a, b]}, {fields: {line: integer}}.
bool is_type_map(const yaml::Node& node);

// An input, a context entry or a verdict's field may be written short (its type, its default) or as
// a map of keys.
bool is_written_out(const yaml::Node& node);

}  // namespace agneto::model
