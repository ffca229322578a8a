// The interactive debugger: reads commands, plays them, shows what came of them.
#pragma once

#include <string>

#include "play/debugger.h"
#include "ui/line_editor.h"
#include "ui/simulation.h"

namespace agneto::ui {

// Until `quit` or the end of the input. What was mistyped is said, and changes nothing. `title`:
// the first line of a saved script, without its `#`.
void debug(play::Debugger& debugger, LineEditor& editor, SimulationText& text, Screen& screen,
           const std::string& title);

}  // namespace agneto::ui
