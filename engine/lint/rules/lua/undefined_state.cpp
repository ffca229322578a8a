#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule undefined_state = {
    {"W507", "undefined-state", "a `state_in` of a state that does not exist",
     R"(`state_in` asks whether a state of the same machine is active. To ask for another raises
`error.lua`.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      const std::string* name = asked_state(node);
      if (!name || piece.machine->find(*name) != none) return;
      std::vector<std::string> known;
      for (const State& state : piece.machine->states) {
        if (state.id != 0) known.push_back(state.name);
      }
      suggest(report(place(piece, node.children[1]),
                     "there is no state '{}', and to ask for it is an error", *name),
              *name, known, "states");
    }};

}  // namespace agneto::lint
