#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (node.kind != Node::Kind::call || node.children.size() != 2) return;
    if (!node.children[0].is(Node::Kind::global, "state_in")) return;
    const std::string* name = lua::literal_text(node.children[1]);
    if (!name || piece.machine->find(*name) != model::none) return;
    std::vector<std::string> known;
    for (const model::State& state : piece.machine->states) {
      if (state.id != 0) known.push_back(state.name);
    }
    suggest(diagnostics.warning(
                undefined_state.name, place(piece, node.children[1]),
                fmt::format("there is no state '{}', and to ask for it is an error", *name)),
            *name, known, "states");
  });
}

}  // namespace

const Check undefined_state = {"undefined-state", check};

}  // namespace agneto::lint
