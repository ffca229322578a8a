// A machine's file in a nutshell: its data, its agents and its states.
#pragma once

#include "base/json.h"
#include "lsp/outline.h"
#include "lsp/position.h"

namespace agneto::lsp {

// As the protocol's DocumentSymbol[]; states are inside of states.
Json symbols(const Outline& outline, const Lines& lines);

}  // namespace agneto::lsp
