// Guards, actions and expressions in Lua.
#pragma once

#include <memory>

#include "base/diagnostic.h"
#include "chart/evaluator.h"
#include "model/machine.h"

namespace agneto::script {

// Compiles every piece of code of the system, once. Syntax errors are reported at their true line
// of the YAML file, all of them; then null. The system must outlive the evaluator.
std::unique_ptr<chart::Evaluator> make_evaluator(const model::System& system,
                                                 Diagnostics& diagnostics);

}  // namespace agneto::script
