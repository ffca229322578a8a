// What can be said of a Lua expression's type without running it.
#pragma once

#include <optional>

#include "lint/subject.h"
#include "model/types.h"

namespace agneto::lint {

// A type that the value has for certain: of literals, of operators that give one type alone, and of
// inputs and context entries that are declared and cannot be null. Nothing where it is not certain.
std::optional<model::Type> static_type(const model::Machine& machine, const lua::Node& node);

// Is no value of the one type a value of the other? (Null apart: `?` makes no difference.)
bool are_disjoint(const model::Type& a, const model::Type& b);

// Of a text that is written out, whether it is none of a choice's.
bool is_no_choice(const model::Type& choice, const lua::Node& node);

// The input or context entry that the node names; null where it names none.
const model::Variable* variable_of(const model::Machine& machine, const lua::Node& node);

}  // namespace agneto::lint
