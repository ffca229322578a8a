#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule read_only = {
    {"W309", "read-only", "an assignment to an input, an event or the run",
     R"(What a machine was given does not change while it runs; to assign it raises `error.lua`. What changes
belongs into `context`, which can begin as an input: `{type: string, init: inputs.task}`.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      for (const Node& target : assigned_to(node)) {
        // What stands at the left end of `a.b[c].d`.
        const Node* name = &target;
        while (name->kind == Node::Kind::index) name = &name->children[0];
        const bool is_given =
            name->text == "inputs" || name->text == "event" || name->text == "run";
        if (target.kind != Node::Kind::index || name->kind != Node::Kind::global || !is_given) {
          continue;
        }
        report(place(piece, target), "'{}' can be read and not be written, which is an error",
               name->text)
            .help("declare a name of its own under `context`, and assign that");
      }
    }};

}  // namespace agneto::lint
