// Calls of a file's own functions, as what they come to.
//
// What a function gives back depends on its arguments alone. So where it is one `return`, each call
// of it is looked at as if that stood in its place: what is proved of a guard is proved through the
// function.
#pragma once

#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// Puts it in the place of calls in the trees of the machine's pieces, in which it stands where the
// call stands.
void inline_functions(const Machine& machine, std::vector<Piece>& pieces);

}  // namespace agneto::lint
