// A simulation as text: what each macrostep did, and what the machine could be given now; and the
// interactive debugger.
#pragma once

#include "play/debugger.h"
#include "ui/line_editor.h"
#include "ui/screen.h"

namespace agneto::ui {

class SimulationText {
 public:
  // Both must outlive it.
  SimulationText(Screen& screen, const model::System& system) : screen_(screen), system_(system) {}

  // One block. Of the context, what differs from the macrostep shown before.
  void show(const play::Macrostep& step);
  void show(const play::Overview& overview);
  // All data of all machines.
  void show_context(const play::Macrostep& step);
  // What counts as shown before, where the simulation was taken back to it.
  void set_before(const play::Macrostep& step) { before_ = step; }

 private:
  Screen& screen_;
  const model::System& system_;
  play::Macrostep before_;
};

// Reads commands, plays them and shows what came of them, until `quit` or the end of the input.
// What was mistyped is said, and changes nothing. `title`: the first line of a saved script,
// without its `#`.
void debug(play::Debugger& debugger, LineEditor& editor, SimulationText& text, Screen& screen,
           const std::string& title);

}  // namespace agneto::ui
