// Ways through a function of a hook module on which it returns nothing.
#pragma once

#include "lint/typed.h"

namespace agneto::lint {

// The statement behind which the function may come to its end without a `return`; null where that
// is not certain: of several conditions it may be that one of them is always true.
const Node* falls_off(const Typed& lua, const Node& function);

}  // namespace agneto::lint
