#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// What stands at the left end of `a.b[c].d`.
const Node& root_of(const Node& target) {
  const Node* name = &target;
  while (name->kind == Node::Kind::index) name = &name->children[0];
  return *name;
}

void check_piece(const Typed& lua, const Node& target, const Reporter& report) {
  const Node& name = root_of(target);
  const bool is_given = is_one_of(name.text, {"inputs", "event", "run"});
  if (name.kind != Node::Kind::global || !is_given) return;
  report(lua.place(target), "'{}' can be read and not be written, which is an error", name.text)
      .help("declare a name of its own under `context`, and assign that");
}

// Reports m.ctx.tries = m.ctx.tries + 1 in a hook. What puts something in the place of nothing may
// be meant for the rest of the call.
void check_hook(const Typed& lua, const Node& target, const Node* value, const Reporter& report) {
  const Node& name = root_of(target);
  if (!name.is(Node::Kind::local, "m") || !lua.facts(name).closed) return;
  const bool is_default = value && value->is(Node::Kind::binary, "or") &&
                          lua.text(value->children[0]) == lua.text(target);
  if (is_default) return;
  report(lua.place(target), "a hook only reads {}: to change it changes nothing", lua.text(target))
      .help("what is to be kept comes with a verdict, and is assigned in the workflow");
}

}  // namespace

extern const LintRule read_only = {
    {"W309", "read-only",
     "an assignment to an input, an event or the run, or to what a hook is given",
     R"(What a machine was given does not change while it runs; to assign it raises `error.lua`. What changes
belongs into `context`, which can begin as an input: `{type: string, init: inputs.task}`. A hook is given
`m` anew for each call, so that what it assigns there is gone with it.)"},
    [](const Typed& lua, const Reporter& report) {
      lua::walk(lua.tree(), [&](const Node& node) {
        const auto targets = assigned_to(node);
        const bool is_paired = targets.size() * 2 == node.children.size();
        for (std::size_t i = 0; i < targets.size(); ++i) {
          if (targets[i].kind != Node::Kind::index) continue;
          if (lua.piece()) {
            check_piece(lua, targets[i], report);
          } else {
            check_hook(lua, targets[i], is_paired ? &node.children[targets.size() + i] : nullptr,
                       report);
          }
        }
      });
    }};

}  // namespace agneto::lint
